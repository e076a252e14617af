package local

import (
	"testing"
)

func testEncoder(t testing.TB) *encoder {
	t.Helper()
	table, err := newTable(weights)
	if err != nil {
		t.Fatal(err)
	}
	return &encoder{table: table}
}
