// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Points in explored code at which others may act although the running task isn't suspended. Each is the entry of a
// function of the Swift runtime: a definition in the program comes before that of the runtime, and continues there with
// the same arguments, in the same registers and on the same stack.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "Interruptions.h"

const char *rff_nameOfCall(int32_t call) {
#define NAME(call) #call,
  static const char *const names[] = {RFF_MUTEX_CALLS(NAME) RFF_OTHER_CALLS(NAME)};
  return names[call];
}

#include <stddef.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>

/// The functions before which a point lies, by their numbers.
static const char *const names[] = {
  "swift_continuation_init",
  "swift_task_switch",
  // withTaskCancellationHandler(operation:onCancel:isolation:)
  "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF",
  // withCheckedContinuation(isolation:function:_:)
  "$ss23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF",
  // withCheckedThrowingContinuation(isolation:function:_:)
  "$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF",
  // What the two kinds of functions above call where they are a part of the program.
  "swift_task_addCancellationHandler",
  // Where `Synchronization.Mutex.lock()` comes to when somebody else holds it.
  "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF",
};

enum { count = sizeof names / sizeof *names };

/// The functions that cancel, around which a point lies each: handlers run in them, and tasks may continue.
static const char *const cancelNames[] = {
  // Task.cancel()
  "$sScT6cancelyyF",
  // TaskGroup.cancelAll()
  "$sScG9cancelAllyyF",
  // ThrowingTaskGroup.cancelAll()
  "$sScg9cancelAllyyF",
  // What they call where they are a part of the program.
  "swift_task_cancel",
  "swift_taskGroup_cancelAll",
};

enum { cancelCount = sizeof cancelNames / sizeof *cancelNames };

/// The definitions of the runtime. Written once, before the program's own code begins.
__attribute__((used)) static void *next[count] __asm__("rff_nextDefinitions");

/// A function whose arguments are all in registers: the task or group first, then types.
typedef __attribute__((swiftcall)) void Cancel(void *, void *, void *, void *);

static Cancel *nextCancel[cancelCount];

/// Begins a task at once: the task, and the two words of an executor. Missing in older runtimes, where nobody calls it.
typedef __attribute__((swiftcall)) void Immediate(void *, void *, void *);

static Immediate *nextImmediate;

__attribute__((constructor)) static void findNext(void) {
  for (int number = 0; number < count; number++) next[number] = dlsym(RTLD_NEXT, names[number]);
  for (int number = 0; number < cancelCount; number++) {
    nextCancel[number] = (Cancel *)dlsym(RTLD_NEXT, cancelNames[number]);
  }
  nextImmediate = (Immediate *)dlsym(RTLD_NEXT, "swift_task_immediate");
}

/// Written once, before a thread is interruptible for the first time.
static rff_Interruption *handler;

/// True if the thread runs explored code.
static __thread bool isInterruptible __attribute__((tls_model("initial-exec")));

/// True if the thread only tries which functions are called.
static __thread bool isProbing __attribute__((tls_model("initial-exec")));
/// The functions that were called on such a thread, one bit each; used by one thread at a time.
static uint32_t hits;

uint32_t rff_probe(bool begins) {
  isProbing = begins;
  if (begins) hits = 0;
  return hits;
}

/// True if the thread is in the explorer's own code, which is interrupted nowhere.
static __thread bool isBusy __attribute__((tls_model("initial-exec")));

bool rff_isInterruptible(void) { return isInterruptible && !isBusy; }

bool rff_setBusy(bool value) {
  bool was = isBusy;
  isBusy = value;
  return was;
}

void rff_interruptAt(int32_t number, uintptr_t first, uintptr_t second) {
  if (!isInterruptible || isBusy) return;
  isBusy = true;
  handler(number, first, second);
  isBusy = false;
}

static rff_Driver *driver;

void rff_setDriver(rff_Driver *new) { driver = new; }

bool rff_drive(int32_t call, const uintptr_t *arguments, uintptr_t *result) {
  if (!isInterruptible || isBusy || !driver) return false;
  isBusy = true;
  *result = 0;
  bool isDriven = driver(call, arguments, result);
  isBusy = false;
  return isDriven;
}

/// Called at each entry, with the function's second and first arguments, and what it is a method of.
__attribute__((used)) static void interrupt(int32_t, uintptr_t, uintptr_t, uintptr_t) __asm__("rff_interrupt");

static void interrupt(int32_t number, uintptr_t second, uintptr_t first, uintptr_t self) {
  if (isProbing) hits |= UINT32_C(1) << number;
  rff_interruptAt(number, number == rff_mutexIsHeld ? self : first, second);
}

static void cancel(int number, void *first, void *second, void *third, void *fourth) {
  if (isProbing) hits |= UINT32_C(1) << (count + number);
  rff_interruptAt(rff_beforeCancellation, (uintptr_t)first, 0);
  nextCancel[number](first, second, third, fourth);
  rff_interruptAt(rff_afterCancellation, (uintptr_t)first, 0);
}

// The definitions are weak: where the runtime is a part of the program, its own ones count. All registers that may hold
// an argument are saved; the others are the callee's to keep, in Swift as in C.
#ifdef __x86_64__
#define DEFINITION(number, name)                                                                                      \
  __asm__(".text\n.weak " name "\n.type " name ", @function\n.p2align 4\nrff_entry" #number ":\n" name ":\n"           \
          "push %rax\npush %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %r10\npush %r11\n"          \
          "movq %rdi, %rdx\nmovq %r13, %rcx\nmovl $" #number ", %edi\ncall rff_interrupt\n"                            \
          "pop %r11\npop %r10\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\npop %rax\n"                   \
          "jmp *rff_nextDefinitions+8*" #number "(%rip)\n.size " name ", .-" name "\n")
#else
#define DEFINITION(number, name)                                                                                      \
  __asm__(".text\n.weak " name "\n.type " name ", %function\n.p2align 2\nrff_entry" #number ":\n" name ":\n"           \
          "stp x29, x30, [sp, #-96]!\nmov x29, sp\nstp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\n"                     \
          "stp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\nstr x8, [sp, #80]\n"                                          \
          "mov x2, x0\nmov x3, x20\nmov w0, #" #number "\nbl rff_interrupt\n"                                          \
          "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"               \
          "ldr x8, [sp, #80]\nldp x29, x30, [sp], #96\n"                                                               \
          "adrp x16, rff_nextDefinitions\nadd x16, x16, :lo12:rff_nextDefinitions\nldr x16, [x16, #8*" #number "]\n"   \
          "br x16\n.size " name ", .-" name "\n")
#endif

DEFINITION(0, "swift_continuation_init");
DEFINITION(1, "swift_task_switch");
DEFINITION(2, "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF");
DEFINITION(3, "$ss23withCheckedContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5NeverOGXEtYalF");
DEFINITION(4, "$ss31withCheckedThrowingContinuation9isolation8function_xScA_pSgYi_SSyScCyxs5Error_pGXEtYaKlF");
DEFINITION(5, "swift_task_addCancellationHandler");
DEFINITION(6, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

#define CANCEL(number, name)                                                                                          \
  __attribute__((swiftcall, weak, used)) void rff_cancel##number(void *, void *, void *, void *) __asm__(name);       \
  __attribute__((swiftcall)) void rff_cancel##number(void *first, void *second, void *third, void *fourth) {          \
    cancel(number, first, second, third, fourth);                                                                     \
  }

CANCEL(0, "$sScT6cancelyyF")
CANCEL(1, "$sScG9cancelAllyyF")
CANCEL(2, "$sScg9cancelAllyyF")
CANCEL(3, "swift_task_cancel")
CANCEL(4, "swift_taskGroup_cancelAll")

__attribute__((swiftcall, weak, used)) void rff_immediate(void *, void *, void *) __asm__("swift_task_immediate");
__attribute__((swiftcall)) void rff_immediate(void *task, void *executor, void *implementation) {
  if (isProbing) hits |= UINT32_C(1) << (count + cancelCount);
  rff_interruptAt(rff_beforeImmediate, (uintptr_t)task, 0);
  nextImmediate(task, executor, implementation);
  rff_interruptAt(rff_afterImmediate, (uintptr_t)task, 0);
}

extern void swift_continuation_init(void);
extern void ownEntry(void) __asm__("rff_entry0");

bool rff_setInterruption(rff_Interruption *interruption) {
  handler = interruption;
  // The compiler takes it for granted that two functions have two addresses.
  void (*volatile used)(void) = swift_continuation_init;
  return used == ownEntry && next[0] && next[1];
}

void rff_makeInterruptible(bool value) { isInterruptible = value; }

#else

bool rff_setInterruption(rff_Interruption *interruption) {
  (void)interruption;
  return false;
}

void rff_makeInterruptible(bool value) { (void)value; }

void rff_setDriver(rff_Driver *driver) { (void)driver; }

bool rff_setBusy(bool value) { return value; }

uint32_t rff_probe(bool begins) {
  (void)begins;
  return 0;
}

#endif
