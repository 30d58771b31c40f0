// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What happens when a signal is caught. A signal handler may interrupt anything, also the Swift runtime with a lock
// held; so it is C, and calls nothing but functions that the system allows there.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CSignals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/// The end that the handler writes to. Written once, before the first handler is installed.
static volatile sig_atomic_t writing_end = -1;

/// The process whose signals are caught. Written with `writing_end`.
static volatile pid_t owner;

/// What signals did before they were caught. Used under the lock of the caller, and by a handler in a forked child, which
/// has a copy.
static struct sigaction previous[128];

static void note(int signal) {
  int saved = errno;
  if (getpid() != owner) {
    // A child that was forked and runs no other program: it shares the pipe, but the signal is its own, and has the effect
    // that it had before, when this handler has returned.
    sigaction(signal, &previous[signal], NULL);
    raise(signal);
    errno = saved;
    return;
  }
  unsigned char number = (unsigned char)signal;
  // If the pipe is full, nobody has read for a long time: one signal more says nothing new.
  ssize_t ignored = write(writing_end, &number, 1);
  (void)ignored;
  errno = saved;
}

int rff_openSignalPipe(void) {
  int ends[2];
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
#else
  // A child that other code launches in between inherits the ends.
  if (pipe(ends) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    fcntl(ends[end], F_SETFL, O_NONBLOCK);
  }
#endif
  owner = getpid();
  writing_end = ends[1];
  return ends[0];
}

bool rff_catchSignal(int signal) {
  if (signal <= 0 || signal >= 128) return false;
  struct sigaction action = {0};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(signal, &action, &previous[signal]) == 0;
}

void rff_releaseSignal(int signal) {
  struct sigaction current;
  // Unless somebody else has set another one meanwhile: that stays.
  if (sigaction(signal, NULL, &current) == 0 && current.sa_handler == note) sigaction(signal, &previous[signal], NULL);
}
