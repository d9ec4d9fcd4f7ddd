// The programs that the tests of threads run: those of the other tests and of the benchmarks.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "session/session.h"
#include "temp_tree.h"

namespace fathom {

// What evaluating the expression on the machine comes to.
std::string value_text(machine::Machine& m, const session::Expression& expression);

// Of a session of its own.
std::string evaluated(session::Session& session, std::string_view expression,
                      const machine::Limits& limits = {});

// The modules of the differential tests, in a folder of their own.
class DifferentialCorpus {
 public:
  DifferentialCorpus();

  // Their files, and what is to be evaluated of each.
  struct Program {
    std::string path;
    std::string expression;
  };
  const std::vector<Program>& programs() const { return programs_; }

 private:
  TempTree tree_;
  std::vector<Program> programs_;
};

// The modules with a main/0.
std::vector<DifferentialCorpus::Program> benchmark_programs();

// The calls of tests/check/expected.txt, some of them: "families_ets:readers(2)".
std::vector<std::string> checked_calls();

// Verdict, counts and findings of a check, with their places and steps.
std::string checked(session::Session& session, const session::Expression& call,
                    machine::ModuleSource& modules);

}  // namespace fathom
