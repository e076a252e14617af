package quality

import (
	"slices"
	"testing"
)

const wiki = "../../../testdata/corpora/wiki300"

// TestDetectorsOnWikipedia prints the measures for natural texts. By Pk nothing
// beats "no boundary" there unless the number of segments is known; what the
// detectors find shows in boundary similarity, against as many cuts by chance.
func TestDetectorsOnWikipedia(t *testing.T) {
	documents := readFolder(t, wiki)
	if len(documents) != 300 {
		t.Fatalf("%d documents, want 300", len(documents))
	}
	short := slices.DeleteFunc(slices.Clone(documents), func(d Document) bool { return d.Truth.Units > 130 })
	if len(short) < 100 {
		t.Fatalf("only %d short documents", len(short))
	}
	s := measure(t, "wiki300, every fifth of up to 130 sentences", everyFifth(short))
	for _, detector := range []string{"depth", "topic"} {
		if got, chance := s[detector].Similarity.Value, s["random"].Similarity.Value; got < 2*chance {
			t.Errorf("%s: B %.3f; random cuts have %.3f", detector, got, chance)
		}
	}
}

// TestDetectorsOnTwoTopics cuts a text of two clear topics.
func TestDetectorsOnTwoTopics(t *testing.T) {
	s := measure(t, "two topics", []Document{twoTopics()})
	if s["topic"].Pk.Value != 0 || s["none"].Pk.Value == 0 {
		t.Errorf("two clear topics: %+v", s["topic"])
	}
}

func everyFifth(documents []Document) []Document {
	var out []Document
	for i := 0; i < len(documents); i += 5 {
		out = append(out, documents[i])
	}
	return out
}

// twoTopics is a text about bread and then about a telescope.
func twoTopics() Document {
	return Document{
		ID: "two topics",
		Sentences: []string{
			"Knead the dough of the bread until the flour has taken up the water.",
			"Bread dough rises while yeast eats the sugar in the flour.",
			"A baker shapes the dough, and the oven turns dough into bread.",
			"Salt slows the yeast, so a dough of flour and salt rises late.",
			"In the oven the bread gets its crust, and the dough stops rising.",
			"The telescope collects the light of stars with a large mirror.",
			"A mirror of a telescope is ground until the light of a star meets in one point.",
			"Astronomers turn the telescope to the galaxy and count its stars.",
			"The light of the galaxy left its stars before astronomers built a mirror.",
			"Stars near the centre of the galaxy look bright in the telescope.",
		},
		Truth: FromLengths(5, 5),
	}
}
