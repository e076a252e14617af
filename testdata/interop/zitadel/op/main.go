// Command op is the example authorization server of github.com/zitadel/oidc on
// the loopback interface: op PORT. The original listens on every interface.
//
// The client sid1 with the secret verysecret gets tokens by client credentials
// and may ask what became of them.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

// store lets the machine client use the introspection endpoint, which the
// example keeps for those that sign users in.
type store struct{ *storage.Storage }

func (s store) AuthorizeClientIDSecret(ctx context.Context, id, secret string) error {
	if id == "sid1" {
		_, err := s.ClientCredentials(ctx, id, secret)
		return err
	}
	return s.Storage.AuthorizeClientIDSecret(ctx, id, secret)
}

// SetIntrospectionFromToken accepts a token that no person stands behind; the
// example finds such a token and then misses the person.
func (s store) SetIntrospectionFromToken(ctx context.Context, answer *oidc.IntrospectionResponse, tokenID, subject, clientID string) error {
	err := s.Storage.SetIntrospectionFromToken(ctx, answer, tokenID, subject, clientID)
	if err != nil && err.Error() == "user not found" && clientID == subject {
		return nil
	}
	return err
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: op PORT")
		os.Exit(2)
	}
	addr := "127.0.0.1:" + os.Args[1]
	issuer := "http://" + addr + "/"
	router := exampleop.SetupServer(issuer, store{storage.NewStorage(storage.NewUserStore(issuer))},
		slog.New(slog.NewTextHandler(os.Stderr, nil)), false)
	server := &http.Server{Addr: addr, Handler: router, ReadHeaderTimeout: 10 * time.Second}
	if err := server.ListenAndServe(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
