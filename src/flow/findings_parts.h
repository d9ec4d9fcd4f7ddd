// What the parts of the search for findings share; findings.h describes them.
#pragma once

#include <unordered_map>
#include <unordered_set>

#include "flow/findings.h"

namespace fathom::flow {

// The facts, with what the parts ask for again and again.
class FindingContext {
 public:
  explicit FindingContext(const FindingInput& input);

  const FindingInput& input;
  const Analysis& analysis;
  const Facts& facts;
  const Graph& graph;

  bool is_own(const core::Module& module) const { return own_.contains(&module); }
  bool is_own(const Site& site) const { return is_own(*facts[site.instance].code.module); }
  const core::Module& module(InstanceId id) const { return *facts[id].code.module; }

  // What a call has as its arguments; empty if it is not a call.
  std::span<const core::VarId> arguments(const core::Module& m, core::NodeId node) const;
  const ObjectSet& argument(const Site& site, size_t index) const;
  // The only value of a set, or nothing.
  std::optional<ObjectId> only(const ObjectSet& set) const;

  // The receives that a process may run.
  const std::vector<const DispatchFacts*>& receives(ObjectId process) const;
  // A call that the process may make to code that is not known.
  std::optional<core::GlobalNodeId> outside_call_of(ObjectId process) const;
  const ProcessInView* process(ObjectId id) const;
  const ObjectSet* registered(Atom name) const;

  // Why it may be that something is not reached: the entries are not all that can be called, or not
  // all of the program could be read. Empty if they are, and it could.
  const std::string& missing_entry() const { return missing_entry_; }

  // "{ok, _}", "stop", "a list"
  std::string value_text(ObjectId object, int depth = 0) const;
  // Of the first few values.
  std::string values_text(const ObjectSet& values) const;
  std::string name_of(const FunctionCode& code) const;

 private:
  const std::unordered_set<const core::Module*> own_;
  std::unordered_map<ObjectId, std::vector<const DispatchFacts*>> receives_;
  std::unordered_map<ObjectId, core::GlobalNodeId> outside_calls_;
  std::unordered_map<ObjectId, const ProcessInView*> processes_;
  std::unordered_map<Atom, const ObjectSet*> names_;
  std::string missing_entry_;
};

using FindingList = std::vector<Finding>;

void find_message_faults(const FindingContext& context, FindingList& found);
void find_request_faults(const FindingContext& context, FindingList& found);
void find_name_faults(const FindingContext& context, FindingList& found);
void find_unreached(const FindingContext& context, FindingList& found);
void find_undefined(const FindingContext& context, FindingList& found);
void find_circular_calls(const FindingContext& context, FindingList& found);

// Whether the clause takes whatever comes: it asks nothing of its subjects.
bool takes_all(const core::Module& m, core::NodeId clause);

}  // namespace fathom::flow
