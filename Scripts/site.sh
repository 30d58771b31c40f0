#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Looks at the pages of the site in headless Chromium: site.sh [BASE]; part of docs.sh, skipped without a Chromium.
# With --find it says only whether there is one.
#
# Every link of every page leads somewhere; the guides, the tutorials and a symbol of each kind show their titles, a sidebar
# and all of their code, at the widths of a desktop and of a telephone, without a JavaScript error.
set -euo pipefail
cd "$(dirname "$0")/.."

chromium=
for name in chromium chromium-headless-shell chromium-browser google-chrome \
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
  # On Ubuntu the name may be that of a program that asks for another package.
  if "$name" --version > /dev/null 2>&1; then
    chromium=$name
    break
  fi
done
if [[ -z $chromium ]] || ! command -v python3 > /dev/null; then
  echo "skipped: site: there is no Chromium or no Python 3 to look at it (on Debian: apt-get install chromium python3)"
  if [[ ${1:-} == --find ]]; then exit 1; fi
  exit 0
fi
if [[ ${1:-} == --find ]]; then exit 0; fi
python3 -B Scripts/site.py .build-docs/site "$chromium" "${1:-}"
