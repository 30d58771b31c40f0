// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

import Testing

/// The suites of this package, one after the other: some set what belongs to the whole program.
@Suite(.serialized) enum IntegrationTests {}
