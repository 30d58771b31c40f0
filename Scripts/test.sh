#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs all tests, as `make build` has compiled them, and says only what failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

compile_tests
Scripts/shared/run-tests.sh 40 --skip-build "${copied[@]}"
# Those in the other test library.
swift test --skip-build --quiet --disable-swift-testing "${copied[@]}"
