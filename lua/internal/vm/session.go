package vm

import (
	"context"

	glua "github.com/yuin/gopher-lua"
)

// Handler is a Lua function of an image that can be called in sessions.
type Handler struct {
	img *Image
	fn  *glua.LFunction
}

// Handler makes a handler of a function of the load VM.
func (i *Image) Handler(fn *glua.LFunction) *Handler { return &Handler{img: i, fn: fn} }

// Image returns the image of the handler.
func (h *Handler) Image() *Image { return h.img }

// Place returns the chunk name and line where the function begins.
func (h *Handler) Place() (file string, line int) {
	if h.fn.IsG {
		return "", 0
	}
	return h.fn.Proto.SourceName, h.fn.Proto.LineDefined
}

// Args makes the arguments of one call in the VM where it runs.
type Args func(v *VM) ([]glua.LValue, error)

// Use receives the results of one call, in the VM and under its limits.
type Use func(v *VM, results []glua.LValue) error

// Session is one fresh VM over an image. Handlers called in it one after the
// other share their copy of what the file had built; nothing outlives the
// session. It belongs to one goroutine.
type Session struct {
	img   *Image
	vm    *VM
	ready bool
}

// NewSession makes a session. Close frees it.
func (i *Image) NewSession() *Session {
	return &Session{img: i}
}

// VM returns the VM of the session.
func (s *Session) VM() *VM {
	if s.vm == nil {
		s.vm = s.img.eng.newVM()
		s.vm.copy = &copier{img: s.img}
	}
	return s.vm
}

// prepare copies what takes effect without being named: a metatable of the
// globals or of strings that the file has set up.
func (s *Session) prepare() {
	if s.ready {
		return
	}
	s.ready = true
	if s.img.globals.meta != glua.LNil {
		s.vm.settleAll()
	}
	if len(s.img.strings.set)+len(s.img.strings.gone) > 0 {
		s.vm.settleStrings()
	}
}

// Close frees the VM.
func (s *Session) Close() {
	if s.vm != nil {
		s.vm.Close()
	}
}

// Do calls a handler under the limits of one call. args and use may be nil.
// The error is a [*ScriptError].
func (s *Session) Do(ctx context.Context, h *Handler, args Args, use Use) error {
	v := s.VM()
	return v.Within(ctx, func() error {
		s.prepare()
		fn := v.copyValue(h.fn)
		v.drain()
		var in []glua.LValue
		if args != nil {
			var err error
			if in, err = args(v); err != nil {
				return err
			}
		}
		out, err := v.protected(v.L, fn, in...)
		if err != nil || use == nil {
			return err
		}
		return use(v, out)
	})
}

// Call calls a handler and returns its first result as a context value, nil
// for none.
func (s *Session) Call(ctx context.Context, h *Handler, args Args) (any, error) {
	var out any
	err := s.Do(ctx, h, args, func(v *VM, results []glua.LValue) (err error) {
		if len(results) > 0 {
			out, err = v.FromLua(results[0], nil)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Run calls the handler in a session of its own.
func (h *Handler) Run(ctx context.Context, args Args) (any, error) {
	s := h.img.NewSession()
	defer s.Close()
	return s.Call(ctx, h, args)
}

// Do calls the handler in a session of its own, as [Session.Do].
func (h *Handler) Do(ctx context.Context, args Args, use Use) error {
	s := h.img.NewSession()
	defer s.Close()
	return s.Do(ctx, h, args, use)
}
