#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Renews the figures of Benchmarks/README.md and its plots: about five minutes, on a machine that does nothing else.
#
# figures.sh [--quick]: in short form, to see whether it works. Instructions are those of Benchmarks/baseline.txt,
# which make bench-check UPDATE=1 renews.
set -euo pipefail
cd "$(dirname "$0")/.."
. Scripts/shared/clients.sh

swift build "${release[@]}" --package-path Benchmarks
program=$(swift build "${release[@]}" --package-path Benchmarks --show-bin-path)/benchmarks
cores=$(getconf _NPROCESSORS_ONLN)
if [[ -r /proc/cpuinfo ]]; then
  processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | sed -n 1p)
else
  processor=$(sysctl -n machdep.cpu.brand_string 2> /dev/null || true)
fi
version=$(swift --version 2> /dev/null | grep -o 'Swift version [0-9.]*')
load=$(uptime | sed 's/.*load average[s]*: //; s/[, ].*//')
machine="$cores cores of ${processor:-an unnamed processor} ($(uname -m)), $(uname -s), $version"
machine="$machine, load average $load at the start"
echo "on $machine"

"$program" --markdown Benchmarks/README.md --machine "$machine" "$@"
"$program" --plot Benchmarks/Images "$@"
