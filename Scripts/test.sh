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
exec Scripts/limit.sh 10 "${command[@]}"
