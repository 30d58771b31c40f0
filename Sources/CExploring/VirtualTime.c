// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// The time of explored code. The clocks of the standard library, Dispatch and Foundation all read `clock_gettime`, and
// a definition in the program comes before that of the C library. It calls nothing but the next definition, so that it
// may be called wherever that one may: in a signal handler, too, and in a forked child.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CExploring.h"

#include <stddef.h>

// It may be called before a sanitizer is ready.
#if __has_attribute(disable_sanitizer_instrumentation)
#define PLAIN __attribute__((disable_sanitizer_instrumentation))
#else
#define PLAIN
#endif

PLAIN void rff_passVirtualTime(rff_VirtualTime *time, int64_t count) {
  // Never so far that a sum with the time of a clock overflows.
  const int64_t most = INT64_MAX / 4;
  int64_t stride = INT64_C(1000000) << (count / 8 < 40 ? count / 8 : 40);
  time->now = stride < most - time->now ? time->now + stride : most;
}

#ifdef __linux__

#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Weak, so that a program may have a definition of its own; then time is real. The sanitizers' definitions are weak as
// well, and come first: there it is strong. They would only note that the result was written.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define DEFINITION
#else
#define DEFINITION __attribute__((weak))
#endif

/// A thread that never used one has NULL. Part of each thread from its beginning, so that nothing is allocated for it.
static __thread rff_VirtualTime *current __attribute__((tls_model("initial-exec")));

typedef int Read(clockid_t clock, struct timespec *result);

/// The next definition; NULL until the program's own code begins, and where there is none.
static Read *next;

// The C library reads the clock without entering the system. Looked up once, before other threads run.
__attribute__((constructor)) static void findNext(void) { next = (Read *)dlsym(RTLD_NEXT, "clock_gettime"); }

PLAIN static int readReal(clockid_t clock, struct timespec *result) {
  return next ? next(clock, result) : (int)syscall(SYS_clock_gettime, clock, result);
}

/// Returns true if a clock shows the time of day, or the time since some beginning: not that of a processor.
PLAIN static int isVirtual(clockid_t clock) {
  const int clocks = 1 << CLOCK_REALTIME | 1 << CLOCK_MONOTONIC | 1 << CLOCK_MONOTONIC_RAW | 1 << CLOCK_REALTIME_COARSE |
    1 << CLOCK_MONOTONIC_COARSE | 1 << CLOCK_BOOTTIME | 1 << CLOCK_REALTIME_ALARM | 1 << CLOCK_BOOTTIME_ALARM |
    1 << CLOCK_TAI;
  return clock >= 0 && clock < 12 && clocks >> clock & 1;
}

/// Returns the time that has passed.
///
/// It stands still while code runs, unless that reads it a thousand times in one step.
PLAIN static int64_t readVirtual(rff_VirtualTime *time) {
  const int64_t patience = 1000;
  if (++time->readings > patience) rff_passVirtualTime(time, time->readings - patience);
  return time->now;
}

PLAIN DEFINITION int clock_gettime(clockid_t clock, struct timespec *result) {
  rff_VirtualTime *time = current;
  if (!time || !isVirtual(clock)) return readReal(clock, result);
  int64_t now = time->start[clock] + readVirtual(time);
  result->tv_sec = now / 1000000000;
  result->tv_nsec = now % 1000000000;
  return 0;
}

// CoreFoundation and older code read these.

PLAIN DEFINITION int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  struct timespec now;
  (void)zone;
  int failure = clock_gettime(CLOCK_REALTIME, &now);
  if (failure == 0) {
    result->tv_sec = now.tv_sec;
    result->tv_usec = now.tv_nsec / 1000;
  }
  return failure;
}

PLAIN DEFINITION time_t time(time_t *result) {
  struct timespec now = {0};
  clock_gettime(current ? CLOCK_REALTIME : CLOCK_REALTIME_COARSE, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

void rff_startVirtualTime(rff_VirtualTime *time) {
  time->now = time->readings = 0;
  for (clockid_t clock = 0; clock < 12; clock++) {
    struct timespec now = {0};
    time->start[clock] =
      isVirtual(clock) && readReal(clock, &now) == 0 ? now.tv_sec * INT64_C(1000000000) + now.tv_nsec : 0;
  }
}

rff_VirtualTime *rff_useVirtualTime(rff_VirtualTime *time) {
  rff_VirtualTime *before = current;
  current = time;
  return before;
}

#else

void rff_startVirtualTime(rff_VirtualTime *time) { *time = (rff_VirtualTime){0}; }

rff_VirtualTime *rff_useVirtualTime(rff_VirtualTime *time) {
  (void)time;
  return NULL;
}

#endif
