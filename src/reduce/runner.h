// Runs a program on given calls, and tells the values of its criteria.
#pragma once

#include <string>
#include <vector>

#include "session/session.h"

namespace fathom::reduce {

using Modules = std::vector<machine::ModuleSource::Found>;

// By criterion: its values as text, one after the other. Processes, references and funs are told by
// their kind alone: their numbers and names are others in another program.
using Sequences = std::vector<std::vector<std::string>>;

struct CallValues {
  Sequences values;
  uint64_t reductions = 0;
  std::string limit;  // that has ended the run; empty: it has ended by itself
  // It has returned, and no process was left that could have shown more.
  bool is_complete = false;
};

// Whether the second shows what the first shows, for each criterion: all of it, or, where the first
// was not complete, that and more.
bool is_like(const CallValues& expected, const CallValues& seen);

class Runner {
 public:
  Runner(session::Session& session, std::vector<session::Expression> calls, size_t criteria)
      : session_(session), calls_(std::move(calls)), criteria_(criteria) {}

  size_t call_count() const { return calls_.size(); }
  // The modules in place of the session's own of their names. `reductions`: a run that takes more
  // is cut off there.
  CallValues run(size_t call, const Modules& modules, uint64_t reductions) const;

 private:
  session::Session& session_;
  std::vector<session::Expression> calls_;
  size_t criteria_;
};

// Text without what tells apart processes, references and funs.
std::string without_identities(std::string_view text);

}  // namespace fathom::reduce
