// The flows of data that tests of a function can exercise (seed of the notion: S. Fischer and H.
// Kuchen, PPDP 2007 and 2008), and which of them a call does.
//
// What there is comes from the flow analysis, with the function as the only entry and arguments
// that are not known; what a call does comes from running it on a machine with labels. Both are
// those of `fathom test --cover=data_flow` (cover/flow_items.h).
//
// Cost: the analysis once; for each call a run.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cover/flow_items.h"
#include "generate/concrete.h"
#include "generate/options.h"
#include "session/session.h"

namespace fathom::generate {

class FlowTargets {
 public:
  // `own`: the modules that count.
  FlowTargets(session::Session& session, const GenerateOptions& options, const std::set<Atom>& own);

  // In the order of cover::FlowItems.
  std::vector<Item> items() const;
  // Indices of the items that the call exercises, in ascending order.
  std::vector<uint32_t> covered(const Call& call);
  // Of the items those that were seen.
  std::vector<uint32_t> covered(std::span<const machine::LabelUse> uses) const;

 private:
  static cover::FlowItems found_items(session::Session& session, const GenerateOptions& options,
                                      const std::set<Atom>& own);

  cover::FlowItems flows_;
  ConcreteRuns runs_;
};

}  // namespace fathom::generate
