// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CMeasuring.h"

#include <stdlib.h>
#include <time.h>

#ifdef __APPLE__
#include <malloc/malloc.h>

size_t allocated_bytes(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#else
#include <malloc.h>

size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  // What came from the heaps, and what was too large for them.
  return info.uordblks + info.hblkhd;
}
#endif

void settle_allocator(void) {
  // Each looks through what was freed, and puts it in order.
  for (int count = 0; count < 64; count++) {
    void *volatile block = malloc(100000);
    free(block);
  }
}

int64_t thread_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
