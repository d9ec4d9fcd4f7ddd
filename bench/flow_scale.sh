#!/usr/bin/env bash
# What the flow analysis costs: `fathom graph` on growing parts of OTP's kernel and stdlib, all of
# them together last, every exported function an entry. For each size the functions of the graph,
# with those of libraries that are reached; user time and memory, and the exponent of time against
# functions (least squares over the sizes). And a project of some 11,000 lines with what it reaches
# in OTP. The goals: all of both within 20 s and 3 GB, exponent at most 1.3, the project within 1 s.
set -euo pipefail
fathom=${FATHOM:-build/fathom}
lib=$(erl -noshell -eval 'io:put_chars(code:lib_dir()), halt().')
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# modules…: "functions seconds kilobytes"
measure() {
  /usr/bin/time -o "$out/time" -f '%U %M' "$fathom" graph "$@" -o "$out/text"
  "$fathom" graph --format json "$@" -o "$out/json"
  echo "$(sed -n 's/^  "functions": \([0-9]*\),$/\1/p' "$out/json") $(cat "$out/time")"
}

# Those that call few others first, so that a part reaches little beyond itself: by size.
mapfile -t modules < <(ls -Sr "$lib"/{stdlib,kernel}-*/ebin/*.beam)
printf '%-10s %10s %10s %10s\n' modules functions seconds MB
for share in 16 8 4 2 1; do
  count=$(( ${#modules[@]} / share ))
  read -r functions seconds kilobytes <<<"$(measure "${modules[@]:0:count}")"
  printf '%-10s %10s %10s %10s\n' "$count" "$functions" "$seconds" $(( kilobytes / 1024 ))
  echo "$functions $seconds" >>"$out/points"
done
exponent=$(awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
                END { printf "%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx) }' "$out/points")
echo "seconds grow with functions to the power of $exponent"
read -r functions project _ <<<"$(measure "$lib"/eunit-*/ebin "$lib"/runtime_tools-*/ebin)"
echo "eunit and runtime_tools: $functions functions, $project s"

awk -v t="$seconds" -v m="$kilobytes" -v e="$exponent" -v p="$project" \
  'BEGIN { exit !(t <= 20 && m <= 3 * 1024 * 1024 && e <= 1.3 && p <= 1) }' || {
  echo "flow_scale: a goal was missed" >&2
  exit 1
}
