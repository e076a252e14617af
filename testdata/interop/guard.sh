#!/usr/bin/env bash
# guard.sh PROGRAM ARGS...: runs a server until its input closes, which happens
# too when the test that holds the other end dies.
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{
  cat <&3 >/dev/null
  kill -9 "$server" 2>/dev/null
} &
exec 3<&-
wait "$server"
