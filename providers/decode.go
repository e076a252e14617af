package providers

import "strings"

// DecodeOpenAI reads an answer of the OpenAI embeddings format, of which many
// servers have a copy: {"data":[{"index":0,"embedding":[...]}],"model":"...",
// "usage":{...}}. Keys are case-sensitive; unknown ones are skipped; each key
// that counts may stand once. The index is used when the vectors have one, the
// order of the answer when none has. Errors are [*Error] values of KindAnswer.
func DecodeOpenAI(body string, req *EmbedRequest) (*EmbedAnswer, error) {
	d := &scanner{s: body}
	o := &openAIAnswer{vectorReader: vectorReader{want: len(req.Texts), max: req.MaxDimension}}
	once := onlyOnce{}
	err := d.object(func(key string) error {
		if err := once.see(key, "data", "error", "model", "usage"); err != nil {
			return err
		}
		switch key {
		case "data":
			if d.peek() != '[' {
				return typeError(d, "data", "an array")
			}
			return d.array(func(int) error { return o.item(d) })
		case "error":
			return o.errorField(d)
		case "model":
			return o.modelField(d)
		case "usage":
			return o.usageField(d)
		}
		return d.skip(1)
	})
	if err != nil {
		return nil, noAPI(body, err)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if !once["data"] {
		return nil, wrongAPI(answerError("it has no data"))
	}
	return o.answer()
}

// openAIAnswer is an answer in the making.
type openAIAnswer struct {
	vectorReader
	answerMeta
	index []int // input of each row, 0-based; empty when no row has an index
	seen  []bool
}

// answerMeta is what answers of every kind say beside what was asked for.
type answerMeta struct {
	model string
	usage *Usage
}

// item reads one element of data.
func (o *openAIAnswer) item(d *scanner) error {
	if d.peek() != '{' {
		return typeError(d, "an element of data", "an object")
	}
	if o.rows == o.want {
		return o.tooMany()
	}
	once := onlyOnce{}
	row := o.rows
	err := d.object(func(key string) error {
		if err := once.see(key, "embedding", "index"); err != nil {
			return err
		}
		switch key {
		case "embedding":
			return o.read(d)
		case "index":
			return o.indexField(d, row)
		}
		return d.skip(1)
	})
	if err != nil {
		return err
	}
	if !once["embedding"] {
		return o.bad("is missing")
	}
	if len(o.index) != 0 && len(o.index) != row+1 || !once["index"] && len(o.index) != 0 {
		return answerError("some of its vectors have an index and some have none")
	}
	return nil
}

// indexField reads the index of the row-th vector.
func (o *openAIAnswer) indexField(d *scanner, row int) error {
	n, ok, err := d.count()
	switch {
	case err != nil:
		return err
	case !ok:
		return answerError("the index of vector %d is no whole number from 0 to %d", row+1, o.want-1)
	case n >= int64(o.want):
		return answerError("vector %d has the index %d, allowed are 0..%d", row+1, n, o.want-1)
	case len(o.index) != row:
		return answerError("some of its vectors have an index and some have none")
	}
	if o.seen == nil {
		o.seen = make([]bool, o.want)
		o.index = make([]int, 0, o.want)
	}
	if o.seen[n] {
		return answerError("the index %d stands at two vectors", n)
	}
	o.seen[n] = true
	o.index = append(o.index, int(n))
	return nil
}

func (o *openAIAnswer) errorField(d *scanner) error {
	if d.peek() == 'n' {
		return d.word("null")
	}
	if err := d.skip(1); err != nil {
		return err
	}
	return answerError("it reports an error although its status says success")
}

func (o *answerMeta) modelField(d *scanner) error {
	if d.peek() != '"' {
		return d.skip(1)
	}
	name, err := d.text()
	if err == nil && plainModel(name) {
		o.model = name
	}
	return err
}

// usageField keeps token counts that are whole numbers and ignores the rest.
func (o *answerMeta) usageField(d *scanner) error {
	if d.peek() != '{' {
		return d.skip(1)
	}
	var u Usage
	any := false
	err := d.object(func(key string) error {
		n, ok, err := d.count()
		if err != nil || !ok {
			return err
		}
		switch key {
		case "prompt_tokens":
			u.InputTokens, any = n, true
		case "completion_tokens":
			u.OutputTokens = n
		case "total_tokens":
			u.TotalTokens, any = n, true
		}
		return nil
	})
	if any {
		o.usage = &u
	}
	return err
}

func (o *openAIAnswer) answer() (*EmbedAnswer, error) {
	if err := o.finish(); err != nil {
		return nil, err
	}
	if len(o.index) > 0 {
		o.inOrder(o.index)
	}
	return &EmbedAnswer{Data: o.data, Dim: o.dim, Model: o.model, Usage: o.usage}, nil
}

// DecodeOllama reads an answer of Ollama's /api/embed:
// {"model":"...","embeddings":[[...]],"prompt_eval_count":n}. Vectors come in
// the order of the inputs. Errors are [*Error] values of KindAnswer.
func DecodeOllama(body string, req *EmbedRequest) (*EmbedAnswer, error) {
	d := &scanner{s: body}
	o := &openAIAnswer{vectorReader: vectorReader{want: len(req.Texts), max: req.MaxDimension}}
	once := onlyOnce{}
	err := d.object(func(key string) error {
		if err := once.see(key, "embeddings", "error", "model", "prompt_eval_count"); err != nil {
			return err
		}
		switch key {
		case "embeddings":
			if d.peek() != '[' {
				return typeError(d, "embeddings", "an array")
			}
			return d.array(func(int) error { return o.read(d) })
		case "error":
			return o.errorField(d)
		case "model":
			return o.modelField(d)
		case "prompt_eval_count":
			n, ok, err := d.count()
			if ok {
				o.usage = &Usage{InputTokens: n, TotalTokens: n}
			}
			return err
		}
		return d.skip(1)
	})
	if err != nil {
		return nil, noAPI(body, err)
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	if !once["embeddings"] {
		return nil, wrongAPI(answerError("it has no embeddings"))
	}
	return o.answer()
}

// onlyOnce refuses a second appearance of the keys that count.
type onlyOnce map[string]bool

func (o onlyOnce) see(key string, counting ...string) error {
	for _, c := range counting {
		if key != c {
			continue
		}
		if o[c] {
			return answerError("it has the key %s twice", c)
		}
		o[c] = true
	}
	return nil
}

// typeError reads the value to tell a wrong type from broken JSON.
func typeError(d *scanner, what, want string) error {
	if err := d.skip(1); err != nil {
		return err
	}
	return answerError("%s is not %s", what, want)
}

// plainModel reports whether a model name is made of the characters that model
// names are made of, so that it can be shown.
func plainModel(s string) bool {
	if s == "" || len(s) > 200 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.:/@+", c) >= 0) {
			return false
		}
	}
	return true
}
