// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CRaceFreeFuture.h"

__thread long rff_heldQueueCount;
__thread void *rff_trampoline;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
void __tsan_acquire(void *address);
void __tsan_release(void *address);

void rff_acquire(const void *address) { __tsan_acquire((void *)address); }
void rff_release(const void *address) { __tsan_release((void *)address); }
#define HAS_THREAD_SANITIZER
#endif
#endif

#ifndef HAS_THREAD_SANITIZER
void rff_acquire(const void *address) {}
void rff_release(const void *address) {}
#endif
