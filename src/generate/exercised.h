// What tests that are there already exercise (fathom gen --complete): only the rest is generated.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "machine/unknowns.h"
#include "machine/use_recorder.h"

namespace fathom::generate {

struct Exercised {
  std::set<uint32_t> clauses;            // nodes in the program
  std::vector<machine::LabelUse> flows;  // from values to what matched or applied them
  size_t tests = 0;
  size_t failed = 0;
};

// Notes the clauses that a machine chooses, in code that reports them (CodeMode::unknowns).
struct ClauseRecorder : machine::Unknowns {
  const uint64_t* before(const uint64_t* pc, machine::Value*) override { return pc; }
  void reached(uint32_t clause) override { clauses.insert(clause); }
  std::set<uint32_t> clauses;
};

}  // namespace fathom::generate
