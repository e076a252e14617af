package vm

// Limits bound what a script may use.
type Limits struct {
	// MaxSeconds is the wall-clock time of one load or one call; 0 is off.
	MaxSeconds float64
	// MaxStringBytes is the largest string a library call may build; 0 is off.
	MaxStringBytes int
	// MaxMemoryBytes is the heap of the process at which running scripts fail;
	// 0 is off.
	MaxMemoryBytes int64
	// MaxDepth and MaxNodes bound one conversion between Lua and Go values.
	MaxDepth, MaxNodes int
	// MaxCallDepth is how deep Lua functions may call each other.
	MaxCallDepth int
	// MaxRegistry is how many values the stack of one coroutine may hold; it
	// also bounds unpack.
	MaxRegistry int
}

// DefaultLimits returns the limits of a process that sets none.
func DefaultLimits() Limits {
	return Limits{
		MaxSeconds:     10,
		MaxStringBytes: 64 << 20,
		MaxMemoryBytes: 2 << 30,
		MaxDepth:       64,
		MaxNodes:       20_000_000,
		MaxCallDepth:   16384,
		MaxRegistry:    1 << 18,
	}
}

// maxNest bounds library functions that call each other through Lua (pcall,
// resume, callbacks of gsub and sort), since each level takes Go stack;
// reference Lua has the same number.
const maxNest = 200
