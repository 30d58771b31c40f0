// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Calls of the C library and of Dispatch in explored code: what starts code elsewhere, waits for it, or locks. The explorer
// drives those that concern what it knows, and notices the others. A definition in the program comes before those of the
// libraries. All arguments are words, and are passed on; a function that has fewer ignores the rest.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "Interruptions.h"

#include <stddef.h>

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) &&                       \
  !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uintptr_t Call(uintptr_t, uintptr_t, uintptr_t, uintptr_t);

// Where a program is linked statically, the definitions below satisfy its references, so that the linker leaves those of
// initializers in their archives. These run them instead, with the same words: 0 before, -1 behind. Who comes meanwhile
// yields until then.

static uintptr_t runOnce(uintptr_t word, uintptr_t function, uintptr_t context) {
  int64_t before = 0;
  // Who finds it behind sees what it has made.
  if (__atomic_compare_exchange_n((int64_t *)word, &before, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    ((void (*)(uintptr_t))function)(context);
    __atomic_store_n((int64_t *)word, -1, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n((const int64_t *)word, __ATOMIC_ACQUIRE) != -1) sched_yield();
  }
  return 0;
}

static void runBlockOnce(uintptr_t block) { rff_runBlock(block, 0); }

static uintptr_t ownSwiftOnce(uintptr_t word, uintptr_t function, uintptr_t context, uintptr_t unused) {
  return runOnce(word, function, context);
}

static uintptr_t ownOnce(uintptr_t word, uintptr_t block, uintptr_t unused, uintptr_t other) {
  return runOnce(word, (uintptr_t)runBlockOnce, block);
}

static uintptr_t ownOnceFunction(uintptr_t word, uintptr_t context, uintptr_t function, uintptr_t unused) {
  return runOnce(word, function, context);
}

/// Returns what stands for a definition that the program lacks.
static Call *substitute(const char *name) {
  if (!strcmp(name, "swift_once")) return ownSwiftOnce;
  return !strcmp(name, "dispatch_once") ? ownOnce : !strcmp(name, "dispatch_once_f") ? ownOnceFunction : NULL;
}

/// Returns the next definition; found by the first thread that needs it.
static Call *find(Call **known, const char *name) {
  Call *found = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (found) return found;
  // Conditions of glibc have an older definition as well.
  if (!strncmp(name, "pthread_cond_", 13)) found = (Call *)dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found) found = (Call *)dlsym(RTLD_NEXT, name);
  if (!found) found = substitute(name);
  __atomic_store_n(known, found, __ATOMIC_RELAXED);
  return found;
}

typedef struct {
  int32_t number;
  Call *next;
  const char *words;
  uintptr_t caller;
  const uintptr_t *frame;
  uintptr_t arguments[4];
} Noticed;

static bool isNoticed(const Noticed *call) { return rff_isInterruptible() && !rff_isOfRuntime(call->caller); }

static uintptr_t pass(const Noticed *call) {
  return call->next(call->arguments[0], call->arguments[1], call->arguments[2], call->arguments[3]);
}

/// Has the explorer drive a call; returns false if that doesn't know what it concerns.
static bool drives(Noticed *call, uintptr_t *result) {
  return isNoticed(call) && rff_drive(call->number, call->arguments, result);
}

static uintptr_t starts(Noticed *call) {
  uintptr_t result = 0;
  if (drives(call, &result)) return result;
  if (isNoticed(call)) rff_interruptAt(rff_starts, (uintptr_t)call->words, 0);
  return pass(call);
}

/// True if Dispatch calls, for its own purposes.
static bool isOfDispatch(uintptr_t caller) {
  static void *known;
  void *base = __atomic_load_n(&known, __ATOMIC_RELAXED);
  Dl_info info;
  if (!base && dladdr(dlsym(RTLD_NEXT, "dispatch_async"), &info)) {
    __atomic_store_n(&known, base = info.dli_fbase, __ATOMIC_RELAXED);
  }
  return dladdr((void *)caller, &info) && info.dli_fbase == base;
}

/// A thread of the user's, or of Foundation.
static uintptr_t startsThread(Noticed *call) { return isOfDispatch(call->caller) ? pass(call) : starts(call); }

static uintptr_t waits(Noticed *call) {
  uintptr_t result = 0;
  if (drives(call, &result)) return result;
  if (!isNoticed(call)) return pass(call);
  rff_interruptAt(rff_waits, (uintptr_t)call->words, 0);
  result = pass(call);
  rff_interruptAt(rff_hasWaited, 0, 0);
  return result;
}

/// A queue: what it runs is explored code.
static uintptr_t enters(Noticed *call) {
  uintptr_t result = 0;
  if (drives(call, &result)) return result;
  if (isNoticed(call)) rff_interruptAt(rff_took, call->arguments[0], (uintptr_t)call->words);
  return waits(call);
}

static uintptr_t takes(Noticed *call) {
  uintptr_t result = 0;
  if (drives(call, &result)) return result;
  result = waits(call);
  if (!(int32_t)result && isNoticed(call)) rff_interruptAt(rff_took, call->arguments[0], (uintptr_t)call->words);
  return result;
}

/// A lock that libraries have for their own purposes as well.
static uintptr_t locks(Noticed *call) {
  uintptr_t result = 0;
  if (rff_isInterruptible() && rff_isOfUser(call->caller, call->frame) && drives(call, &result)) return result;
  result = waits(call);
  if (!(int32_t)result) rff_tookLock((void *)call->arguments[0], call->words, call->caller, call->frame);
  return result;
}

/// The conditions for which explored threads wait in libraries, and who has signalled since.
enum { mostWaits = 64 };
enum Signal { none, byExplored, byOther };
static uintptr_t awaited[mostWaits];
static int32_t signalled[mostWaits];
static int32_t waitCount;

int32_t rff_beginWait(uintptr_t condition) {
  for (int32_t index = 0; index < mostWaits; index++) {
    if (__atomic_load_n(&awaited[index], __ATOMIC_RELAXED)) continue;
    __atomic_store_n(&signalled[index], none, __ATOMIC_RELAXED);
    __atomic_store_n(&awaited[index], condition, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&waitCount, 1, __ATOMIC_SEQ_CST);
    return index;
  }
  return -1;
}

bool rff_hasSignal(int32_t wait) { return __atomic_load_n(&signalled[wait], __ATOMIC_ACQUIRE) == byExplored; }

void rff_acceptSignals(void) {
  for (int32_t index = 0; index < mostWaits; index++) {
    int32_t other = byOther;
    __atomic_compare_exchange_n(&signalled[index], &other, byExplored, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
}

void rff_endWait(int32_t wait) {
  __atomic_add_fetch(&waitCount, -1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&awaited[wait], 0, __ATOMIC_SEQ_CST);
}

/// Notes that a thread signals a condition: one that waits for it in a library may go on.
static void notesSignal(uintptr_t condition, enum Signal signal) {
  if (!__atomic_load_n(&waitCount, __ATOMIC_SEQ_CST)) return;
  for (int32_t index = 0; index < mostWaits; index++) {
    if (__atomic_load_n(&awaited[index], __ATOMIC_SEQ_CST) != condition) continue;
    int32_t old = none;
    if (signal == byExplored) __atomic_store_n(&signalled[index], byExplored, __ATOMIC_RELEASE);
    __atomic_compare_exchange_n(&signalled[index], &old, signal, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
}

uintptr_t rff_ownerOfMutex(uintptr_t mutex) { return (uintptr_t)&((pthread_mutex_t *)mutex)->__data.__owner; }

/// A condition that libraries have for their own purposes as well.
static uintptr_t signals(Noticed *call) {
  uintptr_t result = 0;
  notesSignal(call->arguments[0], byExplored);
  return rff_isOfUser(call->caller, call->frame) && drives(call, &result) ? result : pass(call);
}

/// An initializer that runs once: told of before it, and after it.
static uintptr_t once(Noticed *call) {
  // The C library notes it in another way than Dispatch and Swift.
  bool hasRun = __atomic_load_n((const int32_t *)call->arguments[0], __ATOMIC_ACQUIRE)
    == (call->number == rff_call_pthread_once ? 2 : -1);
  if (hasRun || !isNoticed(call)) return pass(call);
  uintptr_t ignored;
  // None has four arguments.
  call->arguments[3] = false;
  rff_drive(call->number, call->arguments, &ignored);
  uintptr_t result = pass(call);
  call->arguments[3] = true;
  rff_drive(call->number, call->arguments, &ignored);
  return result;
}

/// A call of which nothing has to be noticed if it isn't driven.
static uintptr_t plain(Noticed *call) {
  uintptr_t result = 0;
  return drives(call, &result) ? result : pass(call);
}

/// A call that makes an object: it is told of it.
static uintptr_t makes(Noticed *call) {
  uintptr_t result = pass(call);
  if (isNoticed(call)) {
    uintptr_t ignored;
    uintptr_t arguments[4] = {call->arguments[0], call->arguments[1], call->arguments[2], result};
    rff_drive(call->number, arguments, &ignored);
  }
  return result;
}

#define DEFINITION(symbol, way, words)                                                                                \
  static uintptr_t own_##symbol(uintptr_t first, uintptr_t second, uintptr_t third, uintptr_t fourth) {               \
    static Call *next;                                                                                                \
    Call *found = find(&next, #symbol);                                                                               \
    if (!rff_isInterruptible()) {                                                                                     \
      if (rff_call_##symbol == rff_call_pthread_cond_signal || rff_call_##symbol == rff_call_pthread_cond_broadcast) { \
        notesSignal(first, byOther);                                                                                  \
      }                                                                                                               \
      return found(first, second, third, fourth);                                                                     \
    }                                                                                                                 \
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);                                                        \
    const uintptr_t *frame = __builtin_frame_address(0);                                                              \
    Noticed call = {rff_call_##symbol, found, words, caller, frame, {first, second, third, fourth}};                  \
    return way(&call);                                                                                                \
  }                                                                                                                   \
  Call rff_##symbol __asm__(#symbol) __attribute__((weak, alias("own_" #symbol)));

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
DEFINITION(dispatch_block_notify, starts, "queues work behind a block in Dispatch")
DEFINITION(dispatch_source_create, starts, "makes a source of Dispatch")
DEFINITION(dispatch_source_set_event_handler, starts, "uses a source of Dispatch that is older")
DEFINITION(dispatch_source_set_event_handler_f, starts, "uses a source of Dispatch that is older")
DEFINITION(dispatch_source_set_timer, starts, "uses a source of Dispatch that is older")
DEFINITION(dispatch_source_merge_data, starts, "uses a source of Dispatch that is older")
DEFINITION(dispatch_apply, starts, "runs work on several threads of Dispatch")
DEFINITION(dispatch_apply_f, starts, "runs work on several threads of Dispatch")
DEFINITION(pthread_create, startsThread, "starts a thread")
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
DEFINITION(pthread_rwlock_unlock, plain, NULL)
DEFINITION(pthread_cond_signal, signals, NULL)
DEFINITION(pthread_cond_broadcast, signals, NULL)
DEFINITION(dispatch_semaphore_signal, plain, NULL)
DEFINITION(dispatch_group_enter, plain, NULL)
DEFINITION(dispatch_group_leave, plain, NULL)
DEFINITION(swift_job_run, plain, NULL)
DEFINITION(swift_once, once, NULL)
DEFINITION(pthread_once, once, NULL)
DEFINITION(dispatch_once, once, NULL)
DEFINITION(dispatch_once_f, once, NULL)
DEFINITION(dispatch_suspend, plain, NULL)
DEFINITION(dispatch_resume, plain, NULL)
DEFINITION(dispatch_activate, plain, NULL)
DEFINITION(dispatch_set_target_queue, plain, NULL)
DEFINITION(dispatch_get_specific, plain, NULL)
DEFINITION(dispatch_assert_queue, plain, NULL)
DEFINITION(dispatch_assert_queue_barrier, plain, NULL)
DEFINITION(dispatch_assert_queue_not, plain, NULL)
DEFINITION(dispatch_block_cancel, plain, NULL)
DEFINITION(dispatch_block_testcancel, plain, NULL)
DEFINITION(dispatch_source_set_cancel_handler, plain, NULL)
DEFINITION(dispatch_source_set_cancel_handler_f, plain, NULL)
DEFINITION(dispatch_source_set_registration_handler, plain, NULL)
DEFINITION(dispatch_source_set_registration_handler_f, plain, NULL)
DEFINITION(dispatch_source_cancel, plain, NULL)
DEFINITION(dispatch_source_testcancel, plain, NULL)
DEFINITION(dispatch_source_get_data, plain, NULL)
DEFINITION(sleep, plain, NULL)
DEFINITION(usleep, plain, NULL)
DEFINITION(nanosleep, plain, NULL)
DEFINITION(clock_nanosleep, plain, NULL)
DEFINITION(dispatch_semaphore_create, makes, NULL)
DEFINITION(dispatch_group_create, makes, NULL)
DEFINITION(dispatch_queue_create, makes, NULL)
DEFINITION(dispatch_queue_create_with_target, makes, NULL)
DEFINITION(dispatch_queue_attr_make_initially_inactive, makes, NULL)
DEFINITION(dispatch_queue_attr_make_with_autorelease_frequency, makes, NULL)
DEFINITION(dispatch_queue_attr_make_with_qos_class, makes, NULL)
DEFINITION(dispatch_block_create, makes, NULL)
DEFINITION(dispatch_block_create_with_qos_class, makes, NULL)

/// True if the program's definitions are those here: they are weak, so that another tool's count.
static bool ownsCalls(void) {
  // The compiler takes it for granted that two functions have two addresses.
#define IS_OTHER(symbol) ((Call *volatile){rff_##symbol} != own_##symbol) |
  return rff_ownsMutexCalls() && !(RFF_OTHER_CALLS(IS_OTHER) false);
}

// What the explorer itself needs, and the program may be linked without.

static void *word(const char *name) { return dlsym(RTLD_NEXT, name); }

#define WORD(name)                                                                                                    \
  static void *known;                                                                                                 \
  void *found = __atomic_load_n(&known, __ATOMIC_RELAXED);                                                            \
  if (!found) __atomic_store_n(&known, found = word(name), __ATOMIC_RELAXED)

uintptr_t rff_copyBlock(uintptr_t block) {
  WORD("_Block_copy");
  return ((uintptr_t (*)(uintptr_t))found)(block);
}

void rff_releaseBlock(uintptr_t block) {
  WORD("_Block_release");
  ((void (*)(uintptr_t))found)(block);
}

void rff_runBlock(uintptr_t block, uintptr_t argument) {
  // The third field is its function, whose first argument is the block.
  void (*function)(uintptr_t, uintptr_t) = *(void (**)(uintptr_t, uintptr_t))(block + 16);
  function(block, argument);
}

void rff_runFunction(uintptr_t function, uintptr_t first, uintptr_t second) {
  ((void (*)(uintptr_t, uintptr_t))function)(first, second);
}

void rff_retainObject(uintptr_t object) {
  WORD("dispatch_retain");
  ((void (*)(uintptr_t))found)(object);
}

void rff_releaseObject(uintptr_t object) {
  WORD("dispatch_release");
  ((void (*)(uintptr_t))found)(object);
}

bool rff_hasOtherOwners(uintptr_t object) {
  // The fourth word is the number of references from outside, but one.
  return __atomic_load_n((const int32_t *)object + 3, __ATOMIC_RELAXED) > 0;
}

const char *rff_labelOfQueue(uintptr_t queue) {
  WORD("dispatch_queue_get_label");
  return ((const char *(*)(uintptr_t))found)(queue);
}

uintptr_t rff_specificOfQueue(uintptr_t queue, uintptr_t key) {
  WORD("dispatch_queue_get_specific");
  return ((uintptr_t (*)(uintptr_t, uintptr_t))found)(queue, key);
}

bool rff_isConcurrentAttribute(uintptr_t attribute) {
  WORD("_dispatch_queue_attr_concurrent");
  return attribute && attribute == (uintptr_t)found;
}

bool rff_isMainQueue(uintptr_t queue) {
  WORD("_dispatch_main_q");
  return queue == (uintptr_t)found;
}

int32_t rff_kindOfSource(uintptr_t type) {
  static const char *const names[] = {
    "_dispatch_source_type_timer", "_dispatch_source_type_data_add", "_dispatch_source_type_data_or",
    "_dispatch_source_type_data_replace"};
  for (int32_t index = 0; index < 4; index++) {
    if (type == (uintptr_t)word(names[index])) return index + 1;
  }
  return 0;
}

uintptr_t rff_makeSource(uintptr_t type, uintptr_t handle, uintptr_t mask) {
  WORD("dispatch_source_create");
  return ((Call *)found)(type, handle, mask, 0);
}

bool rff_isSource(uintptr_t object) {
  // The first word of an object is that of its class. The one that is made here is never activated, and never released.
  static uintptr_t known;
  uintptr_t class = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!class) {
    class = *(const uintptr_t *)rff_makeSource((uintptr_t)word("_dispatch_source_type_data_add"), 0, 0);
    __atomic_store_n(&known, class, __ATOMIC_RELAXED);
  }
  return *(const uintptr_t *)object == class;
}

uintptr_t rff_contextOfObject(uintptr_t object) {
  WORD("dispatch_get_context");
  return ((uintptr_t (*)(uintptr_t))found)(object);
}

void rff_setContextOfObject(uintptr_t object, uintptr_t context) {
  WORD("dispatch_set_context");
  ((void (*)(uintptr_t, uintptr_t))found)(object, context);
}

uintptr_t rff_defaultQueue(void) {
  WORD("dispatch_get_global_queue");
  return ((uintptr_t (*)(intptr_t, uintptr_t))found)(0, 0);
}

bool rff_hasRunBlock(uintptr_t block) {
  WORD("dispatch_block_wait");
  return !((intptr_t (*)(uintptr_t, uint64_t))found)(block, 0);
}

bool rff_takeSemaphore(uintptr_t semaphore) {
  WORD("dispatch_semaphore_wait");
  return !((intptr_t (*)(uintptr_t, uint64_t))found)(semaphore, 0);
}

void rff_signalSemaphore(uintptr_t semaphore) {
  WORD("dispatch_semaphore_signal");
  ((intptr_t (*)(uintptr_t))found)(semaphore);
}

bool rff_isGroupEmpty(uintptr_t group) {
  WORD("dispatch_group_wait");
  return !((intptr_t (*)(uintptr_t, uint64_t))found)(group, 0);
}

void rff_enterGroup(uintptr_t group) {
  WORD("dispatch_group_enter");
  ((void (*)(uintptr_t))found)(group);
}

void rff_leaveGroup(uintptr_t group) {
  WORD("dispatch_group_leave");
  ((void (*)(uintptr_t))found)(group);
}

int64_t rff_timeUntil(uint64_t time) {
  WORD("dispatch_time");
  if (time == UINT64_MAX) return INT64_MAX;
  if (time == 0) return 0;
  // The time of day is negative.
  if (time >> 62 == 3) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return -(int64_t)time - (now.tv_sec * INT64_C(1000000000) + now.tv_nsec);
  }
  bool isMonotonic = time >> 63;
  uint64_t now = ((uint64_t (*)(uint64_t, int64_t))found)(isMonotonic ? UINT64_C(1) << 63 : 0, 0);
  return (int64_t)(time - now);
}

int64_t rff_timeUntilDate(uintptr_t date) {
  const struct timespec *time = (const struct timespec *)date;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (time->tv_sec - now.tv_sec) * INT64_C(1000000000) + time->tv_nsec - now.tv_nsec;
}

int64_t rff_duration(uintptr_t duration) {
  const struct timespec *time = (const struct timespec *)duration;
  return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

int32_t rff_kindOfMutex(uintptr_t mutex) { return ((const pthread_mutex_t *)mutex)->__data.__kind & 3; }

/// True if an object and mutexes that are made for the purpose are laid out as is read above: nobody guarantees it.
static bool knowsLayouts(void) {
  WORD("dispatch_semaphore_create");
  uintptr_t object = ((uintptr_t (*)(intptr_t))found)(0);
  bool knows = !rff_hasOtherOwners(object);
  rff_retainObject(object);
  knows &= rff_hasOtherOwners(object);
  // Otherwise it may have one reference or two: released too often, it would end the program.
  if (knows) {
    rff_releaseObject(object);
    knows = !rff_hasOtherOwners(object);
  }
  rff_releaseObject(object);
  const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK};
  for (int32_t kind = 0; kind < 3; kind++) {
    pthread_mutexattr_t attribute;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, kinds[kind]);
    pthread_mutex_init(&mutex, &attribute);
    knows &= rff_kindOfMutex((uintptr_t)&mutex) == kind;
    pthread_mutex_destroy(&mutex);
    pthread_mutexattr_destroy(&attribute);
  }
  return knows;
}

bool rff_drivesCalls(void) { return ownsCalls() && knowsLayouts(); }

typedef struct {
  void *thread;
  uintptr_t function, argument;
} Beginning;

static rff_ThreadBody *threadBody;

void rff_setThreadBody(rff_ThreadBody *body) { threadBody = body; }

static void *beginThread(void *argument) {
  Beginning beginning = *(Beginning *)argument;
  free(argument);
  return (void *)threadBody(beginning.thread, beginning.function, beginning.argument);
}

uintptr_t rff_createThread(const uintptr_t *arguments, void *thread) {
  static Call *next;
  Beginning *beginning = malloc(sizeof *beginning);
  *beginning = (Beginning){thread, arguments[2], arguments[3]};
  return find(&next, "pthread_create")(arguments[0], arguments[1], (uintptr_t)beginThread, (uintptr_t)beginning);
}

uintptr_t rff_runThread(uintptr_t function, uintptr_t argument) {
  return ((uintptr_t (*)(uintptr_t))function)(argument);
}

uintptr_t rff_callNext(int32_t number, uintptr_t first) {
  static const char *const names[] = {
    [rff_call_pthread_mutex_lock] = "pthread_mutex_lock",
    [rff_call_pthread_mutex_unlock] = "pthread_mutex_unlock",
    [rff_call_pthread_rwlock_rdlock] = "pthread_rwlock_rdlock",
    [rff_call_pthread_rwlock_wrlock] = "pthread_rwlock_wrlock",
    [rff_call_pthread_rwlock_unlock] = "pthread_rwlock_unlock",
  };
  static Call *next[sizeof names / sizeof *names];
  return find(&next[number], names[number])(first, 0, 0, 0);
}

#else

bool rff_drivesCalls(void) { return false; }
uintptr_t rff_copyBlock(uintptr_t block) { return block; }
void rff_releaseBlock(uintptr_t block) { (void)block; }
void rff_runBlock(uintptr_t block, uintptr_t argument) { (void)block, (void)argument; }
void rff_runFunction(uintptr_t function, uintptr_t first, uintptr_t second) {
  (void)function, (void)first, (void)second;
}
void rff_retainObject(uintptr_t object) { (void)object; }
void rff_releaseObject(uintptr_t object) { (void)object; }
bool rff_hasOtherOwners(uintptr_t object) { return object & 0; }
const char *rff_labelOfQueue(uintptr_t queue) { return queue ? "" : NULL; }
uintptr_t rff_specificOfQueue(uintptr_t queue, uintptr_t key) { return queue & key & 0; }
bool rff_isConcurrentAttribute(uintptr_t attribute) { return attribute & 0; }
bool rff_isMainQueue(uintptr_t queue) { return queue & 0; }
int32_t rff_kindOfSource(uintptr_t type) { return type & 0; }
uintptr_t rff_makeSource(uintptr_t type, uintptr_t handle, uintptr_t mask) { return type & handle & mask & 0; }
bool rff_isSource(uintptr_t object) { return object & 0; }
uintptr_t rff_contextOfObject(uintptr_t object) { return object & 0; }
void rff_setContextOfObject(uintptr_t object, uintptr_t context) { (void)object, (void)context; }
uintptr_t rff_defaultQueue(void) { return 0; }
bool rff_hasRunBlock(uintptr_t block) { return block & 0; }
int32_t rff_beginWait(uintptr_t condition) { return (int32_t)(condition & 0) - 1; }
bool rff_hasSignal(int32_t wait) { return wait & 0; }
void rff_endWait(int32_t wait) { (void)wait; }
void rff_acceptSignals(void) {}
uintptr_t rff_ownerOfMutex(uintptr_t mutex) { return mutex; }
bool rff_takeSemaphore(uintptr_t semaphore) { return semaphore & 0; }
void rff_signalSemaphore(uintptr_t semaphore) { (void)semaphore; }
bool rff_isGroupEmpty(uintptr_t group) { return group & 0; }
void rff_enterGroup(uintptr_t group) { (void)group; }
void rff_leaveGroup(uintptr_t group) { (void)group; }
int64_t rff_timeUntil(uint64_t time) { return (int64_t)time & 0; }
int64_t rff_timeUntilDate(uintptr_t date) { return (int64_t)date & 0; }
int64_t rff_duration(uintptr_t duration) { return (int64_t)duration & 0; }
int32_t rff_kindOfMutex(uintptr_t mutex) { return mutex & 0; }
void rff_setThreadBody(rff_ThreadBody *body) { (void)body; }
uintptr_t rff_createThread(const uintptr_t *arguments, void *thread) { return arguments && thread ? 0 : 1; }
uintptr_t rff_runThread(uintptr_t function, uintptr_t argument) { return function & argument & 0; }
uintptr_t rff_callNext(int32_t number, uintptr_t first) { return first & (uintptr_t)number & 0; }

#endif
