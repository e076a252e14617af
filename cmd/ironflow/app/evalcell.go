package app

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// evalCell is one cell. Its parts have the ends of the names of the columns that
// a CSV file gives them, "" for the value itself.
type evalCell struct {
	text  string // for readers
	name  string // a cell of words
	parts []evalPart
}

type evalPart struct {
	suffix string
	json   string // name of the member when a cell has several parts
	value  float64
}

// nameCell holds words.
func nameCell(words string) evalCell { return evalCell{text: escapeLine(words), name: words} }

// noCell is empty: there is nothing to measure.
func noCell() evalCell { return evalCell{text: "-"} }

// countCell holds a whole number.
func countCell(n int) evalCell {
	return evalCell{text: strconv.Itoa(n), parts: []evalPart{{value: float64(n)}}}
}

// numberCell holds a number without an error, for readers with this many digits
// behind the point.
func numberCell(x float64, digits int) evalCell {
	return evalCell{text: decimal(x, digits), parts: []evalPart{{value: x}}}
}

// meanCell holds a mean with its standard error.
func meanCell(m quality.Mean, digits int) evalCell {
	return evalCell{
		text: decimal(m.Value, digits) + " ± " + decimal(m.StandardError, digits),
		parts: []evalPart{
			{json: "mean", value: m.Value},
			{suffix: "_se", json: "standard_error", value: m.StandardError},
		},
	}
}

// intervalCell holds a difference with its 95 % interval.
func intervalCell(i quality.Interval, digits int) evalCell {
	return evalCell{
		text: fmt.Sprintf("%s [%s, %s]", signed(i.Mean, digits), signed(i.Low, digits), signed(i.High, digits)),
		parts: []evalPart{
			{json: "mean", value: i.Mean},
			{suffix: "_low", json: "low", value: i.Low},
			{suffix: "_high", json: "high", value: i.High},
		},
	}
}

// decimal writes a number without a sign on zero.
func decimal(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'f', digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

func signed(x float64, digits int) string {
	s := decimal(x, digits)
	if !strings.HasPrefix(s, "-") && strings.Trim(s, "0.") != "" {
		s = "+" + s
	}
	return s
}
