#!/usr/bin/env bash
# docs/bifs.md says what the machine's tables and the installed OTP say. The page is
# of one release of OTP: with another one installed there is nothing to compare.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
if ! grep -q "that OTP $release implements natively" docs/bifs.md; then
  echo "docs/bifs.md is not of OTP $release: nothing to compare"
  echo "0 passed, 0 failed"
elif diff -u docs/bifs.md <(scripts/bifs-page); then
  echo "1 passed, 0 failed"
else
  echo "docs/bifs.md is out of date: make docs"
  echo "0 passed, 1 failed"
  exit 1
fi
