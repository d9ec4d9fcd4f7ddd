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

# The kernel counts user time in ticks, and 1+1 is over before the first one: ten are timed.
tenths() {  # program, case; of a millisecond
  local TIMEFORMAT=%3U times=1 seconds
  [[ $2 != 1+1 ]] || times=10
  seconds=$( { time for (( i = 0; i < times; ++i )); do run_case "$1" "$2"; done; } 2>&1 )
  echo $(( 10 * 10#${seconds/./} / times ))
}

declare -A least
for (( round = 0; round < rounds; ++round )); do
  for name in "${names[@]}"; do
    for program in "$fathom" ${base:+"$base"}; do
      now=$(tenths "$program" "$name")
      key="$program $name"
      [[ -n ${least[$key]:-} ]] && (( least[$key] <= now )) || least[$key]=$now
    done
  done
done

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / (b > 0 ? b : 1) }'; }
shown() { awk -v t="$1" 'BEGIN { printf "%.1f ms", t / 10 }'; }
missed=0
for name in "${names[@]}"; do
  mine=${least["$fathom $name"]}
  of="1+1"
  [[ $name != *" -t" ]] || of="one -t"
  first=${least["$fathom $of"]}
  printf '%-12s %9s, %5s times %s' "$name" "$(shown "$mine")" "$(ratio "$mine" "$first")" "$of"
  if [[ -n $base ]]; then
    theirs=${least["$base $name"]}
    printf '; %s: %s, %s times as much' "$base" "$(shown "$theirs")" "$(ratio "$theirs" "$mine")"
  fi
  printf '\n'
  [[ $name == *" -t" ]] || (( mine <= 10 * limit )) || missed=1
done
exit $missed
