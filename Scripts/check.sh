#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs checks one after the other and stops at the first that fails: check.sh <check> ..., each the name of a script
# here.
set -euo pipefail
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
start=$SECONDS
summary=()
for check in "$@"; do
  began=$SECONDS
  echo
  echo "=== $check ($(date '+%H:%M:%S'))"
  if ! "Scripts/$check.sh" 2>&1 | tee "$log"; then
    # Once more at the end, because logs are cut at their beginning.
    echo
    echo "=== what failed"
    grep -E -A 3 '✘|error:|WARNING: .*Sanitizer|Fatal error' "$log" | tail -n 60 || true
    echo
    echo "=== $check FAILED after $((SECONDS - began)) s. It runs alone by: Scripts/$check.sh" >&2
    exit 1
  fi
  summary+=("$(printf '%-12s %5d s' "$check" $((SECONDS - began)))")
done
echo
echo "=== all passed"
printf '%s\n' "${summary[@]}"
printf '%-12s %5d s\n' total $((SECONDS - start))
