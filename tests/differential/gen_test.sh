#!/usr/bin/env bash
# What `fathom gen` writes compiles without warnings and passes under OTP's eunit: for the programs
# of tests/gen with all kinds of inputs and criteria, and for modules of stdlib.
# MODULES: which of stdlib; SECONDS_EACH: for each of their functions, of which many have more paths
# than there is time for.
set -uo pipefail
fathom=${FATHOM:-build/fathom}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
stdlib=$(erl -noshell -eval 'io:format("~s", [code:lib_dir(stdlib, ebin)]), halt().')
read -ra modules <<<"${MODULES:-lists queue orddict proplists}"
passed=0
failed=0

# NAME SECONDS ARGUMENTS…: generates the test module NAME.
suite() {
  local name=$1 seconds=$2
  shift 2
  "$fathom" gen --quiet --format eunit -o "$dir/$name.erl" --time-limit "$seconds" "$@"
  local code=$?
  if ((code != 0 && code != 2)); then
    echo "fathom gen $*: exit code $code"
    failed=$((failed + 1))
  fi
}

for file in tests/gen/*.erl; do
  module=$(basename "$file" .erl)
  erlc -o "$dir" "$file" || failed=$((failed + 1))
  suite "${module}_branch_tests" 2 "$file"
  suite "${module}_errors_tests" 2 "$file" --errors
  suite "${module}_any_tests" 2 "$file" --inputs any --errors
  suite "${module}_paths_tests" 2 "$file" --paths --length 3 --size 8
done
for module in "${modules[@]}"; do
  suite "${module}_gen_tests" "${SECONDS_EACH:-0.3}" "$stdlib/$module.beam" --errors
done

for file in "$dir"/*_tests.erl; do
  module=$(basename "$file" .erl)
  # Of calls of OTP the compiler knows which raise.
  warnings=-Werror
  [[ $module != *_gen_tests ]] || warnings=+nowarn_failed
  if ! erlc "$warnings" -o "$dir" "$file"; then
    failed=$((failed + 1))
    continue
  fi
  output=$(erl -noshell -pa "$dir" -eval "
    Result = eunit:test($module, [no_tty, {report, {eunit_surefire, [{dir, \"$dir\"}]}}]),
    io:format(\"~p~n\", [Result]), halt().")
  tests=$(grep -c '_test() ->' "$file")
  if [[ $output == *ok* ]]; then
    passed=$((passed + tests))
  else
    grep -h -B2 -A6 '<failure\|<error' "$dir/TEST-$module.xml" | head -40
    echo "$module: $output"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
((failed == 0))
