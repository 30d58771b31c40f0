# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# What tsan.sh and asan.sh, which source this file, leave out: tests in which one thread acts at a time, so that a
# sanitizer makes them slow and finds nothing more in them. `make test` runs them.
#
# Whoever adds such a suite, lists it here; whoever isn't sure doesn't.

# Explored orders and walked graphs aren't even compiled: Package.swift excludes their folders.
export RACEFREEFUTURE_SANITIZED=1
# And these aren't run: judgments; long lines and loops; memory; exit tests for a
# message; races that never end.
suites='HistoryMinimizerTests|HistoryVerdictTests|HistoryReportTests|FutureMachineTests'
suites+='|ValueFutureChainTests'
suites+='|TrampolineStagesTests|DepthLawTests|MemoryTests|FutureWaitingForItselfTests|RaceEndingTests'
# And tests whose names have such words: lines that are made by one thread, to exhaust a stack.
large='100,000|ten thousand|hundred thousand|million'
# And one that forks: ThreadSanitizer delivers signals late, and in the child not at all.
forked='a signal to a forked child'
# And those that measure the memory of the process, of which a sanitizer takes a multiple.
measured='take no more memory than'
# And one of a recipe with a bare `Mutex`, into which ThreadSanitizer can't see.
bare='callers on two threads get the same work'
# shellcheck disable=SC2034
sanitized=(--skip "\\.($suites)/" --skip "/.*($large|$forked|$measured|$bare)")
