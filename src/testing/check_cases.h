// The EUnit tests of a module as tests of a check: a test function is one, and so is each test of a
// generator, so that an error of one does not hide those of the others.
//
// Each test is checked by itself, between the setups and cleanups of the groups around it, without
// the tests before it (fathom_check.erl). One that fails by itself and passes after the others
// needs what they do, and is checked after them. Tests that run in parallel are one test of a
// check. A generator that fails is checked as a whole.
//
// A case of a Common Test suite is checked in one process, between the init and end functions
// around it (fathom_ct.erl), without timetraps.
//
// Cost: one run of the generator with its setups, and at least one of each of its tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testing/evaluation.h"
#include "testing/find_tests.h"

namespace fathom::testing {

struct CheckCase {
  std::string name;
  Atom module;
  Atom function;
  bool is_generator = false;
  std::vector<int64_t> path = {};  // of a generator: to the test; empty: all of them
  bool needs_others = false;       // those before it
  int64_t suite_case = 0;          // of a suite of Common Test: the number of the case, from 1 on
};

std::vector<CheckCase> check_cases(const TestModule& module, session::Session& session,
                                   const Filter& filter);

// What is to be called for the test.
Call call_of(const CheckCase& test, machine::Machine& m);
// The same as an expression.
std::string text_of(const CheckCase& test);

}  // namespace fathom::testing
