#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs a command, and stops it if it takes longer than so many minutes: limit.sh <minutes> <command> [<argument> ...]
#
# A hanging test doesn't end by itself, and a killed `swift test` leaves its test process behind. An interrupt, as
# Ctrl-C sends it, is handed on to that process. Exit status 124: the time was up.
set -euo pipefail

minutes=$1
shift
timeout=$(command -v timeout || command -v gtimeout || true)
if [[ -z $timeout ]]; then
  exec "$@"
fi
exec "$timeout" --foreground --signal=INT --kill-after=30 "${minutes}m" "$@"
