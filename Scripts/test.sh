#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests, with the command that the README names.
set -euo pipefail
cd "$(dirname "$0")/.."

command=(swift test)
grep -qxF "${command[*]}" README.md || {
  echo "the README doesn't name the test command: ${command[*]}" >&2
  exit 1
}
# A thousand tests at the same time on few cores: each waits long for its turn.
export RACEFREEFUTURE_PATIENCE=${RACEFREEFUTURE_PATIENCE:-5}
exec Scripts/limit.sh 10 "${command[@]}"
