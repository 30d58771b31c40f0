# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# What tsan.sh and asan.sh, which source this file, leave out: tests in which one thread acts at a time, so that a
# sanitizer makes them slow and finds nothing more in them. `make test` runs them.
#
# Whoever adds such a suite, lists it here; whoever isn't sure doesn't.

# Explored orders and walked graphs: all suites of these folders, but for one in which parts of the runtime are replaced.
folders=(Tests/RaceFreeFuture{,Testing}Tests/Exploring Tests/RaceFreeFutureTests/Specification)
suites=$(grep -rhoE '@Suite.* struct [A-Za-z0-9]+' "${folders[@]}" | awk '{ print $NF }' |
  grep -v -x ExploreTasksTests | paste -s -d '|' -)
# And these: orders that are explored elsewhere; judgments; long lines and loops; memory; exit tests for a message; races
# that never end.
suites+='|ExploredScopeTests|ExploredSharedFuturesTests|ExploredHistoryTests|HistoryMinimizerTests|HistoryVerdictTests|HistoryReportTests|FutureMachineTests'
suites+='|ValueFutureChainTests'
suites+='|TrampolineStagesTests|DepthLawTests|MemoryTests|FutureWaitingForItselfTests|RaceEndingTests'
# And tests whose names have such words: lines that are made by one thread, to exhaust a stack; one long order, and a
# program with many.
large='100,000|ten thousand|hundred thousand|million|may take as many steps as they need'
large+='|lets others in between check and act'
large+='|Somebody looks while money|Sleeps take no time|polls an actor|is told of, with its task|outlives the body'
large+='|Futures live in the same world'
# And one that forks: ThreadSanitizer delivers signals late, and in the child not at all.
forked='a signal to a forked child'
# And those that measure the memory of the process, of which a sanitizer takes a multiple.
measured='take no more memory than'
# And one of a recipe with a bare `Mutex`, into which ThreadSanitizer can't see.
bare='callers on two threads get the same work'
# shellcheck disable=SC2034
sanitized=(--skip "\\.($suites)/" --skip "/.*($large|$forked|$measured|$bare)")
