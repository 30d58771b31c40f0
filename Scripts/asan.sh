#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Runs the tests under AddressSanitizer, on Linux with its leak check.
#
# XCTest is left out because it leaks by itself. RFF_ASAN tells the tests that freed memory is kept back. The
# back-tracer is off, because in a program that is stopped on purpose (an exit test) it collides with the sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_BACKTRACE=enable=no
export RACEFREEFUTURE_ITERATIONS=${RACEFREEFUTURE_ITERATIONS:-0.2}
exec Scripts/limit.sh 15 swift test --disable-xctest --sanitize=address --scratch-path .build-asan -Xswiftc -DRFF_ASAN
