#!/usr/bin/env bash
# What the flow analysis costs, in user time (the least of ROUNDS runs) and memory.
#
# Projects of about 10,000 lines, from their sources in the layout of rebar3, with what they reach in
# OTP: eunit with runtime_tools, reltool, sasl. Then a project with more and more applications, and
# the exponent of time against its lines (least squares of the logarithms). And growing parts of
# kernel and stdlib, those of the smallest files first, all of both last; a small part reaches much
# of the rest, so these have no exponent. Every exported function is an entry.
#
# The goals: a project of 10,000 lines within 1 s, an exponent of at most 1.3, all of kernel and
# stdlib within 20 s and 3 GB.
set -euo pipefail
fathom=${FATHOM:-build/fathom}
rounds=${ROUNDS:-3}
lib=$(erl -noshell -eval 'io:put_chars(code:lib_dir()), halt().')
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
missed=0

# paths…: "seconds kilobytes"
measure() {
  for _ in $(seq "$rounds"); do
    /usr/bin/time -o "$out/time" -f '%U %M' "$fathom" graph "$@" -o "$out/text" 2>"$out/errors"
    tail -1 "$out/time"
  done | sort -n | head -1
}

# A project with these applications of OTP, from their sources.
project() {
  local root=$1 application
  shift
  for application in "$@"; do
    mkdir -p "$root/apps/$application"
    cp -r "$lib/$application"-*/src "$root/apps/$application/"
    cp -r "$lib/$application"-*/include "$root/apps/$application/" 2>/dev/null || true
  done
  echo '{erl_opts, [debug_info]}.' >"$root/rebar.config"
}
lines_of() { find "$1" -name '*.erl' -exec cat {} + | wc -l; }
goal() { # text value most
  awk -v v="$2" -v m="$3" 'BEGIN { exit !(v <= m) }' && return
  echo "flow_scale: $1: $2 (at most $3)" >&2
  missed=1
}
exponent() {
  awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
       END { printf "%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx) }' "$1"
}

echo 'Projects of about 10,000 lines'
printf '%-24s %10s %10s %10s\n' project lines seconds MB
for applications in 'eunit runtime_tools' reltool sasl; do
  root="$out/${applications// /_}"
  # shellcheck disable=SC2086
  project "$root" $applications
  read -r seconds kilobytes <<<"$(measure "$root")"
  printf '%-24s %10s %10s %10s\n' "$applications" "$(lines_of "$root")" "$seconds" $((kilobytes / 1024))
  goal "$applications, seconds" "$seconds" 1
done

echo 'A project that grows'
printf '%-24s %10s %10s %10s\n' 'with' lines seconds MB
for application in eunit runtime_tools sasl reltool mnesia ssh; do
  project "$out/growing" "$application"
  lines=$(lines_of "$out/growing")
  read -r seconds kilobytes <<<"$(measure "$out/growing")"
  printf '%-24s %10s %10s %10s\n' "$application" "$lines" "$seconds" $((kilobytes / 1024))
  echo "$lines $seconds" >>"$out/by_lines"
done
power=$(exponent "$out/by_lines")
echo "seconds grow with lines to the power of $power"
goal 'exponent by lines' "$power" 1.3

echo 'Parts of kernel and stdlib'
mapfile -t modules < <(ls -Sr "$lib"/{stdlib,kernel}-*/ebin/*.beam)
printf '%-24s %10s %10s %10s\n' modules functions seconds MB
for share in 16 8 4 2 1; do
  count=$((${#modules[@]} / share))
  read -r seconds kilobytes <<<"$(measure "${modules[@]:0:count}")"
  functions=$(sed -n '1s/ function.*//p' "$out/text")
  printf '%-24s %10s %10s %10s\n' "$count" "$functions" "$seconds" $((kilobytes / 1024))
done
goal 'kernel and stdlib, seconds' "$seconds" 20
goal 'kernel and stdlib, kilobytes' "$kilobytes" $((3 * 1024 * 1024))
exit "$missed"
