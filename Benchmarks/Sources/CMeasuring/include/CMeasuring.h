// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_BENCHMARKS_MEASURING_H
#define RACE_FREE_FUTURE_BENCHMARKS_MEASURING_H

#include <stddef.h>
#include <stdint.h>

/// How many bytes of memory the allocator has handed out, its own headers and padding included.
size_t allocated_bytes(void);

/// How long the calling thread has been running on a processor, in nanoseconds.
int64_t thread_time(void);

#endif
