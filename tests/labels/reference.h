// A slow interpreter of Core in which every value, also an atom or an integer, is an object that
// says where it was built: what the labelled machine must agree with (values/labels.h).
//
// One process: a fun that is spawned runs at once, to its end. So it is for programs whose
// processes only send. Integers are small, keys of maps are atoms and integers, there are at most
// 32 of them; binaries have whole bytes.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "code/code.h"
#include "core/core.h"

namespace fathom::machine {

struct Origin;
using Ref = std::shared_ptr<const Origin>;

// A value, and the label of what built it.
struct Origin {
  enum class Kind : uint8_t { Integer, Atom, Nil, Cons, Tuple, Map, Binary, Fun, Other };
  Kind kind = Kind::Other;
  Label label = kNoLabel;
  int64_t number = 0;
  Atom atom;
  std::string bytes = {};
  std::vector<Ref> parts = {};  // of a map: key, value, … in the order of the keys
  core::FunctionId code = {};
};

class Reference {
 public:
  explicit Reference(const core::Module& module) : module_(module) {}

  // The value of a function of no arguments.
  Ref run(Atom function);
  // Pairs of labels: of the value, of the node that has matched or applied it.
  const std::set<std::pair<Label, Label>>& uses() const { return uses_; }

 private:
  using NodeId = core::NodeId;
  using VarId = core::VarId;
  using Frame = std::vector<Ref>;
  struct Raised {
    Ref exception_class;
    Ref reason;
  };
  struct GuardFailed {};

  Ref call(core::FunctionId id, const std::vector<Ref>& arguments);
  Ref region(core::RegionId id, Frame& frame);
  void node(NodeId id, Frame& frame);
  bool matches(NodeId id, Frame& frame);
  bool match_segment(NodeId id, Frame& frame);
  bool clause_matches(NodeId id, Frame& frame);
  bool guard_holds(core::RegionId id, Frame& frame);
  Ref case_value(NodeId id, Frame& frame);
  Ref receive_value(NodeId id, Frame& frame);
  Ref try_value(NodeId id, Frame& frame);
  Ref binary(NodeId id, const Frame& frame);
  Ref updated(NodeId id, const Frame& frame);
  Ref call_value(NodeId id, const Frame& frame);
  Ref apply(NodeId id, const Ref& fun, std::vector<Ref> arguments);
  Ref native(NodeId id, std::string_view name, const std::vector<Ref>& a);
  Ref list_native(std::string_view name, const std::vector<Ref>& a, Label label);
  Ref map_native(std::string_view name, const std::vector<Ref>& a, Label label);
  Ref process_native(std::string_view name, const std::vector<Ref>& a, Label label);
  [[noreturn]] void raise(NodeId id, std::string_view exception_class, Ref reason);

  Label label(NodeId id) const { return node_label(module_, id); }
  void use(const Ref& value, NodeId id) {
    if (value->label != kNoLabel) uses_.emplace(value->label, label(id));
  }
  std::vector<Ref> values(core::ListId list, const Frame& frame) const;

  const core::Module& module_;
  std::set<std::pair<Label, Label>> uses_;
  std::deque<Ref> mailbox_;
  std::vector<std::pair<Ref, Ref>> dictionary_;
  std::map<std::string, Ref> table_;  // the objects of the one table, by their keys' text
};

// The value with the label of each part that was built by a node of the module.
std::string shown_with_labels(const core::Module& module, const Ref& value);

}  // namespace fathom::machine
