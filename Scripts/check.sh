#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all checks, three at a time, and says how long each took, and what was skipped and why.
#
# What a check prints comes in one piece, and after a failure no other begins (with GNU Make 4). In CI, and if MAY_SKIP is
# set, only a check whose name is in MAY_SKIP may print "skipped: <check>: <why>".
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$SECONDS
sync=()
if make --version | grep -q 'GNU Make [4-9]'; then sync=(--output-sync=target); fi
if ! make --no-print-directory -j3 ${sync[@]+"${sync[@]}"} checks 2>&1 | tee "$log"; then
  # Once more at the end, because logs are cut at their beginning.
  echo "=== something failed:" >&2
  grep -E -A 3 '✘|error:|WARNING: .*Sanitizer|Fatal error|^make.*Error' "$log" | tail -n 60 >&2 || true
  exit 1
fi

echo
echo "=== all passed, in $((SECONDS - start)) s"
grep -E '^=== .* passed after|^skipped: ' "$log"
while IFS=: read -r _ check _; do
  if [[ -n ${CI:-}${MAY_SKIP+x} && " ${MAY_SKIP:-} " != *" ${check# } "* ]]; then
    echo "=== only this may be skipped: ${MAY_SKIP:-nothing}" >&2
    exit 1
  fi
done < <(grep '^skipped: ' "$log")
