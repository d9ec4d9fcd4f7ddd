// Counts what machines exercise of some modules, and says in the end what was covered.
//
// One recorder serves all machines of a session: counters are added up. It hands a module's probes
// to the compiler (code/probes.h) whichever machine asks first, so machines on several threads
// need a recorder each.
#pragma once

#include <deque>
#include <unordered_map>

#include "cover/plan.h"

namespace fathom::cover {

class Recorder : public machine::ProbeSource {
 public:
  explicit Recorder(CriteriaSet criteria) : criteria_(criteria) {}

  // The module is to be covered; it must outlive the recorder.
  void add(const core::Module& module, std::string path);
  const machine::Probes* find(const core::Module& module) override;

  // What has been counted since the last call belongs to the test.
  void end_test(const std::string& name);

  Coverage coverage() const;

 private:
  struct Covered {
    const core::Module* module;
    std::string path;
    Plan plan;
    std::vector<uint64_t> counters;
    std::vector<uint64_t> before;  // at the end of the last test
    machine::Probes probes;
  };

  static void add_decisions(const Covered& covered, ModuleCoverage& module);
  static uint64_t count_of(const PlannedItem& item, const std::vector<uint64_t>& counters);

  CriteriaSet criteria_;
  std::deque<Covered> modules_;
  std::unordered_map<const core::Module*, Covered*> by_module_;
  std::vector<TestCoverage> tests_;
  std::unordered_map<std::string, size_t> by_test_;
};

}  // namespace fathom::cover
