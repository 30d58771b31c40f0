# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# How build.sh and test.sh, which source this file, compile: for debugging, in a folder that they share, so that all is
# compiled once. No warnings, and every public type of the library has to say whether it is Sendable.
# shellcheck disable=SC2034
strict=(--scratch-path .build-strict -Xswiftc -require-explicit-sendable -Xswiftc -warnings-as-errors)
