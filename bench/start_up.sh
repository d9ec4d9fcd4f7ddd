#!/usr/bin/env bash
# What it costs to start: an expression that needs nothing, and those that need OTP's services,
# whose modules must be read first; and ten tests of one module in one check, compared with one.
# The numbers are user time in milliseconds, the least of BENCH_ROUNDS rounds (9), in each of
# which every case runs once: so they compare even on a machine that is busy. BASE is
# another fathom, to be compared with.
set -euo pipefail
fathom=${FATHOM:-build/fathom}
base=${BASE:-}
rounds=${BENCH_ROUNDS:-9}
module=tests/check/otp_supervisor.erl
test=otp_supervisor:start_child_fix
limit=60  # milliseconds, for each of OTP's services

names=("1+1" application logger global "one -t" "ten -t")
run_case() {  # program, case
  local tests=()
  case $2 in
    "1+1") "$1" run -e '1+1' ;;
    application) "$1" run -e 'application:get_env(kernel, x)' ;;
    logger) "$1" run -e 'logger:error("x")' ;;
    global) "$1" run -e 'global:whereis_name(x)' ;;
    "one -t") "$1" check -t "$test" "$module" ;;
    "ten -t")
      for _ in {1..10}; do tests+=(-t "$test"); done
      "$1" check "${tests[@]}" "$module"
      ;;
  esac
} >/dev/null 2>&1

milliseconds() {  # program, case
  local TIMEFORMAT=%3U seconds
  seconds=$( { time run_case "$1" "$2"; } 2>&1 )
  echo $(( 10#${seconds/./} ))
}

declare -A least
for (( round = 0; round < rounds; ++round )); do
  for name in "${names[@]}"; do
    for program in "$fathom" ${base:+"$base"}; do
      now=$(milliseconds "$program" "$name")
      key="$program $name"
      [[ -n ${least[$key]:-} ]] && (( least[$key] <= now )) || least[$key]=$now
    done
  done
done

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 1) }'; }
missed=0
for name in "${names[@]}"; do
  mine=${least["$fathom $name"]}
  first=${least["$fathom 1+1"]}
  [[ $name != *" -t" ]] || first=${least["$fathom one -t"]}
  printf '%-12s %4d ms  %5s times the first of its kind' "$name" "$mine" "$(ratio "$mine" "$first")"
  [[ -z $base ]] || printf '  (%s: %d ms)' "$base" "${least["$base $name"]}"
  printf '\n'
  [[ $name == *" -t" ]] || (( mine <= limit )) || missed=1
done
exit $missed
