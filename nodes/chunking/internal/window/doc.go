// Package window is the cutter that the packing chunkers share.
//
// A chunk begins where the one before it stopped. [Run] asks a [Measure] how far
// the chunk may reach at most, moves that limit back so that no grapheme cluster
// is cut, and asks [Breaks] for the best place to stop in the window: the most
// important break, and of several equal ones the last. So the biggest units that
// fit are kept and as many neighbours as fit are joined, while the text is read
// window by window, in time linear in its length and without a list of units.
//
// White space belongs to the chunk before a break. Where it does not fit there it
// goes to the front of the next chunk; a run that fits neither is left out whole,
// so that no chunk is blank. Nothing else is ever left out.
package window
