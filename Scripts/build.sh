#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks that library and tests compile without a warning, for debugging and for release.
#
# Every public type of the library has to say whether it is Sendable.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --build-tests --scratch-path .build-strict -Xswiftc -require-explicit-sendable -Xswiftc -warnings-as-errors
# The tests of the internals need -enable-testing, which a release build doesn't have by itself.
swift build --build-tests -c release --scratch-path .build-strict -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
