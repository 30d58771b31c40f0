#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Looks at the pages of the site, and of failures, in headless Chromium: site.sh [BASE]; part of docs.sh.
#
# The pages of failures are those that their tests write. With --find it says only whether there is a Chromium. Playwright
# comes from PyPI, into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. Scripts/shared/strict.sh

# On Ubuntu the name may be that of a program that asks for another package.
for chromium in chromium chromium-headless-shell google-chrome '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' ''; do
  if "$chromium" --version > /dev/null 2>&1; then break; fi
done
if [[ ${1:-} == --find ]]; then [[ -n $chromium ]]; exit; fi
if [[ -z $chromium ]]; then
  echo "skipped: site: there is no Chromium to look at it (on Debian: apt-get install chromium)"
  exit
fi
venv=.build-site
"$venv/bin/python" -c 'import playwright' 2> /dev/null ||
  { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --retries 5 --disable-pip-version-check playwright==1.65.2; }
"$venv/bin/python" -B Scripts/shared/site.py .build-docs/site "$(command -v "$chromium")" "${1:-}"
pages=$PWD/.build-docs/pages
rm -rf "$pages"
RACEFREEFUTURE_REPORT=$pages swift test --quiet "${strict[@]}" --filter '^RaceFreeFutureTestingTests.(OrderPage|HistoryReport)Tests/'
"$venv/bin/python" -B Scripts/shared/pages.py "$pages" "$(command -v "$chromium")"
