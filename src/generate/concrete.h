// Runs a call without unknown values, and says which clauses it chose (in code that reports them,
// CodeMode::unknowns): what a test will do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/unknowns.h"
#include "session/session.h"

namespace fathom::generate {

class ConcreteRuns {
 public:
  ConcreteRuns(session::Session& session, const machine::CodeMode& code, uint64_t calls);

  struct Run {
    machine::Outcome outcome;  // valid until the next run
    std::vector<uint32_t> clauses;
  };
  // None: the text is no expression, or the call does not end.
  std::optional<Run> run(const std::string& expression);
  machine::Machine& machine() { return *machine_; }

 private:
  struct Recorder : machine::Unknowns {
    const uint64_t* before(const uint64_t* pc, machine::Value*) override { return pc; }
    void reached(uint32_t clause) override { clauses.push_back(clause); }
    std::vector<uint32_t> clauses;
  };

  session::Session& session_;
  uint64_t calls_;
  std::unique_ptr<machine::Machine> machine_;
  Recorder recorder_;
  std::optional<machine::Machine::Mark> mark_;
};

}  // namespace fathom::generate
