#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the code takes every step of the specification's large graphs, which specification.sh has made.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/strict.sh

graphs=$PWD/.build-specification
if ! compgen -G "$graphs/*.graph" > /dev/null; then
  echo "skipped: graphs: there are none; run Scripts/specification.sh, which needs Java"
  exit 0
fi
compile_tests
RACEFREEFUTURE_GRAPHS=$graphs Scripts/shared/run-tests.sh 20 --skip-build --filter SpecificationTests "${copied[@]}"
echo "the code takes every step"
