// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_BENCHMARKS_MEASURING_H
#define RACE_FREE_FUTURE_BENCHMARKS_MEASURING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How many bytes of memory the allocator has handed out, its own headers and padding included.
size_t allocated_bytes(void);

/// How long the calling thread has been running on a processor, in nanoseconds.
int64_t thread_time(void);

/// Lets the allocator do what it has put off until it is asked for a large block.
void settle_allocator(void);

/// Keeps the jobs that the calling thread gives to the global executor, for `run_tasks`.
///
/// While it does, tasks run there that are like any other; a task that prefers an executor, or an actor that has one,
/// takes other ways through the runtime.
void keep_tasks(bool keep);

/// Runs the jobs that were kept, and those that come up meanwhile.
void run_tasks(void);

/// Says to a profiler that what follows is to be counted, without what came before.
void begin_counting(void);

/// Says to a profiler that the count ends here.
void end_counting(void);

/// Forgets which lines have run, in a program that is compiled for coverage.
///
/// In one that isn't, stops the program.
void begin_coverage(void);

/// Writes which lines have run to the file that `LLVM_PROFILE_FILE` names, and ends the program.
void write_coverage(void);

#endif
