#!/usr/bin/env bash
# What labelled values cost: every program of bench/programs and bench/processes, plain and labelled,
# LABEL_ROUNDS (3) times each in turn; a program's time is the least user time. The goal: a
# geometric mean of at most 2.5.
set -euo pipefail
tool=${LABEL_COST:-build/tests/fathom_label_cost}
rounds=${LABEL_ROUNDS:-3}

user_milliseconds() {
  local TIMEFORMAT=%3U seconds
  seconds=$( { time "$@" >/dev/null 2>&1; } 2>&1 )
  echo $(( 10#${seconds/./} ))
}

for file in bench/programs/*.erl bench/processes/*.erl; do
  name=$(basename "$file" .erl)
  plain=999999999 labelled=999999999
  for (( round = 0; round < rounds; ++round )); do
    now=$(user_milliseconds "$tool" "$file" "$name" plain); (( now < plain )) && plain=$now
    now=$(user_milliseconds "$tool" "$file" "$name" labelled); (( now < labelled )) && labelled=$now
  done
  echo "$name $plain $labelled"
done | awk '
  BEGIN { printf "%-18s %9s %11s %6s\n", "program", "plain ms", "labelled ms", "ratio" }
  { ratio = $3 / ($2 > 0 ? $2 : 1); printf "%-18s %9d %11d %6.2f\n", $1, $2, $3, ratio
    sum += log(ratio); count++ }
  END { printf "geometric mean %.2f of %d programs (goal: 2.5)\n", exp(sum / count), count }'
