#!/bin/bash
# Copyright (c) 2026 the RaceFreeFuture authors
# SPDX-License-Identifier: MIT

# Checks the form of sources, words and widths of pages, tables of locks and orderings, the list of faults, and floors.
set -euo pipefail
cd "$(dirname "$0")/.."
exec python3 -B Scripts/shared/lint.py
