#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Looks at the pages of the site in headless Chromium: site.sh [BASE]; part of docs.sh.
#
# With --find it says only whether there is one. Playwright comes from PyPI, into a folder of its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

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
exec "$venv/bin/python" -B Scripts/shared/site.py .build-docs/site "$(command -v "$chromium")" "${1:-}"
