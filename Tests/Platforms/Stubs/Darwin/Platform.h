// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What the package uses of Apple's C library, with the declarations of the headers that are named.

// In Swift only it has the name that it has there: one program can't have two C structures of a name.
#define SWIFT_NAME(name) __attribute__((swift_name(#name)))

typedef __SIZE_TYPE__ size_t;
typedef __UINT16_TYPE__ mode_t;          // sys/_types/_mode_t.h
typedef __UINT32_TYPE__ sigset_t;        // sys/_types/_sigset_t.h
typedef unsigned int nfds_t;             // sys/poll.h
typedef struct __sFILE { int _file; } FILE;  // _stdio.h

// sys/signal.h, sigaction(2)
struct SWIFT_NAME(siginfo_t) system_siginfo {
  int si_signo;
  int si_errno;
  int si_code;
  int si_pid;
  unsigned int si_uid;
  int si_status;
  void *si_addr;
};

union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, struct system_siginfo *, void *);
};

struct SWIFT_NAME(sigaction) system_sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};

#define SIGBUS 10
#define SA_ONSTACK 0x0001
#define SA_SIGINFO 0x0040

// sys/fcntl.h, open(2)
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400

#include "../Posix.h"

// pthread.h, sys/_pthread/_pthread_types.h
typedef struct _opaque_pthread_t { long __sig; } *pthread_t;
typedef struct _opaque_pthread_attr_t { long __sig; } pthread_attr_t;
typedef unsigned long pthread_key_t;
int pthread_create(pthread_t _Nullable *_Nonnull restrict, const pthread_attr_t *_Nullable restrict,
                   void *_Nullable (*_Nonnull)(void *_Nullable), void *_Nullable restrict);
int pthread_detach(pthread_t _Nonnull);
pthread_t _Nonnull pthread_self(void);
int pthread_key_create(pthread_key_t *_Nonnull, void (*_Nullable)(void *_Nonnull));
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);

// time.h, clock_gettime(3)
typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
  _CLOCK_UPTIME_RAW = 8,
  _CLOCK_THREAD_CPUTIME_ID = 16,
} clockid_t;
static const clockid_t CLOCK_UPTIME_RAW = _CLOCK_UPTIME_RAW;
static const clockid_t CLOCK_THREAD_CPUTIME_ID = _CLOCK_THREAD_CPUTIME_ID;
struct SWIFT_NAME(timespec) system_timespec { long tv_sec; long tv_nsec; };
int clock_gettime(clockid_t, struct system_timespec *);
unsigned long long clock_gettime_nsec_np(clockid_t __clock_id);

// dlfcn.h, dladdr(3)
typedef struct dl_info {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;
int dladdr(const void *, Dl_info *);

// unistd.h, sysconf(3)
#define _SC_NPROCESSORS_ONLN 58
