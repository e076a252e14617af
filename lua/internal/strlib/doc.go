// Package strlib holds the string functions of the Lua sandbox: find, match,
// gmatch, gsub, rep, format, upper, lower, reverse, table.concat and the utf8
// table.
//
// They give the results of reference Lua 5.1 and add what a host needs that
// runs other people's scripts: results are built in linear time, the pattern
// matcher looks at the context of the VM while it works and bounds its own
// recursion, and no call builds a string over [Lib.MaxBytes].
//
// Known differences from the C implementation, all of them on purpose:
//   - a zero byte in a pattern or a %s argument is an ordinary character (C
//     cuts the text there),
//   - %s calls __tostring for values that are neither strings nor numbers,
//   - numbers become text as the VM's own ".." operator writes them (all digits
//     of an integer, otherwise the shortest text that reads back), where C
//     rounds to 14 digits,
//   - upper and lower know all of Unicode when the text is valid UTF-8 and only
//     ASCII when it is not.
package strlib
