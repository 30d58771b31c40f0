// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// Uses of `Synchronization.Mutex` in explored code. It is inlined into the program, so that nobody can stand in front of it;
// but each use asks for the number of the thread twice. A debug build has a function for that in each source file, which
// asks the system once for each thread, and keeps the answer. Here it is made to forget it again, so that it asks each time.
// A release build has no such function: only that there is an answer can be seen.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "Interruptions.h"

#include <stddef.h>

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__)) &&                       \
  !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <sys/syscall.h>

/// Written once, before a thread is interruptible.
static rff_Number *numbers;
static int32_t count;

/// What each thread has for itself of the program, whose code begins at `base`.
static __thread char *block __attribute__((tls_model("initial-exec")));
static uintptr_t base;

/// Where the function that asks returns to, and where it keeps the answer.
static __thread uintptr_t returns __attribute__((tls_model("initial-exec")));
static __thread int32_t *kept __attribute__((tls_model("initial-exec")));

/// The program is the first.
static int findProgram(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  (void)result;
  block = info->dlpi_tls_data;
  base = info->dlpi_addr;
  return 1;
}

/// Returns where the calling thread keeps an answer.
static int32_t *answer(int32_t index) {
  if (!block) dl_iterate_phdr(findProgram, NULL);
  return (int32_t *)(block + numbers[index].offset);
}

/// True if a function begins by storing its frame pointer and its return address, one beside the other.
static bool hasFrame(uintptr_t function) {
#ifdef __x86_64__
  const uint8_t *code = (const uint8_t *)function;
  return code[0] == 0x55 && code[1] == 0x48 && code[2] == 0x89 && code[3] == 0xe5;
#else
  const uint32_t *code = (const uint32_t *)function;
  for (int index = 0; index < 2; index++) {
    if ((code[index] & 0xfe407fff) == 0xa8007bfd) return true;
  }
  return false;
#endif
}

void rff_setNumbers(const rff_Number *new, int32_t newCount) {
  dl_iterate_phdr(findProgram, NULL);
  numbers = calloc((size_t)newCount, sizeof *numbers);
  if (!numbers || !block) return;
  count = newCount;
  for (int32_t index = 0; index < count; index++) {
    numbers[index] = new[index];
    numbers[index].begin += base;
    numbers[index].end += base;
    // A release build has the function nowhere.
    if (new[index].end && !hasFrame(numbers[index].begin)) numbers[index].end = numbers[index].begin;
  }
}

int32_t rff_takeNumber(int32_t first) {
  for (int32_t index = first; index < count; index++) {
    if (!*answer(index)) continue;
    *answer(index) = 0;
    return index;
  }
  return -1;
}

/// Called when the function has kept the answer: it forgets it. Returns where it was called.
__attribute__((used)) static uintptr_t hasKept(void) __asm__("rff_hasKept");

static uintptr_t hasKept(void) {
  *kept = 0;
  return returns;
}

// Continues at the caller, with the answer.
extern char afterNumber[] __asm__("rff_afterNumber");
#ifdef __x86_64__
__asm__(".text\n.p2align 4\n.type rff_afterNumber, @function\nrff_afterNumber:\nsub $16, %rsp\nmovq %rax, (%rsp)\n"
        "call rff_hasKept\nmovq %rax, %r11\nmovq (%rsp), %rax\nadd $16, %rsp\njmp *%r11\n"
        ".size rff_afterNumber, .-rff_afterNumber\n");
#else
__asm__(".text\n.p2align 2\n.type rff_afterNumber, %function\nrff_afterNumber:\nstr x0, [sp, #-16]!\nbl rff_hasKept\n"
        "mov x16, x0\nldr x0, [sp], #16\nbr x16\n.size rff_afterNumber, .-rff_afterNumber\n");
#endif

/// Notes a question, and has the frame of the function that asks return by way of here.
static void asks(uintptr_t caller, uintptr_t *frame) {
  for (int32_t index = 0; index < count; index++) {
    if (caller < numbers[index].begin || caller >= numbers[index].end) continue;
    // The return address is looked at before it is another one.
    rff_interruptAt(rff_asksInlined, (uintptr_t)index, frame[1]);
    returns = frame[1];
    kept = answer(index);
    frame[1] = (uintptr_t)afterNumber;
    return;
  }
}

/// Does what the C library's function of that name does, without which a program may be that is linked statically.
static long callSystem(long number, const long *arguments) {
#ifdef __x86_64__
  long result = number;
  register long fourth __asm__("r10") = arguments[3];
  register long fifth __asm__("r8") = arguments[4];
  register long sixth __asm__("r9") = arguments[5];
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "rcx", "r11", "memory");
#else
  register long result __asm__("x0") = arguments[0];
  register long second __asm__("x1") = arguments[1];
  register long third __asm__("x2") = arguments[2];
  register long fourth __asm__("x3") = arguments[3];
  register long fifth __asm__("x4") = arguments[4];
  register long sixth __asm__("x5") = arguments[5];
  register long kind __asm__("x8") = number;
  __asm__ volatile("svc #0"
                   : "+r"(result)
                   : "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth), "r"(kind)
                   : "memory");
#endif
  if (result < 0 && result >= -4095) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

__attribute__((weak, used)) long rff_syscall(long, long, long, long, long, long, long) __asm__("syscall");

long rff_syscall(long number, long first, long second, long third, long fourth, long fifth, long sixth) {
  if (number == SYS_gettid && count && rff_isInterruptible()) {
    asks((uintptr_t)__builtin_return_address(0), *(uintptr_t **)__builtin_frame_address(0));
  }
  return callSystem(number, (long[]){first, second, third, fourth, fifth, sixth});
}

#else

void rff_setNumbers(const rff_Number *new, int32_t newCount) {
  (void)new;
  (void)newCount;
}

int32_t rff_takeNumber(int32_t first) {
  (void)first;
  return -1;
}

#endif
