package providers

import (
	"context"
	"time"
)

// Clock tells the time and waits. Tests inject one that does not sleep.
type Clock interface {
	Now() time.Time
	// Sleep returns nil after d, or the context's error as soon as it is done.
	Sleep(ctx context.Context, d time.Duration) error
}

// SystemClock is the clock of the machine.
func SystemClock() Clock { return systemClock{} }

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
