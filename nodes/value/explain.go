package value

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// shownKeys bounds how many keys an explanation lists.
const shownKeys = 12

// Explain says in one phrase why [Lookup] does not find the path in the view,
// naming the place where it stops and what is there instead. It shows keys,
// never values. The result is "" when the path resolves.
func (p Path) Explain(view View) string {
	if len(p.Selectors) == 0 {
		return "the path is empty"
	}
	v, ok := view.Get(p.Root())
	if !ok && p.Root() == "ctx" && len(p.Selectors) > 1 {
		return "the context has no key \"ctx\"; write the path without ctx."
	}
	if !ok {
		return fmt.Sprintf("the context has no key %q; it has %s", p.Root(), listKeys(view.Keys()))
	}
	for i, s := range p.Selectors[1:] {
		next, ok := sub(v, s)
		if ok {
			v = next
			continue
		}
		here := Path{p.Selectors[:i+1]}.String()
		n, isArray := Len(v)
		m, isObject := v.(map[string]any)
		switch {
		case s.IsIndex && isArray:
			return fmt.Sprintf("%s has %d elements, so there is no index %d (counted from 0)", here, n, s.Index)
		case !s.IsIndex && isObject:
			return fmt.Sprintf("%s has no key %q; it has %s", here, s.Key, listKeys(slices.Sorted(maps.Keys(m))))
		case s.IsIndex:
			return fmt.Sprintf("%s is %s, which has no index %d", here, article(v), s.Index)
		}
		return fmt.Sprintf("%s is %s, which has no key %q", here, article(v), s.Key)
	}
	return ""
}

// listKeys shows sorted keys; private ones are left out.
func listKeys(keys []string) string {
	var shown []string
	more := 0
	for _, k := range keys {
		switch {
		case strings.HasPrefix(k, "_"):
		case len(shown) == shownKeys:
			more++
		default:
			shown = append(shown, fmt.Sprintf("%q", k))
		}
	}
	switch {
	case len(shown) == 0:
		return "no keys"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), more)
	}
	return strings.Join(shown, ", ")
}
