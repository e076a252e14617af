package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
	"github.com/ironflow/ironflow/nodes/value"
)

// chunkerHelp is the help of the flag --chunker.
const chunkerHelp = "a chunker to measure, as `KEY=VALUE,...` with the parameters of ai_chunk and ai_chunk_semantic, such as 'mode=semantic,detector=dp,target_size=400'; repeat it for several"

// vectorsHelp is the help of the flag --vectors.
const vectorsHelp = "who makes vectors where a chunker does not say: a model inside the binary, or the parameters of another provider, such as 'provider=ollama,model=nomic-embed-text,cache_dir=vectors'"

// evalChunker is a chunker as --chunker sets it.
type evalChunker struct {
	name string // the setting as it was written
	node *nodes.Node
	raw  map[string]any
	// limit is the size that no chunk may be above, 0 for none; counter counts it.
	limit   int
	counter unit.Counter
}

// evalCut is what a chunker made of one text.
type evalCut struct {
	chunks []string
	spans  []value.Span // of the text, in bytes
	// texts are what belongs into a search index: the chunks, for mode markdown
	// with their headings and table headers.
	texts []string
	// limited is what a size holds for: the chunks, with the header of a table
	// where one goes with them.
	limited []string
}

// chunkers reads the values of --chunker. The defaults are for chunkers of the
// mode semantic that leave them out.
func (s *session) chunkers(settings []string, vectors *evalVectors, defaults map[string]any) ([]evalChunker, error) {
	if err := eachOnce(settings); err != nil {
		return nil, err
	}
	var out []evalChunker
	for _, text := range settings {
		c, err := s.chunker(text, vectors, defaults)
		if err != nil {
			return nil, usageError("--chunker %q: %w", text, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// eachOnce refuses a setting that is given twice: its rows could not be told apart.
func eachOnce(settings []string) error {
	for i, text := range settings {
		if slices.Contains(settings[:i], text) {
			return usageError("--chunker %q is given twice", text)
		}
	}
	return nil
}

func (s *session) chunker(text string, vectors *evalVectors, defaults map[string]any) (evalChunker, error) {
	raw, err := parseSetting(text)
	if err != nil {
		return evalChunker{}, err
	}
	c := evalChunker{name: text, raw: raw}
	mode, ok := raw["mode"].(string)
	if _, detector := raw["detector"]; !ok && detector {
		mode = "semantic"
	} else if !ok {
		mode = "fixed"
	}
	modes := []string{"fixed", "split", "recursive", "markdown", "sentences", "semantic"}
	name := chunkNode
	switch {
	case mode == "semantic":
		name = semanticNode
		delete(raw, "mode")
	case !slices.Contains(modes, mode):
		return c, fmt.Errorf("mode is %q, want one of %s", mode, nodes.QuoteList(modes, "or"))
	}
	if c.node, ok = s.registry.Lookup(name); !ok {
		return c, fmt.Errorf("there is no node %s here", name)
	}
	if err := s.fill(&c, vectors, defaults); err != nil {
		return c, err
	}
	if err := s.checkProvider(c.raw); err != nil {
		return c, err
	}
	c.limit, c.counter, err = sizeLimit(&c.node.Spec, c.raw)
	return c, err
}

// fill checks the parameters and adds those that the command sets itself.
func (s *session) fill(c *evalChunker, vectors *evalVectors, defaults map[string]any) error {
	_, hasProvider := c.raw["provider"]
	_, hasModel := c.raw["model"]
	declared := map[string]bool{}
	for _, p := range c.node.Spec.Params {
		given, ok := c.raw[p.Name].(string)
		ok = ok && !declared[p.Name] // one name may stand in several groups
		switch declared[p.Name] = true; {
		case !ok:
		case p.Secret:
			return fmt.Errorf("%s is a secret, which does not belong on a command line; set its variable %s", p.Name, p.Env)
		case p.Name != "mode" && ownParam(p.Name) || p.Type == nodes.Object:
			return fmt.Errorf("%s cannot be set here", p.Name)
		case p.Type == nodes.Array:
			c.raw[p.Name] = splitList(given)
		default:
			c.raw[p.Name] = unescapeSetting(given)
		}
	}
	c.raw["source_key"], c.raw["output_key"] = "document", "chunks"
	if c.node.Spec.Name == semanticNode {
		setDefault(c.raw, "text", "source")
		if vectors != nil && !hasProvider && !hasModel {
			for key, v := range vectors.params {
				setDefault(c.raw, key, v)
			}
		}
		for key, v := range defaults {
			setDefault(c.raw, key, v)
		}
	}
	var wrong []error
	for _, p := range nodes.Check(&c.node.Spec, c.raw) {
		if p.Severity == nodes.Error {
			wrong = append(wrong, fmt.Errorf("%s: %s", p.Param, p.Message))
		}
	}
	return errors.Join(wrong...)
}

func setDefault(m map[string]any, key string, v any) {
	if _, ok := m[key]; !ok {
		m[key] = v
	}
}

// parseSetting reads KEY=VALUE,KEY=VALUE. A part without = belongs to the value
// before it, comma and all.
func parseSetting(text string) (map[string]any, error) {
	out := map[string]any{}
	last := ""
	for part := range strings.SplitSeq(text, ",") {
		key, v, ok := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		switch _, twice := out[key]; {
		case !ok && last == "":
			return nil, fmt.Errorf("got %q, want KEY=VALUE, with commas between several", part)
		case !ok:
			out[last] = out[last].(string) + "," + part
			continue
		case key == "":
			return nil, fmt.Errorf("%q has no name before =", part)
		case twice:
			return nil, fmt.Errorf("%s is given twice", key)
		}
		out[key], last = v, key
	}
	return out, nil
}

// unescapeSetting reads \n, \t and \\, which a shell passes on as they are.
func unescapeSetting(text string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t").Replace(text)
}

// cut runs a chunker on one text, named for errors.
func (s *session) cut(ctx context.Context, c evalChunker, name, text string) (*evalCut, error) {
	out, err := s.invoke(ctx, c.node, c.raw, text)
	if err != nil {
		return nil, evalError(err, "%s: --chunker %q: %w", name, c.name, err)
	}
	set, err := newChunkSet(name, text, out, 0)
	if err != nil {
		return nil, exitWith(ExitRun, err)
	}
	cut := &evalCut{chunks: set.chunks, spans: set.spans, texts: set.chunks, limited: set.chunks}
	if list, ok := out["chunks_texts"]; ok {
		if cut.texts, err = value.AsStrings(list); err != nil {
			return nil, exitWith(ExitRun, err)
		}
	}
	if list, ok := out["chunks_context"]; ok {
		contexts, err := value.AsStrings(list)
		if err != nil {
			return nil, exitWith(ExitRun, err)
		}
		cut.limited = make([]string, len(contexts))
		for i, context := range contexts {
			if cut.limited[i] = cut.chunks[i]; context != "" {
				cut.limited[i] = context + "\n" + cut.chunks[i]
			}
		}
	}
	return cut, nil
}

// evalError is an error of a node with the exit code that it deserves.
func evalError(err error, format string, args ...any) error {
	var param *nodes.ParamError
	if errors.As(err, &param) {
		return exitWith(ExitUsage, fmt.Errorf(format, args...))
	}
	return exitWith(ExitRun, fmt.Errorf(format, args...))
}
