package parse

import "strings"

// Group is one theme of an answer.
type Group struct {
	// Label is what the model called it; it may be blank.
	Label string
	// IDs are its members as the model wrote them.
	IDs []string
}

// Grouping is what there is in an answer about groups.
type Grouping struct {
	Groups []Group
	State  State
}

// Groups reads an answer that is to group ids; cut says that the server called it
// cut.
//
// Read are {"groups":[{"label":..., "ids":[...]}]} and its variants: the list
// without the object, lists of ids without a label, and an object whose names
// are the labels. A group that was cut keeps the ids that are complete: an id
// that is missing is noticed later.
func Groups(answer string, cut bool) Grouping {
	body, open := withoutThoughts(answer)
	if open {
		return Grouping{State: Cut}
	}
	out := Grouping{State: Malformed}
	if cut {
		out.State = Cut
	}
	broken, lists := false, 0
	for _, f := range search(body) {
		groups, ok := groupsOf(f.value, 0)
		if !ok {
			broken = broken || !f.value.whole
			continue
		}
		state := stateOf(f, body, cut)
		if lists > 0 && broken {
			out.Groups = append(out.Groups, groups...)
			if out.State != Malformed {
				out.State = state
			}
		} else {
			out = Grouping{Groups: groups, State: state}
		}
		lists++
		broken = !f.value.whole
	}
	return out
}

// groupsOf finds the groups in a value.
func groupsOf(v node, depth int) ([]Group, bool) {
	var out []Group
	switch v.kind {
	case array:
		for _, e := range v.elems {
			if g, ok := groupOf(e); ok {
				out = append(out, g)
			}
		}
	case object:
		if g, ok := groupOf(v); ok {
			return []Group{g}, true
		}
		for i, e := range v.elems {
			if e.kind != array {
				continue
			}
			if inner, ok := groupsOf(e, depth+1); ok {
				out = append(out, inner...)
			} else if ids := appendLabels(nil, e); len(ids) > 0 {
				out = append(out, Group{Label: strings.ToValidUTF8(v.keys[i], "\ufffd"), IDs: ids})
			}
		}
	}
	if len(out) == 0 && depth < 4 {
		for _, e := range v.elems {
			if e.kind == object || e.kind == array {
				if inner, ok := groupsOf(e, depth+1); ok {
					return inner, true
				}
			}
		}
	}
	return out, len(out) > 0
}

// groupOf reads one group: an object with ids, or a list of nothing but ids.
func groupOf(v node) (Group, bool) {
	if v.kind == array {
		ids := appendLabels(nil, v)
		return Group{IDs: ids}, len(ids) > 0 && len(ids) == len(v.elems)
	}
	if v.kind != object {
		return Group{}, false
	}
	var g Group
	named := false
	for i, e := range v.elems {
		switch strings.ToLower(v.keys[i]) {
		case "ids", "propositions", "members", "items", "statements", "sentences", "themes":
			if ids := appendLabels(nil, e); len(ids) > 0 {
				g.IDs = append(g.IDs, ids...)
				named = true
			}
		case "label", "theme", "name", "title", "topic", "category":
			if e.kind == text && e.whole && g.Label == "" {
				g.Label = strings.ToValidUTF8(e.text, "\ufffd")
			}
		}
	}
	return g, named
}
