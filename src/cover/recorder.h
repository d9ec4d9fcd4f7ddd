// Counts what machines exercise of some modules, and says in the end what was covered.
//
// One recorder serves all machines of a session: counters are added up. It hands a module's probes
// to the compiler (code/probes.h) whichever machine asks first, so machines on several threads
// need a recorder each.
//
// Flows (flow_items.h) are not counted by probes: machines in the labelled mode see them, and
// whoever runs one tells the recorder (`see`) when a test, or the machine, ends.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include "cover/flow_items.h"
#include "cover/plan.h"

namespace fathom::cover {

class Recorder : public machine::ProbeSource {
 public:
  explicit Recorder(CriteriaSet criteria) : criteria_(criteria) {}

  // The module is to be covered; it must outlive the recorder.
  void add(const core::Module& module, std::string path);
  const machine::Probes* find(const core::Module& module) override;

  CriteriaSet criteria() const { return criteria_; }
  std::vector<const core::Module*> modules() const;
  // What there is to be covered of flows, after all modules were added; what the analysis has not
  // reached is unreachable. Before any machine runs.
  void add_flows(FlowItems flows);
  // What a machine has seen since it was asked last.
  void see(machine::UseRecorder& uses);

  // What has been counted since the last call belongs to the test.
  void end_test(const std::string& name);

  Coverage coverage() const;

 private:
  struct Covered {
    const core::Module* module;
    std::string path;
    Plan plan;
    std::vector<uint64_t> counters;
    std::vector<uint64_t> before;      // at the end of the last test
    std::vector<uint64_t> flows = {};  // how often they were seen, as counters are
    std::vector<uint64_t> flows_before = {};
    machine::Probes probes;
  };

  static void add_decisions(const Covered& covered, ModuleCoverage& module);
  static uint64_t count_of(const PlannedItem& item, const Covered& covered);
  static bool was_covered(const PlannedItem& item, const Covered& covered);
  uint64_t& flow_count(const FlowItem& flow);
  void add_flow(Covered& covered, const FlowItem& flow, ItemState state);
  void find_unreachable(Covered& covered) const;

  CriteriaSet criteria_;
  std::deque<Covered> modules_;
  std::unordered_map<const core::Module*, Covered*> by_module_;
  std::unique_ptr<FlowItems> flows_;
  std::map<FlowItem, std::pair<Covered*, size_t>> by_flow_;  // where it is counted
  std::vector<TestCoverage> tests_;
  std::unordered_map<std::string, size_t> by_test_;
};

}  // namespace fathom::cover
