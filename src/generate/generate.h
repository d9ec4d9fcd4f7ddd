// fathom gen: a small test suite for a function.
//
// The search goes to the ends of paths, smallest inputs first. An end whose path chooses a clause
// that no test has chosen (or, if so asked, is another path, or raises at another place) becomes a
// test: the simplest inputs of the path, written as Erlang text, are run on a machine of their own,
// without unknown values. Only what this run shows goes into the test; if it is not what was
// predicted, the test is dropped and counted.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.h"
#include "generate/options.h"
#include "session/session.h"

namespace fathom::generate {

struct Progress {
  size_t covered = 0;
  size_t items = 0;
  size_t tests = 0;
  uint64_t states = 0;
  std::string_view trying = {};  // the call that was tried last
  bool is_over = false;          // what follows is putting together what was found
};

// "3", "error: badarith"
std::string outcome_text(const TestCase& test);

// The budget of the thread limits it; what was found until then is the result.
Result<Suite> generate(session::Session& session, const GenerateOptions& options,
                       const std::function<void(const Progress&)>& on_progress = {});

}  // namespace fathom::generate
