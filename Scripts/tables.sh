#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Measures the explorer by the field's published tables, in a short form (UPDATE=1: in full, and renews Tables.md).
#
# tables.sh [<table> ...]: those only. Fails if a program finds less than its table says. In full it takes an hour.
set -euo pipefail
cd "$(dirname "$0")/.."

tables=(sctbench goker executions swift-races histories calls)
if (($# > 0)); then tables=("$@"); fi
package=Benchmarks/Kernels
. Scripts/shared/clients.sh
build_release --package-path $package
programs=$(swift build "${release[@]}" --package-path $package --show-bin-path)

if [[ -z ${UPDATE:-} ]]; then
  # Two at a time, because some wait a while for what never comes.
  printf '%s\n' "${tables[@]}" | xargs -P 2 -I TABLE bash -c '
    output=$(timeout --kill-after=30 5m "$0/TABLE" --short 2>&1) && status=0 || status=$?
    printf "%s\n" "--- TABLE" "$output"
    exit "$status"
  ' "$programs"
  exit
fi
failed=0
for table in "${tables[@]}"; do
  text=$(timeout --foreground --kill-after=30 60m "$programs/$table" --markdown) || failed=1
  Scripts/shared/put.sh Documentation/Tables.md "$table" <<< "$text"
done
exit $failed
