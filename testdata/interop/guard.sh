#!/usr/bin/env bash
# guard.sh PROGRAM ARGS...: runs a server until its input closes, which happens
# too when the test that holds the other end dies. Then the whole process group
# ends, the children of the server with it: start this as the leader of one.
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{
  cat <&3 >/dev/null
  kill -9 0
} &
exec 3<&-
wait "$server"
