// Package group gathers propositions by theme: it reads what a model answered,
// finds the place of those it forgot, and makes themes and labels without a model.
//
// A model gives ids and labels and nothing else. Ids that were never given are
// dropped, an id counts where it stands first, and a proposition that no group
// names goes to the group it is most like, so each ends in exactly one.
package group
