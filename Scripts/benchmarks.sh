#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that the benchmarks compile and run, in their short form.
#
# For figures run them on an idle machine and without --quick.
set -euo pipefail
cd "$(dirname "$0")/.."

. Scripts/shared/clients.sh
build_release --package-path Benchmarks
benchmarks() {
  timeout --foreground --signal=INT --kill-after=30 20m swift run "${release[@]}" --package-path Benchmarks --skip-build benchmarks --quick "$@"
}
benchmarks
images=$(mktemp -d)
trap 'rm -rf "$images"' EXIT
benchmarks --plot "$images" > /dev/null
