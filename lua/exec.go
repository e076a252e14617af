package lua

import (
	"fmt"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/process"
)

// program makes the node of a declaration whose body is a program:
// exec = {"program", "argument"}, with timeout (seconds) and env beside it.
func (d *definition) program(f fields, spec nodes.Spec) nodes.Node {
	p := process.Program{Cmd: f.texts("exec")}
	if seconds, ok := field[glua.LNumber](f, "timeout", "seconds above 0"); ok {
		if p.TimeoutSeconds = float64(seconds); !(seconds > 0) {
			d.problem("timeout", "got %s, want seconds above 0", describe(seconds))
			p.TimeoutSeconds = 0
		}
	}
	if env, ok := field[*glua.LTable](f, "env", `a table such as { LANG = "C" }`); ok {
		p.Env = map[string]string{}
		for k, v := env.Next(glua.LNil); k != glua.LNil; k, v = env.Next(k) {
			name, isName := k.(glua.LString)
			value, isText := v.(glua.LString)
			if !isName || !isText {
				d.problem(fmt.Sprintf("env[%s]", describe(k)), "got %s, want names with strings", describe(v))
				continue
			}
			p.Env[string(name)] = string(value)
		}
	}
	if d.bad {
		return nodes.Node{}
	}
	n, err := p.Node(spec)
	if err != nil {
		d.problem("", "%s", strings.TrimPrefix(err.Error(), fmt.Sprintf("node %q: ", spec.Name)))
	}
	return n
}
