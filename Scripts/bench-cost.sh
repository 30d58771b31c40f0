#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Shows what the instructions of a counted row are spent on, by function: bench-cost.sh <row> [--peer]
#
# The names of the rows are in Benchmarks/baseline.txt. Needs valgrind, whose callgrind_annotate makes the list.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/counting.sh

prepare_counting > /dev/null
echo "of $((2 * $(profile "$@"))) pieces:"
callgrind_annotate "$folder/profile.3" | swift demangle --simplified
