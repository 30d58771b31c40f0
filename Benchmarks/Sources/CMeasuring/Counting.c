// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CMeasuring.h"

// Empty, but neither inlined nor dropped: a profiler sees the calls.

__attribute__((noinline)) void begin_counting(void) { __asm__ volatile(""); }

__attribute__((noinline)) void end_counting(void) { __asm__ volatile(""); }
