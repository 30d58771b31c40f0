#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the form of sources, words and widths of pages, the lists of locks and faults, and the floors.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 -B Scripts/lint.py
