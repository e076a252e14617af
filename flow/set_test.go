package flow

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func randomSet(rng *rand.Rand, n int) (set, map[int]bool) {
	var s set
	m := map[int]bool{}
	var list []int32
	for range rng.IntN(40) {
		i := rng.IntN(n)
		if rng.IntN(2) == 0 {
			i = rng.IntN(min(n, 700))
		}
		if !m[i] {
			list = append(list, int32(i))
		}
		m[i] = true
	}
	slices.Sort(list)
	if rng.IntN(2) == 0 {
		return setOf(list), m
	}
	for _, i := range list {
		s = s.with(int(i))
	}
	return s, m
}

func TestSetIsASetOfNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 63, 64, 512, 513, 8192, 8193, 30000} {
		for range 60 {
			a, ma := randomSet(rng, n)
			b, mb := randomSet(rng, n)
			u := union(a, b)
			common, flat := -1, make([]uint64, (n+63)/64)
			for i := range mb {
				flat[i/64] |= 1 << (i % 64)
			}
			for i := range n {
				if u.has(i) != (ma[i] || mb[i]) || a.has(i) != ma[i] || b.has(i) != mb[i] {
					t.Fatalf("n=%d: position %d is wrong", n, i)
				}
				if ma[i] && mb[i] {
					common = i
				}
			}
			if got := lastCommon(a, b); got != common {
				t.Fatalf("n=%d: lastCommon = %d, want %d", n, got, common)
			}
			if got := lastIn(a, flat); got != common {
				t.Fatalf("n=%d: lastIn = %d, want %d", n, got, common)
			}
			var all []int
			u.each(func(i int) { all = append(all, i) })
			if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
				t.Fatalf("each is not ascending: %v", all)
			}
			if len(all) != func() int {
				c := 0
				for i := range n {
					if u.has(i) {
						c++
					}
				}
				return c
			}() {
				t.Fatal("each misses positions")
			}
		}
	}
}

func TestSetsShareWhatTheyHaveInCommon(t *testing.T) {
	big := set{}
	for i := range 9000 {
		big = big.with(i)
	}
	small := setOf([]int32{1, 600, 8999})
	if u := union(big, small); &u.branches[0] != &big.branches[0] {
		t.Error("the union with a subset is a copy")
	}
	if u := union(small, big); &u.branches[0] != &big.branches[0] {
		t.Error("the union of a subset is a copy")
	}
	more := big.with(9000)
	if more.branches[0] != big.branches[0] {
		t.Error("a branch that did not change was copied")
	}
}
