// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What is linked with it has the environment that the tests need, unless the caller has set another.

#pragma once

#include <stdbool.h>

/// Whether the library is compiled with a sanitizer, which keeps freed memory back.
bool isSanitized(void);
