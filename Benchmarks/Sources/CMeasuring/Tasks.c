// Copyright (c) 2026 the RaceFreeFuture authors
// SPDX-License-Identifier: MIT

#include "CMeasuring.h"

#include <stdlib.h>

// What the runtime exports: who gets the jobs for the global executor, and how a job is run.
typedef __attribute__((swiftcall)) void (*enqueue_function)(void *job);
extern __attribute__((swiftcall)) void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_function original);
extern __attribute__((swiftcall)) void swift_job_run(void *job, void *identity, void *implementation);

static _Thread_local bool is_keeping;
static _Thread_local void **jobs;
static _Thread_local int count, capacity;

static __attribute__((swiftcall)) void take(void *job, enqueue_function original) {
  if (!is_keeping) return original(job);
  if (count == capacity) {
    capacity = capacity == 0 ? 4 : 2 * capacity;
    jobs = realloc(jobs, capacity * sizeof *jobs);
    if (jobs == NULL) abort();
  }
  jobs[count++] = job;
}

void keep_tasks(bool keep) {
  is_keeping = keep;
  swift_task_enqueueGlobal_hook = keep ? take : NULL;
}

void run_tasks(void) {
  // No identity: on behalf of the global executor.
  while (count > 0) swift_job_run(jobs[--count], NULL, NULL);
}
