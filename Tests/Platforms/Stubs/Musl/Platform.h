// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the package uses of Musl, with the declarations of its headers (https://musl.libc.org, version 1.2).

// In Swift only it has the name that it has there: one program can't have two C structures of a name.
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

typedef __SIZE_TYPE__ size_t;
typedef unsigned mode_t;
typedef struct __sigset_t { unsigned long __bits[128 / sizeof(long)]; } sigset_t;
typedef unsigned long nfds_t;
typedef struct _IO_FILE FILE;

// signal.h
struct SWIFT_NAME(siginfo_t) system_siginfo {
  int si_signo;
  int si_errno;
  int si_code;
};

struct SWIFT_NAME(sigaction) system_sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, struct system_siginfo *, void *);
  } __sa_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};

#define SIGBUS 7
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000

// fcntl.h
#define O_CREAT 0100
#define O_TRUNC 01000

#include "../Posix.h"

// pthread.h
typedef struct __pthread *pthread_t;
typedef struct { union { int __i[14]; } __u; } pthread_attr_t;
typedef unsigned pthread_key_t;
int pthread_create(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *), void *restrict);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_key_create(pthread_key_t *, void (*)(void *));
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);

// time.h
typedef int clockid_t;
struct SWIFT_NAME(timespec) system_timespec { long tv_sec; long tv_nsec; };
#define CLOCK_MONOTONIC 1
#define CLOCK_THREAD_CPUTIME_ID 3
int clock_gettime(clockid_t, struct system_timespec *);

// unistd.h
#define _SC_NPROCESSORS_ONLN 84
