// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_TESTING_RUNTIME_H
#define RACE_FREE_FUTURE_TESTING_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

/// The time that a thread reads in place of the real one.
///
/// Used by one thread at a time, which has it from the one before.
typedef struct {
  /// Nanoseconds since the beginning.
  int64_t now;
  /// The number of readings since the running step began: code that only reads the time would wait forever.
  int64_t readings;
  /// What the clocks of the system showed at the beginning, by their numbers.
  int64_t start[12];
} rff_VirtualTime;

/// Notes what the clocks of the system show, as the beginning of a time.
void rff_startVirtualTime(rff_VirtualTime *time);

/// Advances the time of code that waits by only looking at it, the farther the more often it has done so.
///
/// From 1 ms, twice as far each eighth time: every such wait has an end.
void rff_passVirtualTime(rff_VirtualTime *time, int64_t count);

/// Makes the calling thread read this time from now on, and the real one again for NULL; returns what it read before.
///
/// Has an effect on Linux only, and only where the program has no `clock_gettime` of its own.
rff_VirtualTime *rff_useVirtualTime(rff_VirtualTime *time);

/// Called at a point of interruption: with its number, and the first two arguments of the function.
///
/// 0: a continuation is made. 1: a task moves to an executor: where it continues there, and its identity, which is 0 for
/// the generic one. 2: a cancellation handler is about to be registered. 3, 4: as 0, for a checked continuation. 5, 6, 7: a task is about
/// to be cancelled, or all tasks of a group.
typedef void rff_Interruption(int32_t number, uintptr_t first, uintptr_t second);

/// Sets the function that is called on interruptible threads; before the first of them is.
///
/// Returns false where the program can't be interrupted: on systems other than Linux, and with a runtime that is a part
/// of the program.
bool rff_setInterruption(rff_Interruption *interruption);

/// Makes the calling thread interruptible, or not.
void rff_makeInterruptible(bool value);

/// Returns the check sum of numbers that follow those with another sum: of a whole program, in a debug build, too.
static inline intptr_t rff_checkSum(intptr_t sum, const intptr_t *numbers, intptr_t count) {
  uintptr_t new = (uintptr_t)sum;
  for (intptr_t index = 0; index < count; index++) new = new * 31 ^ (uintptr_t)numbers[index];
  return (intptr_t)new;
}

#endif
