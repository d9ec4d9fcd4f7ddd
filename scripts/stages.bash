# Runs stages, for scripts/test and scripts/soak: they source this file and call
#
#   run_stages STAGES [WANTED…]
#
# STAGES is the name of an array; an element is a name, blanks, and a command for the shell. With
# names WANTED, only these are run. A stage that fails does not stop the ones after it. Its counts
# are those of the last line "N passed, N failed" that it prints; `check COMMAND…` makes such a
# line for a command that has none. At the end comes a table of the stages with their seconds, then
# the last lines of each stage that failed, as far as they are about failures, and, as the last line,
# the sum of all: "N passed, N failed".

# A sanitizer's finding must not look like an exit code of Fathom's own.
export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1

check() { if "$@"; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; return 1; fi; }

is_wanted() {  # NAME [WANTED…]
  (( $# > 1 )) || return 0
  local name
  for name in "${@:2}"; do [[ $name != "$1" ]] || return 0; done
  return 1
}

# What went wrong in a stage: the lines of its log that look like it, or else its last ones.
failures_of() {  # NAME
  echo "-- $1 failed:"
  { grep -aE 'FAIL|DIFFERENT|error:|with findings|[Ff]ailed:|stopped with status|did not end|fails in' "$log" || tail -n 8 "$log"; } |
    grep -avE '^[0-9]+ passed' | tail -n 8 | cut -c1-200
}

run_stage() {  # NAME COMMAND: adds a line to the table, and to the totals
  local name=$1 command=$2 status=0 start=$SECONDS passed=0 failed=0 counts
  printf '\n== %s\n' "$name"
  (eval "$command") 2>&1 </dev/null | tee "$log" || status=$?
  counts=$(grep -Ex '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 || true)
  if [[ -n $counts ]]; then
    read -r passed _ failed _ <<<"$counts"
  else
    status=1
  fi
  (( status == 0 || failed > 0 )) || failed=1
  table+=("$(printf '%-14s %8d %8d %8d' "$name" "$passed" "$failed" $(( SECONDS - start )))")
  (( failed == 0 )) || failures+=("$(failures_of "$name")")
  total_passed=$(( total_passed + passed )) total_failed=$(( total_failed + failed ))
}

run_stages() {
  local -n all_stages=$1
  shift
  local stage name command log table=() failures=() total_passed=0 total_failed=0
  log=$(mktemp)
  trap "rm -f '$log'" EXIT
  for stage in "${all_stages[@]}"; do
    read -r name command <<<"$stage"
    if is_wanted "$name" "$@"; then run_stage "$name" "$command"; fi
  done
  if (( ${#table[@]} == 0 )); then
    echo "There is no stage of that name: $*" >&2
    return 1
  fi
  printf '\n%-14s %8s %8s %8s\n' stage passed failed seconds
  printf '%s\n' "${table[@]}"
  printf '%-14s %8d %8d %8d\n\n' total "$total_passed" "$total_failed" "$SECONDS"
  (( total_failed == 0 )) || printf '%s\n' "${failures[@]}" ""
  echo "$total_passed passed, $total_failed failed"
  (( total_failed == 0 ))
}
