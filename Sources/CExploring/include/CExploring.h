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

/// The calls that the explorer may drive: of mutexes, and the others.
#define RFF_MUTEX_CALLS(CALL)                                                                                         \
  CALL(pthread_mutex_lock) CALL(pthread_mutex_trylock) CALL(pthread_mutex_unlock)
#define RFF_OTHER_CALLS(CALL)                                                                                         \
  CALL(dispatch_async) CALL(dispatch_async_f) CALL(dispatch_barrier_async) CALL(dispatch_barrier_async_f)             \
  CALL(dispatch_after) CALL(dispatch_after_f) CALL(dispatch_group_async) CALL(dispatch_group_async_f)                 \
  CALL(dispatch_group_notify) CALL(dispatch_group_notify_f) CALL(dispatch_block_notify)                               \
  CALL(dispatch_source_create) CALL(dispatch_source_set_event_handler) CALL(dispatch_source_set_event_handler_f)      \
  CALL(dispatch_source_set_timer) CALL(dispatch_source_merge_data) CALL(dispatch_source_set_cancel_handler)           \
  CALL(dispatch_source_set_cancel_handler_f) CALL(dispatch_source_set_registration_handler)                           \
  CALL(dispatch_source_set_registration_handler_f) CALL(dispatch_source_cancel) CALL(dispatch_source_testcancel)      \
  CALL(dispatch_source_get_data) CALL(swift_once) CALL(pthread_once) CALL(dispatch_once) CALL(dispatch_once_f)        \
  CALL(swift_job_run) CALL(dispatch_apply) CALL(dispatch_apply_f) CALL(pthread_create)                                \
  CALL(dispatch_group_wait) CALL(dispatch_block_wait) CALL(pthread_cond_wait) CALL(pthread_cond_timedwait)            \
  CALL(pthread_join) CALL(dispatch_sync) CALL(dispatch_sync_f) CALL(dispatch_barrier_sync)                            \
  CALL(dispatch_barrier_sync_f) CALL(dispatch_async_and_wait) CALL(dispatch_semaphore_wait)                           \
  CALL(pthread_mutex_timedlock) CALL(pthread_rwlock_rdlock) CALL(pthread_rwlock_wrlock)                               \
  CALL(pthread_rwlock_tryrdlock) CALL(pthread_rwlock_trywrlock) CALL(pthread_rwlock_unlock)                           \
  CALL(pthread_cond_signal) CALL(pthread_cond_broadcast) CALL(dispatch_semaphore_signal) CALL(dispatch_group_enter)   \
  CALL(dispatch_group_leave) CALL(dispatch_suspend) CALL(dispatch_resume) CALL(dispatch_activate)                     \
  CALL(dispatch_set_target_queue) CALL(dispatch_get_specific) CALL(dispatch_assert_queue)                             \
  CALL(dispatch_assert_queue_barrier) CALL(dispatch_assert_queue_not) CALL(dispatch_block_cancel)                     \
  CALL(dispatch_block_testcancel) CALL(sleep) CALL(usleep) CALL(nanosleep) CALL(clock_nanosleep)                      \
  CALL(dispatch_semaphore_create) CALL(dispatch_group_create) CALL(dispatch_queue_create)                             \
  CALL(dispatch_queue_create_with_target) CALL(dispatch_queue_attr_make_initially_inactive)                           \
  CALL(dispatch_queue_attr_make_with_autorelease_frequency) CALL(dispatch_queue_attr_make_with_qos_class)             \
  CALL(dispatch_block_create) CALL(dispatch_block_create_with_qos_class)

/// Their numbers.
#define RFF_CALL_NUMBER(name) rff_call_##name,
enum { RFF_MUTEX_CALLS(RFF_CALL_NUMBER) RFF_OTHER_CALLS(RFF_CALL_NUMBER) };

/// Returns the name of a function.
const char *rff_nameOfCall(int32_t call);

/// Called for a call of explored code: with its arguments, or where it has made something, with that as the fourth. Returns
/// true if the call has been made, and sets its result.
typedef bool rff_Driver(int32_t call, const uintptr_t *arguments, uintptr_t *result);

/// Sets the function that drives calls; before a thread is interruptible.
void rff_setDriver(rff_Driver *driver);

/// True where calls can be driven: on Linux with glibc, without a sanitizer, where nobody else in the program defines one of
/// them, and objects are laid out as is expected.
bool rff_drivesCalls(void);

// MARK: What a driver needs of Dispatch and the C library

uintptr_t rff_copyBlock(uintptr_t block);
void rff_releaseBlock(uintptr_t block);
void rff_runBlock(uintptr_t block, uintptr_t argument);
void rff_runFunction(uintptr_t function, uintptr_t first, uintptr_t second);
void rff_retainObject(uintptr_t object);
void rff_releaseObject(uintptr_t object);
/// True if somebody else than the caller keeps an object of Dispatch.
bool rff_hasOtherOwners(uintptr_t object);
const char *rff_labelOfQueue(uintptr_t queue);
uintptr_t rff_specificOfQueue(uintptr_t queue, uintptr_t key);
bool rff_isConcurrentAttribute(uintptr_t attribute);
bool rff_isMainQueue(uintptr_t queue);

/// Takes a semaphore if its count is greater than 0.
bool rff_takeSemaphore(uintptr_t semaphore);
void rff_signalSemaphore(uintptr_t semaphore);
bool rff_isGroupEmpty(uintptr_t group);
void rff_enterGroup(uintptr_t group);
void rff_leaveGroup(uintptr_t group);

/// 1 for a type of timers, 2, 3, 4 for one of data that is added, or-ed, replaced; 0 for others.
int32_t rff_kindOfSource(uintptr_t type);
/// Makes a source of Dispatch, which isn't active.
uintptr_t rff_makeSource(uintptr_t type, uintptr_t handle, uintptr_t mask);
bool rff_isSource(uintptr_t object);
uintptr_t rff_contextOfObject(uintptr_t object);
void rff_setContextOfObject(uintptr_t object, uintptr_t context);
/// The queue of a source that names none.
uintptr_t rff_defaultQueue(void);

/// True if a block of Dispatch has run, as far as that knows; asked at most once more after that.
bool rff_hasRunBlock(uintptr_t block);

/// Begins a wait for a condition, which any thread may signal; -1 if there are too many.
int32_t rff_beginWait(uintptr_t condition);
/// True if an explored thread has signalled it since, or another one whose signal was accepted.
bool rff_hasSignal(int32_t wait);
/// Accepts the signals of other threads.
void rff_acceptSignals(void);
void rff_endWait(int32_t wait);
/// The address of the word with the number of the thread that holds a mutex.
uintptr_t rff_ownerOfMutex(uintptr_t mutex);

/// Returns the nanoseconds until a time of Dispatch, or a time of day as the C library has it.
int64_t rff_timeUntil(uint64_t time);
int64_t rff_timeUntilDate(uintptr_t date);
int64_t rff_duration(uintptr_t duration);

/// 1 for a recursive mutex, 2 for one that reports an error.
int32_t rff_kindOfMutex(uintptr_t mutex);

/// Called on a thread that code has made, in place of its function: calls that, and returns its result.
typedef uintptr_t rff_ThreadBody(void *thread, uintptr_t function, uintptr_t argument);
void rff_setThreadBody(rff_ThreadBody *body);

/// Makes a thread with the arguments of `pthread_create`, on which that is called; returns 0, or an error.
uintptr_t rff_createThread(const uintptr_t *arguments, void *thread);
uintptr_t rff_runThread(uintptr_t function, uintptr_t argument);

/// Calls the definition of the C library: to lock or unlock.
uintptr_t rff_callNext(int32_t call, uintptr_t first);

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
