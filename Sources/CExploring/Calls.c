// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Calls of the C library and of Dispatch in explored code that the explorer doesn't drive, and notices: what starts code
// elsewhere, waits for it, or locks. A definition in the program comes before those of the libraries. All arguments are
// words, and are passed on; a function that has fewer ignores the rest.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "Interruptions.h"

#include <stddef.h>

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) &&                       \
  !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <dlfcn.h>
#include <string.h>

typedef uintptr_t Call(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

/// Returns the next definition; found by the first thread that needs it.
static Call *find(Call **known, const char *name) {
  Call *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found) return found;
  // Conditions of glibc have an older definition as well.
  if (!strncmp(name, "pthread_cond_", 13)) found = (Call *)dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = (Call *)dlsym(RTLD_NEXT, name);
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

typedef struct {
  Call *next;
  const char *words;
  uintptr_t caller;
  uintptr_t arguments[4];
} Noticed;

static bool isNoticed(const Noticed *call) { return rff_isInterruptible() && !rff_isOfRuntime(call->caller); }

static uintptr_t pass(const Noticed *call) {
  return call->next(call->arguments[0], call->arguments[1], call->arguments[2], call->arguments[3]);
}

static uintptr_t starts(const Noticed *call) {
  if (isNoticed(call)) rff_interruptAt(rff_starts, (uintptr_t)call->words, 0);
  return pass(call);
}

static uintptr_t waits(const Noticed *call) {
  if (!isNoticed(call)) return pass(call);
  rff_interruptAt(rff_waits, (uintptr_t)call->words, 0);
  uintptr_t result = pass(call);
  rff_interruptAt(rff_hasWaited, 0, 0);
  return result;
}

/// A queue: what it runs is explored code.
static uintptr_t enters(const Noticed *call) {
  if (isNoticed(call)) rff_interruptAt(rff_took, call->arguments[0], (uintptr_t)call->words);
  return waits(call);
}

static uintptr_t takes(const Noticed *call) {
  uintptr_t result = waits(call);
  if (!(int32_t)result && isNoticed(call)) rff_interruptAt(rff_took, call->arguments[0], (uintptr_t)call->words);
  return result;
}

/// A lock that libraries have for their own purposes as well.
static uintptr_t locks(const Noticed *call) {
  uintptr_t result = waits(call);
  if (!(int32_t)result) rff_tookLock((void *)call->arguments[0], call->words, call->caller);
  return result;
}

#define DEFINITION(symbol, way, words)                                                                                \
  __attribute__((weak, used)) uintptr_t rff_##symbol(uintptr_t, uintptr_t, uintptr_t, uintptr_t) __asm__(#symbol);    \
  uintptr_t rff_##symbol(uintptr_t first, uintptr_t second, uintptr_t third, uintptr_t fourth) {                      \
    static Call *next;                                                                                                \
    Noticed call = {                                                                                                  \
      find(&next, #symbol), words, (uintptr_t)__builtin_return_address(0), {first, second, third, fourth}};           \
    return way(&call);                                                                                                \
  }

DEFINITION(pthread_create, starts, "starts a thread")
DEFINITION(dispatch_async, starts, "queues work in Dispatch")
DEFINITION(dispatch_async_f, starts, "queues work in Dispatch")
DEFINITION(dispatch_barrier_async, starts, "queues work in Dispatch")
DEFINITION(dispatch_barrier_async_f, starts, "queues work in Dispatch")
DEFINITION(dispatch_after, starts, "queues work in Dispatch for later")
DEFINITION(dispatch_after_f, starts, "queues work in Dispatch for later")
DEFINITION(dispatch_group_async, starts, "queues work of a group in Dispatch")
DEFINITION(dispatch_group_async_f, starts, "queues work of a group in Dispatch")
DEFINITION(dispatch_group_notify, starts, "queues work behind a group in Dispatch")
DEFINITION(dispatch_group_notify_f, starts, "queues work behind a group in Dispatch")
DEFINITION(dispatch_source_create, starts, "makes a source of Dispatch")
DEFINITION(dispatch_apply, starts, "runs work on several threads of Dispatch")
DEFINITION(dispatch_apply_f, starts, "runs work on several threads of Dispatch")
DEFINITION(dispatch_group_wait, waits, "a group of Dispatch")
DEFINITION(dispatch_block_wait, waits, "a block of Dispatch")
DEFINITION(pthread_cond_wait, waits, "a condition of the system")
DEFINITION(pthread_cond_timedwait, waits, "a condition of the system")
DEFINITION(pthread_join, waits, "a thread")
DEFINITION(dispatch_sync, enters, "a queue of Dispatch")
DEFINITION(dispatch_sync_f, enters, "a queue of Dispatch")
DEFINITION(dispatch_barrier_sync, enters, "a queue of Dispatch")
DEFINITION(dispatch_barrier_sync_f, enters, "a queue of Dispatch")
DEFINITION(dispatch_async_and_wait, enters, "a queue of Dispatch")
DEFINITION(dispatch_semaphore_wait, takes, "a semaphore of Dispatch")
DEFINITION(pthread_mutex_timedlock, locks, "a mutex of the system")
DEFINITION(pthread_rwlock_rdlock, locks, "a read-write lock of the system")
DEFINITION(pthread_rwlock_wrlock, locks, "a read-write lock of the system")
DEFINITION(pthread_rwlock_tryrdlock, locks, "a read-write lock of the system")
DEFINITION(pthread_rwlock_trywrlock, locks, "a read-write lock of the system")

#endif
