#!/usr/bin/env bash
# The programs of the papers (tests/gen/papers.erl): tests made from the faulty version, run against
# the correct one. The fault is exposed if one of them fails.
#   bench/gen_papers.sh [SECONDS_EACH]
set -uo pipefail
fathom=${FATHOM:-build/fathom}
seconds=${1:-1}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
erlc -o "$dir" tests/gen/papers.erl
printf '%-12s %-7s %6s %8s %9s\n' program want tests seconds exposed
for function in avl/1 heapsort/1 kruskal/1 dijkstra/1 chain/1 ticket/6 transpose/1 append/2; do
  for want in branch data_flow both paths; do
    options=(--length 4)
    if [[ $want == paths ]]; then options+=(--paths); else options+=(--criterion "$want"); fi
    name=papers_${want}_tests
    start=$(date +%s.%N)
    "$fathom" gen --quiet tests/gen/papers.erl -f "papers:faulty_$function" --format eunit \
      -o "$dir/$name.erl" --time-limit "$seconds" "${options[@]}"
    end=$(date +%s.%N)
    sed -i 's/papers:faulty_/papers:/' "$dir/$name.erl"
    erlc -o "$dir" "$dir/$name.erl"
    result=$(erl -noshell -pa "$dir" -eval "R = eunit:test($name, [no_tty]), io:format(\"~p\", [R]), halt().")
    exposed=no
    [[ $result == *ok* ]] || exposed=yes
    printf '%-12s %-7s %6d %8.2f %9s\n' "${function%/*}" "$want" \
      "$(grep -c '_test() ->' "$dir/$name.erl")" "$(echo "$end - $start" | bc)" "$exposed"
  done
done
