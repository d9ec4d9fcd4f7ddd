#!/usr/bin/env bash
# fathom gen on every exported function of modules of stdlib: clauses covered, functions whose
# paths were all tried, exceptions within the specs, tests that came out differently than predicted.
# The goal: a report of every module, and no wrong prediction.
#   bench/gen_stdlib.sh [SECONDS_EACH] [MODULE…]
set -euo pipefail
fathom=${FATHOM:-build/fathom}
seconds=${1:-2}
shift || true
modules=("$@")
((${#modules[@]} > 0)) || modules=(lists proplists string calendar uri_string base64 queue orddict
  gb_trees filename dict sets ordsets gb_sets array maps binary unicode erl_anno io_lib)
stdlib=$(erl -noshell -eval 'io:format("~s", [code:lib_dir(stdlib, ebin)]), halt().')
out=$(mktemp)
trap 'rm -f "$out"' EXIT
printf '%-12s %9s %16s %10s %6s %10s %7s %8s\n' module functions 'clauses covered' exhausted tests \
  exceptions   wrong seconds
missed=0
for module in "${modules[@]}"; do
  rm -f "$out"
  "$fathom" gen --criterion branch --quiet --errors --format json -o "$out" --time-limit "$seconds" \
    "$stdlib/$module.beam" || true
  if [[ ! -s $out ]]; then
    printf '%-12s no report\n' "$module"
    missed=1
    continue
  fi
  perl -MJSON::PP -e '
    local $/; my $d = decode_json(<STDIN>); my ($c, $t, $e, $n, $x, $u) = (0) x 6;
    for (@{$d->{functions}}) {
      $c += $_->{coverage}{covered}; $t += $_->{coverage}{total}; $e++ if $_->{exhausted};
      $n += @{$_->{tests}}; $x += grep { $_->{finding} } @{$_->{tests}}; $u += @{$_->{wrong_predictions}};
    }
    printf "%-12s %9d %8d of %4d %10d %6d %10d %7d %8.1f\n", $ARGV[0],
      scalar @{$d->{functions}}, $c, $t, $e, $n, $x, $u, $d->{seconds};
    exit($u > 0);
  ' "$module" <"$out" || missed=1
done
exit "$missed"
