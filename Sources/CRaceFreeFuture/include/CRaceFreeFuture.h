// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#ifndef RACE_FREE_FUTURE_RUNTIME_H
#define RACE_FREE_FUTURE_RUNTIME_H

#ifdef _WIN32
#error "RaceFreeFuture doesn't support Windows: see Documentation/Platforms.md"
#endif

// What Swift files of the package use of the C library: it comes with this module, by one name on all systems.
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

// Entries of the Swift runtime, on which its own weak and unowned references rest. Swift code uses other names: the
// compiler keeps those of the runtime to itself.
extern void *swift_tryRetain(void *object);
extern void *swift_unownedRetain(void *object);
extern void swift_unownedRelease(void *object);

/// Adds a reference to an object of Swift's, unless its last one has gone; NULL then.
///
/// The memory has to be there still: some reference, or an unowned one, keeps it.
static inline void *rff_tryRetain(void *object) { return swift_tryRetain(object); }

/// Adds an unowned reference, which keeps the memory of an object without the object.
static inline void rff_unownedRetain(void *object) { swift_unownedRetain(object); }

/// Removes an unowned reference; the last one frees the memory of an object that is gone.
static inline void rff_unownedRelease(void *object) { swift_unownedRelease(object); }

/// Tells ThreadSanitizer, if the library is compiled with it, that the caller comes after all who have released the address.
void rff_acquire(const void *address);

/// Tells it that all who acquire the address from now on come after the caller.
void rff_release(const void *address);

/// How deep the calling thread's stack is, as an address; it grows towards lower ones.
///
/// That of the frame, and not of a variable in it: AddressSanitizer keeps variables elsewhere.
static inline __attribute__((always_inline)) long rff_stackPosition(void) {
  return (long)__builtin_frame_address(0);
}

/// The number of private queues that the calling thread holds.
extern __thread long rff_heldQueueCount;

static inline long rff_heldQueues(void) { return rff_heldQueueCount; }
static inline void rff_addHeldQueues(long number) { rff_heldQueueCount += number; }

/// The innermost of the calling thread's calls, a `Trampoline` on its own stack, which leads to those around it; NULL for
/// none.
extern __thread void *rff_trampoline;

static inline void *rff_currentTrampoline(void) { return rff_trampoline; }
static inline void rff_setCurrentTrampoline(void *call) { rff_trampoline = call; }

#endif
