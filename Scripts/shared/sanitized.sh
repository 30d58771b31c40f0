# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# How tsan.sh and asan.sh, which source this file, run the tests with a sanitizer, but for those in which one thread acts at
# a time: a sanitizer makes them slow and finds nothing more in them. `make test` runs them.
#
# Whoever adds such a suite, lists it here; whoever isn't sure doesn't.
. Scripts/shared/strict.sh

# Explored orders and walked graphs.
for folder in Tests/*/Exploring Tests/*/Specification; do
  module=${folder#Tests/}
  files=$(find "$folder" -name '*.swift' -exec basename {} .swift \; | sed 's/+/\\+/g' | paste -s -d '|')
  walked+=${walked:+|}"^${module%/*}\..*/($files)\.swift:"
done
# And these: judgments; long lines and loops; memory; exit tests for a message; races that never end; orders.
suites='ExploringOperationsTests|HistoryMinimizerTests|HistoryVerdictTests|HistoryReportTests|FutureMachineTests'
suites+='|ValueFutureChainTests'
suites+='|TrampolineStagesTests|DepthLawTests|MemoryTests|FutureWaitingForItselfTests|RaceEndingTests'
# And tests whose names have such words: long lines and large tables, each made by one thread.
large='[0-9]00,000|ten thousand|hundred thousand|million|of a long path|after a peak|exhausting the stack'
large+='|many scopes that are dropped|however often each step keeps|many that come and go'
# And explored orders in other suites.
orders='in every order|in an explored order|in its turn or never|nothing is attempted any more|A manual clock stands still'
orders+='|The clock of a scenario|cancelled already body never runs|cancelling the task stops the work and throws at once'
orders+='|goes back to its sender|cancellation doesn.t reach the body|comes meanwhile doesn.t reach|its other waiters know'
orders+='|throws the error or the reason|lazy work never starts|returned in a cancelled task, too|never is left alone'
# And one that forks: ThreadSanitizer delivers signals late, and in the child not at all.
forked='a signal to a forked child'
# And those that measure the memory of the process, of which a sanitizer takes a multiple.
measured='take no more memory than'
# And hunts that end when a seeded fault is found: the threads of a slow program hardly meet.
hunts='a stress finds |a race finds the buggy|(counter|cell|register|queue) (that|with) .* is found|lost increment of many'
# And one of a recipe with a bare `Mutex`, into which ThreadSanitizer can't see.
bare='callers on two threads get the same work'

# sanitize <sanitizer>: runs the tests.
#
# On Linux the library is compiled with it, and linked with the tests that `make build` has compiled. So what is wrong in the
# code of a test alone isn't found: there the compiler checks what is shared, but for the little that is marked unsafe.
# Elsewhere all is compiled, in a folder of its own: there a program has to have the sanitizer from its beginning. The
# back-tracer is off, because in a program that is stopped on purpose (an exit test) it collides with the sanitizer.
sanitize() {
  local options=("${strict[@]}")
  # Before that: tests that are compiled with a library that has ThreadSanitizer call it, too, and couldn't be linked without.
  if [[ $(uname) == Linux ]]; then compile_tests; fi
  export SWIFT_BACKTRACE=enable=no
  export RACEFREEFUTURE_ITERATIONS=${RACEFREEFUTURE_ITERATIONS:-0.1} # slow: a tenth of the rounds, unless told otherwise
  unset RACEFREEFUTURE_FAST # few of these tests explore
  if [[ $(uname) == Linux ]]; then
    export RACEFREEFUTURE_SANITIZER=$1
  else
    options=(--sanitize="$1" --scratch-path ".build-$1")
    if [[ $1 == thread ]]; then options+=(-Xswiftc -DRFF_TSAN); fi
  fi
  Scripts/shared/run-tests.sh 40 "${options[@]}" \
    --skip "$walked" --skip "\\.($suites)/" --skip "/.*($large|$orders|$forked|$measured|$hunts|$bare)"
}
