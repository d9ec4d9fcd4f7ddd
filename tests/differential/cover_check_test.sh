#!/usr/bin/env bash
# Coverage does not change a search: the tests of tests/check/expected.txt, with and without --cover,
# have the same verdict, the same errors and the same numbers of interleavings and events. Every third
# test by default; STEP=1 takes all.
set -euo pipefail
cd "$(dirname "$0")/../.."
fathom=${FATHOM:-$PWD/build/fathom}
step=${STEP:-3}
passed=0 failed=0 n=0
said() {  # what is said of a test, without times
  timeout 60 "$fathom" check --max-interleavings 2000 "$@" 2>&1 | sed -n '1s/ in [0-9.]* s$//p' || true
}
while IFS= read -r line; do
  test=$(sed -E 's/ +(clean|bug|unknown)( .*)?$//' <<< "$line")
  [[ -n $test && $test != \#* ]] || continue
  n=$(( n + 1 ))
  (( n % step == 0 )) || continue
  module=${test%%:*}
  file=tests/check/$module.erl
  [[ -e $file ]] || continue
  plain=$(said "$file" -t "$test")
  covered=$(said "$file" -t "$test" --cover=all)
  if [[ $plain == "$covered" && -n $plain ]]; then
    passed=$(( passed + 1 ))
  else
    failed=$(( failed + 1 ))
    printf 'DIFFERENT %s\n  %s\n  %s\n' "$test" "$plain" "$covered"
  fi
done < tests/check/expected.txt
echo "$passed passed, $failed failed"
(( failed == 0 && passed > 0 ))
