#!/usr/bin/env bash
# Two builds side by side, on every program of bench/: BASE=/path/to/another/fathom. In each of
# BENCH_ROUNDS rounds (3) both run every case, one after the other, so that both see the machine
# in the same state; a case's time is the least user time of its rounds. Prints the ratio of each
# case, and the geometric mean of each group. The goal: no geometric mean above 1.03.
set -euo pipefail
fathom=${FATHOM:-build/fathom}
base=${BASE:-}
rounds=${BENCH_ROUNDS:-3}
limit=1.03
if [[ -z $base ]]; then
  echo "compare_builds: nothing to compare with; set BASE to another fathom"
  exit 0
fi

cases=()  # GROUP NAME ARGUMENT…
for group in programs processes; do
  for file in bench/"$group"/*.erl; do
    name=$(basename "$file" .erl)
    cases+=("$group $name run -e erlang:phash2($name:main()) $file")
  done
done
for call in "readers(16)" "awaited(16)" "terms(16)" "messages(8)" "set_up(20000,12)"; do
  cases+=("check $call check bench/check/readers.erl --allow-leftover -t readers:$call")
done

milliseconds() {  # program, arguments…
  local TIMEFORMAT=%3U seconds
  seconds=$( { time "$@" >/dev/null 2>&1; } 2>&1 ) || {
    echo "compare_builds: failed: $*" >&2
    return 1
  }
  echo $(( 10#${seconds/./} ))
}

declare -A least
for (( round = 0; round < rounds; ++round )); do
  for entry in "${cases[@]}"; do
    read -r group name arguments <<<"$entry"
    for program in "$base" "$fathom"; do
      read -ra words <<<"$arguments"
      now=$(milliseconds "$program" "${words[@]}")
      key="$program $group $name"
      [[ -n ${least[$key]:-} ]] && (( least[$key] <= now )) || least[$key]=$now
    done
  done
done

for entry in "${cases[@]}"; do
  read -r group name _ <<<"$entry"
  echo "$group $name ${least["$base $group $name"]} ${least["$fathom $group $name"]}"
done | awk -v limit="$limit" '
  BEGIN { printf "%-10s %-18s %9s %9s %6s\n", "group", "case", "base ms", "ms", "ratio" }
  {
    ratio = $4 / ($3 > 0 ? $3 : 1)
    printf "%-10s %-18s %9d %9d %6.2f\n", $1, $2, $3, $4, ratio
    sum[$1] += log(ratio); count[$1]++
  }
  END {
    for (group in sum) {
      mean = exp(sum[group] / count[group])
      printf "%-10s %-18s %9s %9s %6.3f\n", group, "geometric mean", "", "", mean
      if (mean > limit) missed = 1
    }
    exit missed
  }'
