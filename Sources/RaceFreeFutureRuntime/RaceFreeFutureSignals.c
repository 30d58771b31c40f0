// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

// What happens when a signal is caught. A signal handler may interrupt anything, also the Swift runtime with a lock
// held; so it is C, and calls nothing but `write`.

#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "RaceFreeFutureRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/// The end that the handler writes to. Written once, before the first handler is installed.
static volatile sig_atomic_t writing_end = -1;

/// What signals did before they were caught. Used under the lock of the caller.
static struct sigaction previous[128];

static void note(int signal) {
  int saved = errno;
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
