#!/usr/bin/env bash
# A large program under `fathom check`: Dialyzer, as it is installed with OTP, analyses a small
# module with a small PLT. Prints for each bound how many interleavings there are, or how many were
# explored in SECONDS (60 by default), and how many errors were found: there are none.
#
#   bench/dialyzer.sh [SECONDS]
#
# docs/large_programs.md has results.
set -euo pipefail
cd "$(dirname "$0")/.."
fathom=${FATHOM:-$PWD/build/fathom}
wrong=0
seconds=${1:-60}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > small.erl <<'ERL'
-module(small).
-export([sum/1, twice/1]).
sum([]) -> 0;
sum([H | T]) -> H + sum(T).
twice(X) when is_integer(X) -> X * 2.
ERL
cat > analysis.erl <<'ERL'
-module(analysis).
-export([test/0]).
test() ->
    [] = dialyzer:run([{analysis_type, succ_typings}, {files, ["small.erl"]}, {from, src_code},
                       {init_plt, "small.plt"}, {check_plt, false}]).
ERL
erlc +debug_info small.erl
dialyzer --build_plt --output_plt small.plt -c small.beam > /dev/null

check() {  # options
  local out code=0
  TIMEFORMAT=%U
  out=$({ time "$fathom" check analysis.erl -t analysis:test --keep-going "$@" > result.txt; } 2>&1) || code=$?
  printf '%-18s exit %d, %s s of CPU\n  %s\n' "$*" "$code" "$(tail -n 1 <<< "$out")" "$(head -n 1 result.txt)"
  (( code < 2 )) || wrong=1
}
for bound in "--preemptions 0" "--preemptions 2" "--delays 1" "--delays 2" ""; do
  # shellcheck disable=SC2086
  check $bound --time-limit "$seconds"
done
exit $wrong
