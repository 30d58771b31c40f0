// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the package uses of Bionic, with the declarations of its headers
// (https://android.googlesource.com/platform/bionic, libc/include), for processors of 64 bits.

// In Swift only it has the name that it has there: one program can't have two C structures of a name.
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

typedef __SIZE_TYPE__ size_t;
typedef unsigned int mode_t;
typedef unsigned long sigset_t;
typedef unsigned int nfds_t;
typedef struct __sFILE FILE;

// bits/signal_types.h, linux/siginfo: the members are those of a union that has no name.
struct SWIFT_NAME(siginfo_t) system_siginfo {
  int si_signo;
  int si_errno;
  int si_code;
};

struct SWIFT_NAME(sigaction) system_sigaction {
  int sa_flags;
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, struct system_siginfo *, void *);
  };
  sigset_t sa_mask;
  void (*sa_restorer)(void);
};

#define SIGBUS 7
#define SA_SIGINFO 0x00000004
#define SA_ONSTACK 0x08000000

// fcntl.h
#define O_CREAT 00000100
#define O_TRUNC 00001000

#include "../Posix.h"

// pthread.h of NDK 27, which promises more than later ones.
typedef long pthread_t;
typedef struct { unsigned int flags; void *_Nullable stack_base; } pthread_attr_t;
typedef int pthread_key_t;
int pthread_create(pthread_t *_Nonnull, const pthread_attr_t *_Nullable, void *_Nonnull (*_Nonnull)(void *_Nonnull),
                   void *_Nullable);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_key_create(pthread_key_t *_Nonnull, void (*_Nullable)(void *_Nullable));
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);

// time.h
typedef int clockid_t;
struct SWIFT_NAME(timespec) system_timespec { long tv_sec; long tv_nsec; };
#define CLOCK_MONOTONIC 1
#define CLOCK_THREAD_CPUTIME_ID 3
int clock_gettime(clockid_t, struct system_timespec *_Nonnull);

// bits/sysconf.h
#define _SC_NPROCESSORS_ONLN 0x0061
