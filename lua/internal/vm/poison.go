package vm

import (
	glua "github.com/yuin/gopher-lua"
)

// poison stands in a handler for a value that exists only while the file
// loads.
type poison struct{ label string }

func (p poison) String() string {
	return p.label + " exists only while the file loads; a handler cannot use it"
}

// newPoisonMeta makes the metatable of poisoned values: whatever a script does
// with one raises its message. It is shared between VMs and never written.
func newPoisonMeta() *glua.LTable {
	raise := &glua.LFunction{IsG: true, GFunction: func(L *glua.LState) int {
		for i := 1; i <= L.GetTop(); i++ {
			if ud, ok := L.Get(i).(*glua.LUserData); ok {
				if p, ok := ud.Value.(poison); ok {
					L.RaiseError("%s", p.String())
				}
			}
		}
		return 0
	}}
	mt := &glua.LTable{Metatable: glua.LNil}
	for _, event := range []string{"__index", "__newindex", "__call", "__tostring", "__concat", "__len", "__unm",
		"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__lt", "__le"} {
		mt.RawSetString(event, raise)
	}
	mt.RawSetString("__metatable", glua.LString("load only"))
	return mt
}

// Poisoned makes a value that raises "<label> exists only while the file
// loads" when a script uses it.
func (v *VM) Poisoned(label string) *glua.LUserData {
	return &glua.LUserData{Value: poison{label}, Metatable: v.eng.poisonMeta}
}
