// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// An open implementation of Apple's module, by that module's name.
@_exported public import OpenCombine
