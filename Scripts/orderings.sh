#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Writes .build-reports/orderings.md: what fails with an ordering that is weaker than the library's, in how many orders.
#
# Fails, and writes nothing, if a test of it does.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build-reports
RACEFREEFUTURE_ORDERINGS=$PWD/.build-reports/orderings.md swift test --filter OrderingTests
cat .build-reports/orderings.md
