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

/// Called at a point of interruption: with its number, and up to two arguments.
///
/// 0: a continuation is made. 1: a task moves to an executor: where it continues there, and its identity, which is 0 for
/// the generic one. 2, 5: a cancellation handler is about to be registered. 3, 4: as 0, for a checked continuation.
typedef void rff_Interruption(int32_t number, uintptr_t first, uintptr_t second);

/// A mutex is held by another thread, and the calling one is about to wait for it: the address of the word that has the
/// number of the thread which holds it, or 0.
enum { rff_mutexIsHeld = 6 };

/// A task is about to be cancelled, or all tasks of a group; and has been.
enum { rff_beforeCancellation = 7, rff_afterCancellation = 8 };

/// A mutex of the C library was taken: its address.
enum { rff_tookMutex = 9 };

/// The running code has taken a lock of the user's, whichever: its address, and what it is, in words.
enum { rff_took = 10 };

/// The running code starts something that runs elsewhere, is about to wait for somebody, and has waited: what that is, in
/// words.
enum { rff_starts = 11, rff_waits = 12, rff_hasWaited = 13 };

/// An inlined mutex of the program is about to be taken, or given back: the index of the function that asks for the number of
/// the thread, and where it was called.
enum { rff_asksInlined = 14 };

/// A task is about to begin on the stack of the one that makes it; and has come to its first suspension, or its end.
enum { rff_beforeImmediate = 15, rff_afterImmediate = 16 };

/// Sets the function that is called on interruptible threads; before the first of them is.
///
/// Returns false where the program can't be interrupted: on systems other than Linux, and with a runtime that is a part
/// of the program.
bool rff_setInterruption(rff_Interruption *interruption);

/// Makes the calling thread interruptible, or not.
void rff_makeInterruptible(bool value);

/// Makes all that the calling thread does the explorer's own, which is interrupted and noticed nowhere, or ends that; returns
/// whether it was.
bool rff_setBusy(bool value);

/// Makes the calling thread one that tries which functions are called, or ends that; returns those that were, one bit each.
///
/// First those of `rff_Interruption`, by their numbers up to 6; then `Task.cancel()`, `cancelAll()` of the two kinds of
/// groups, and what these call, for tasks and for groups; then `Task.immediate`.
uint32_t rff_probe(bool begins);

/// The number of the calling thread, as words of mutexes have it; 0 on other systems than Linux.
int32_t rff_threadNumber(void);

/// Returns the number of the thread that holds a mutex, from the word at this address: 0 if none does.
static inline int32_t rff_holder(uintptr_t word) {
  return __atomic_load_n((const int32_t *)word, __ATOMIC_RELAXED) & 0x3fffffff;
}

/// Copies the addresses of the mutexes of the C library that the calling thread holds, as far as it has taken them while it
/// was interruptible; returns their number, at most `most`.
int32_t rff_heldMutexes(uintptr_t *result, int32_t most);

/// A function that asks for the number of the calling thread for inlined mutexes, and where it keeps the answer.
typedef struct {
  /// Its code, as its file has it; 0 where it is inlined as well.
  uintptr_t begin, end;
  /// An offset in the part of the program's memory that each thread has for itself.
  intptr_t offset;
} rff_Number;

/// Sets these functions. Called once, before a thread is interruptible.
void rff_setNumbers(const rff_Number *numbers, int32_t count);

/// Returns the first of these, from one on, that keeps an answer on the calling thread, and makes it forget that; -1 if none
/// does.
int32_t rff_takeNumber(int32_t first);

/// Copies the return addresses of the calling thread, the innermost first; returns their number, at most `most`: 0 where they
/// aren't known.
int32_t rff_callers(uintptr_t *result, int32_t most);

/// Returns the check sum of numbers that follow those with another sum: of a whole program, in a debug build, too.
static inline intptr_t rff_checkSum(intptr_t sum, const intptr_t *numbers, intptr_t count) {
  uintptr_t new = (uintptr_t)sum;
  for (intptr_t index = 0; index < count; index++) new = new * 31 ^ (uintptr_t)numbers[index];
  return (intptr_t)new;
}

#endif
