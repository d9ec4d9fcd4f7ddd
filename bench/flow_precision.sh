#!/usr/bin/env bash
# How much of the flow graph of the example projects is seen when their tests run, by kind of edge;
# UNSEEN=1 names the calls of funs and the messages that are not. The goal is 60 % of both.
set -euo pipefail
tests=${FLOW_TESTS:-build/tests/fathom_flow_tests}
"$tests" --gtest_filter='Precision.*' | grep -v '^\[\|^Running\|^Note' | tee /dev/stderr 2>&1 |
  awk '/^all/ { share[$2] = $(NF - 1) }
       END { exit !(share["higher_order_call"] >= 60 && share["message"] >= 60) }' || {
  echo "flow_precision: a goal was missed" >&2
  exit 1
}
