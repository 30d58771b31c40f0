// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// This module is what users import. It has no code: so nothing but the explorer depends on the explorer.
@_exported public import RaceFreeFutureExploring
@_exported public import RaceFreeFutureTestingTools
