#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Shows what the instructions of a counted row are spent on, by function: bench-cost.sh <row> [--peer]
#
# The names of the rows are in Benchmarks/baseline.txt. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/counting.sh

prepare_counting > /dev/null
pieces=$(profile "$@")
python3 Scripts/shared/counting.py "$folder/profile.3" $((2 * pieces)) | swift demangle --simplified
