// What the EUnit tests of a project exercise, for fathom gen --complete, and the calls of tests
// that were generated before.
#pragma once

#include "base/result.h"
#include "generate/exercised.h"
#include "session/session.h"

namespace fathom {

// Runs them twice: clauses and flows of data are seen by code of different kinds. `except`: a
// module whose tests are left out.
generate::Exercised run_existing_tests(session::Session& session, const std::string& except);

// The calls of other modules in a module of tests, as they are written there. An error: the module
// has errors.
struct EarlierCall {
  Atom module;
  Atom function;
  std::vector<std::string> arguments;
};
Result<std::vector<EarlierCall>> earlier_calls(session::Session& session, const std::string& path,
                                               std::string text);

}  // namespace fathom
