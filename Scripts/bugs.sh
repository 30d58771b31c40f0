#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Makes the table of Documentation/Bugs.md anew: some five minutes, on a machine that does nothing else.
#
# Fails, and changes nothing, if a tool gives a false alarm.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build -c release --package-path Examples --product bug-hunt
program=$(swift build -c release --package-path Examples --show-bin-path)/bug-hunt
version=$(swift --version 2> /dev/null | grep -o 'Swift version [0-9.]*')
load=$(uptime | sed 's/.*load average[s]*: //; s/[, ].*//')
machine="$(getconf _NPROCESSORS_ONLN) cores ($(uname -m)), $(uname -s), $version, load average $load at the start"

table=$(timeout --foreground --signal=INT --kill-after=30 15m "$program")
Scripts/put.sh Documentation/Bugs.md bugs <<< "On $machine."$'\n\n'"$table"
