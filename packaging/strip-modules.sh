#!/bin/sh
# Deletes files that the program does not use from a folder node_modules: types, source maps, tests and documents. Keeps licences.
#
#   packaging/strip-modules.sh node_modules
set -eu

find "$1" -type d \( -name test -o -name tests -o -name benchmark -o -name benchmarks -o -name examples -o -name .github \) \
  -prune -exec rm -rf {} +
find "$1" -type f \
  \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' -o -name '*.md' -o -name '*.yml' -o -name '.*' \) \
  -not -iname 'licen[cs]e*' -delete
find "$1" -type d -empty -delete
