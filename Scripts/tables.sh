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

failed=0
for table in "${tables[@]}"; do
  if [[ -z ${UPDATE:-} ]]; then
    echo "--- $table"
    timeout --foreground --kill-after=30 5m "$programs/$table" --short || failed=1
  else
    text=$(timeout --foreground --kill-after=30 60m "$programs/$table" --markdown) || failed=1
    Scripts/shared/put.sh Documentation/Tables.md "$table" <<< "$text"
  fi
done
exit $failed
