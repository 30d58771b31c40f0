#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the library and its tests compile without a warning; for release benchmarks.sh and tables.sh do.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

swift build --build-tests "${strict[@]}"
# A copy, for test.sh and others.
copy=$(swift build "${copied[@]}" --show-bin-path)
rm -rf "$copy"
mkdir -p "$copy"
cp -R "$(swift build "${strict[@]}" --show-bin-path)"/*.xctest "$copy"
