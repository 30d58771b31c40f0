#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the library and its tests compile without a warning; for release benchmarks.sh and tables.sh do.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

swift build --build-tests "${strict[@]}"
