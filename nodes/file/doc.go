// Package file holds the nodes that read and write files: read_file,
// write_file and list_files.
//
// A path that the flow's author wrote in full may point anywhere. One that
// context data helped to make must lie, symbolic links followed, inside the
// working directory, the directory of the flow or a directory that the operator
// allowed, and is opened through an os.Root of that directory, so that nothing
// that changes in between can lead outside.
package file

import "github.com/ironflow/ironflow/nodes"

// Register adds the nodes of this package.
func Register(reg *nodes.Registry) error {
	return reg.RegisterBuiltin(readFile(), writeFile(), listFiles())
}
