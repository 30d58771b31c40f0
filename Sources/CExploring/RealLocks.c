// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Mutexes of the C library in explored code: those of Foundation's locks, of many packages, and the status locks of
// tasks. One thread of an order runs at a time, so one that waits for a mutex which another has would wait forever: it is
// told of instead, and may let that one continue. A definition in the program comes before that of the C library.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CExploring.h"

#include <stddef.h>

#ifdef __linux__

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t rff_threadNumber(void) {
  static __thread int32_t number __attribute__((tls_model("initial-exec")));
  if (!number) number = (int32_t)syscall(SYS_gettid);
  return number;
}

#else

int32_t rff_threadNumber(void) { return 0; }

#endif

// A sanitizer has definitions of its own, which tell it of the order that a mutex establishes.
#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) &&                       \
  !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include "Interruptions.h"

typedef int Operation(pthread_mutex_t *);

/// The next definitions; found by the first thread that needs them.
static Operation *nextLock, *nextTryLock, *nextUnlock;

static Operation *find(Operation **known, const char *name) {
  Operation *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found) return found;
  found = (Operation *)dlsym(RTLD_NEXT, name);
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

/// The mutexes that the thread holds, the latest last; the status locks of tasks aren't among them.
enum { most = 16 };
static __thread uintptr_t held[most] __attribute__((tls_model("initial-exec")));
static __thread int32_t heldCount __attribute__((tls_model("initial-exec")));

/// Where the runtime of Swift lies, whose own locks are no user's: the standard library, and that of concurrency; and
/// where the program does.
enum { libraries = 2, program = 2, images };
static uintptr_t begins[images], ends[images];

static int findLibrary(struct dl_phdr_info *info, size_t size, void *functions) {
  (void)size;
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (info->dlpi_phdr[index].p_type != PT_LOAD) continue;
    uintptr_t first = info->dlpi_addr + info->dlpi_phdr[index].p_vaddr;
    if (first < begin) begin = first;
    if (first + info->dlpi_phdr[index].p_memsz > end) end = first + info->dlpi_phdr[index].p_memsz;
  }
  for (int index = 0; index < images; index++) {
    uintptr_t function = ((const uintptr_t *)functions)[index];
    if (function < begin || function >= end) continue;
    begins[index] = begin;
    ends[index] = end;
  }
  return 0;
}

__attribute__((constructor)) static void findAll(void) {
  find(&nextLock, "pthread_mutex_lock");
  find(&nextTryLock, "pthread_mutex_trylock");
  find(&nextUnlock, "pthread_mutex_unlock");
  uintptr_t functions[images] = {
    (uintptr_t)dlsym(RTLD_NEXT, "swift_getWitnessTable"), (uintptr_t)dlsym(RTLD_NEXT, "swift_task_getCurrent"),
    (uintptr_t)findAll};
  dl_iterate_phdr(findLibrary, functions);
}

bool rff_isOfRuntime(uintptr_t caller) {
  for (int index = 0; index < libraries; index++) {
    if (caller >= begins[index] && caller < ends[index]) return true;
  }
  return false;
}

static bool isOfProgram(uintptr_t caller) { return caller >= begins[program] && caller < ends[program]; }

/// True if the program takes a lock, itself or one of the classes that Foundation has for that: not a library for its own
/// purposes.
///
/// The code of these classes lies together, and is partly shared: it has no names, and partly no tables for unwinding, but
/// frames.
bool rff_isOfUser(uintptr_t caller, const uintptr_t *frame) {
  if (isOfProgram(caller)) return true;
  static uintptr_t known;
  uintptr_t lock = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!lock) lock = (uintptr_t)dlsym(RTLD_DEFAULT, "$s10Foundation6NSLockC4lockyyF");
  __atomic_store_n(&known, lock, __ATOMIC_RELAXED);
  if (!lock || caller - lock + 0x2000 > 0x4000) return false;
  const uintptr_t *outer = (const uintptr_t *)frame[0];
  return outer > frame && outer < frame + 0x2000 && isOfProgram(outer[1]);
}

void rff_tookLock(void *lock, const char *words, uintptr_t caller, const uintptr_t *frame) {
  if (rff_isInterruptible() && !rff_isOfRuntime(caller) && rff_isOfUser(caller, frame)) {
    rff_interruptAt(rff_took, (uintptr_t)lock, (uintptr_t)words);
  }
}

static void took(pthread_mutex_t *mutex, uintptr_t caller, const uintptr_t *frame) {
  if (rff_isOfRuntime(caller)) return;
  if (heldCount < most) held[heldCount++] = (uintptr_t)mutex;
  rff_interruptAt(rff_tookMutex, (uintptr_t)mutex, 0);
  rff_tookLock(mutex, "a mutex of the system", caller, frame);
}

/// Has the explorer drive a mutex of the user's.
static bool drives(
  int32_t call, pthread_mutex_t *mutex, uintptr_t caller, const uintptr_t *frame, uintptr_t *result) {
  if (!rff_isInterruptible() || rff_isOfRuntime(caller)) return false;
  if (call != rff_call_pthread_mutex_unlock && !rff_isOfUser(caller, frame)) return false;
  return rff_drive(call, (uintptr_t[]){(uintptr_t)mutex, 0, 0, 0}, result);
}

static int own_pthread_mutex_lock(pthread_mutex_t *mutex) {
  if (!rff_isInterruptible()) return find(&nextLock, "pthread_mutex_lock")(mutex);
  uintptr_t result;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  const uintptr_t *frame = __builtin_frame_address(0);
  if (drives(rff_call_pthread_mutex_lock, mutex, caller, frame, &result)) return (int)result;
  int32_t holder = rff_holder((uintptr_t)&mutex->__data.__owner);
  if (holder && holder != rff_threadNumber()) rff_interruptAt(rff_mutexIsHeld, (uintptr_t)&mutex->__data.__owner, 0);
  int failure = find(&nextLock, "pthread_mutex_lock")(mutex);
  if (!failure && rff_isInterruptible()) took(mutex, caller, frame);
  return failure;
}

static int own_pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!rff_isInterruptible()) return find(&nextTryLock, "pthread_mutex_trylock")(mutex);
  uintptr_t result;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  const uintptr_t *frame = __builtin_frame_address(0);
  if (drives(rff_call_pthread_mutex_trylock, mutex, caller, frame, &result)) return (int)result;
  int failure = find(&nextTryLock, "pthread_mutex_trylock")(mutex);
  if (!failure && rff_isInterruptible()) took(mutex, caller, frame);
  return failure;
}

static int own_pthread_mutex_unlock(pthread_mutex_t *mutex) {
  // One that the thread took when it was interruptible is forgotten.
  if (!heldCount && !rff_isInterruptible()) return find(&nextUnlock, "pthread_mutex_unlock")(mutex);
  uintptr_t result;
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  const uintptr_t *frame = __builtin_frame_address(0);
  if (drives(rff_call_pthread_mutex_unlock, mutex, caller, frame, &result)) return (int)result;
  for (int32_t index = heldCount; index > 0; index--) {
    if (held[index - 1] != (uintptr_t)mutex) continue;
    for (heldCount--; index <= heldCount; index++) held[index - 1] = held[index];
    break;
  }
  return find(&nextUnlock, "pthread_mutex_unlock")(mutex);
}

// The definitions are weak: where the program has others, those count.
#define DEFINITION(name) int name(pthread_mutex_t *) __attribute__((weak, alias("own_" #name)));
RFF_MUTEX_CALLS(DEFINITION)

bool rff_ownsMutexCalls(void) {
  // The compiler takes it for granted that two functions have two addresses.
#define IS_OTHER(name) ((Operation *volatile){name} != own_##name) |
  return !(RFF_MUTEX_CALLS(IS_OTHER) false);
}

int32_t rff_heldMutexes(uintptr_t *result, int32_t limit) {
  int32_t number = heldCount < limit ? heldCount : limit;
  for (int32_t index = 0; index < number; index++) result[index] = held[index];
  return number;
}

int32_t rff_callers(uintptr_t *result, int32_t limit) { return backtrace((void **)result, limit); }

#else

int32_t rff_heldMutexes(uintptr_t *result, int32_t limit) {
  (void)result;
  (void)limit;
  return 0;
}

int32_t rff_callers(uintptr_t *result, int32_t limit) {
  (void)result;
  (void)limit;
  return 0;
}

#endif
