// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

internal import TestEnvironment

/// True if the library is compiled with a sanitizer, which keeps freed memory back.
public let isSanitized = TestEnvironment.isSanitized()
