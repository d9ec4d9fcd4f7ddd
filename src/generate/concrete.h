// Runs a call without unknown values, and says which clauses it chose (in code that reports them,
// CodeMode::unknowns): what a test will do.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/term.h"
#include "machine/unknowns.h"
#include "session/session.h"

namespace fathom::generate {

// A call: as text, and, if its arguments are plain data, as terms, which need no reading.
struct Call {
  std::string text;
  Atom module = {};
  Atom function = {};
  TermArena arena = {};
  std::optional<std::vector<Term>> arguments = {};
};

class ConcreteRuns {
 public:
  ConcreteRuns(session::Session& session, const machine::CodeMode& code, uint64_t calls);

  struct Run {
    machine::Outcome outcome;  // valid until the next run
    std::vector<uint32_t> clauses;
    bool is_determined = true;  // by no order that is not defined, and no random numbers
  };
  enum class Time : uint8_t { Start, Later };  // of the clock
  // None: the text is not an expression, or the call does not end.
  std::optional<Run> run(const std::string& expression, Time time = Time::Start);
  std::optional<Run> run(const Call& call);
  machine::Machine& machine() { return *machine_; }

 private:
  struct Recorder : machine::Unknowns {
    const uint64_t* before(const uint64_t* pc, machine::Value*) override { return pc; }
    void reached(uint32_t clause) override { clauses.push_back(clause); }
    std::vector<uint32_t> clauses;
  };

  void begin();
  std::optional<Run> finish();

  session::Session& session_;
  uint64_t calls_;
  std::unique_ptr<machine::Machine> machine_;
  Recorder recorder_;
  std::optional<machine::Machine::Mark> mark_;
};

}  // namespace fathom::generate
