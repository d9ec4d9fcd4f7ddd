// Which values the clauses of a case, function or receive take.
//
// A value goes to the first clause that takes it. Of an abstract value it is known whether it may
// match a pattern, and whether it must. It goes to every clause that it may match, up to the first
// that it must match. Whether a tuple may match {ok, X} depends on what its first element may be,
// which can change as the analysis goes on: then the value is judged again. Both judgements change
// in one direction only (more values pass), so the order does not matter.
//
// A value that passes is *taken*: variables bound to it get it, and its parts go to the patterns
// of the parts, where they are judged in turn. The body of a clause is reached when each of its
// subjects has a value that it takes.
//
// A judgement looks at kMostLooks values, and kMostDepth deep into them; what it has not seen by
// then may match and need not. So it costs no more than that, however large the sets are.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flow/facts.h"
#include "flow/generator.h"
#include "flow/patterns.h"

namespace fathom::flow {

// Whether an object may be the constant. Of structures only the outside is compared.
bool may_be(const Object& object, Term term);
// Whether two values can be equal, as far as the outside shows. Their ids are those of plain
// constants (Objects::plain).
bool may_be_same(const Object& a, ObjectId a_id, const Object& b, ObjectId b_id);

class Matching {
 public:
  static constexpr int kMostDepth = 6;
  static constexpr int kMostLooks = 200;

  explicit Matching(Engine& engine) : engine_(engine) {}

  // The clauses of the node, which is a Case or a Receive. Only a Receive has a message;
  // `otherwise` may not exist.
  void dispatch(const Scope& scope, core::NodeId node, core::ListId clauses,
                core::RegionId otherwise, Slot result, core::VarId message);
  // Whether the clause may take the value as its subject, by what is known now. Dispatches are
  // numbered as in the facts.
  bool may_match(size_t dispatch, size_t clause, core::VarId subject, ObjectId object);
  // Whether a value of the root may come to the clauses after this one.
  bool passes_on(size_t dispatch, size_t clause, core::VarId root, ObjectId object);
  // Whether the clause of a receive may take the message. By the index of its facts.
  bool may_take(size_t receive, size_t clause, ObjectId message);

 private:
  struct ClauseState {
    std::vector<Slot> taken;      // by the index of its pattern
    std::vector<size_t> missing;  // patterns of subjects that have taken nothing yet
    bool is_entered = false;
  };
  struct Dispatch {
    Scope scope;
    const core::Module* module;
    const CasePatterns* form;
    core::RegionId otherwise;
    Slot result;
    size_t facts;  // index of its DispatchFacts
    std::vector<ClauseState> clauses;
  };
  using DispatchId = size_t;
  struct Judged {  // so that a value is not watched twice for the same reason
    uint64_t where;
    ObjectId object;
    Slot slot;
    bool operator==(const Judged&) const = default;
  };
  struct JudgedHash {
    size_t operator()(const Judged& j) const {
      return j.where * 0x9E3779B97F4A7C15u ^
             (uint64_t{static_cast<uint32_t>(j.object)} << 32 | static_cast<uint32_t>(j.slot)) *
                 0xC2B2AE3D27D4EB4Fu;
    }
  };

  const CasePatterns& form_of(const core::Module& module, core::NodeId node, core::ListId clauses,
                              core::VarId message);
  void set_up_clause(DispatchId id, size_t clause);
  void set_up_pattern(DispatchId id, size_t clause, size_t pattern);
  void take_parts(DispatchId id, const Pattern& pattern, ObjectId object);
  void take_key(DispatchId id, const Pattern::Key& key, ObjectId map);
  void watch_root(DispatchId id, core::VarId root);
  void judge_root(DispatchId id, core::VarId root, ObjectId object);
  void judge_part(DispatchId id, size_t clause, size_t pattern, ObjectId object);
  void take(DispatchId id, size_t clause, size_t pattern, ObjectId object);
  void enter_clause(DispatchId id, size_t clause);
  void enter_otherwise(DispatchId id);
  bool stops_here(const ClausePatterns& clause, core::VarId root) const;
  // Whether the clause may take the value of the root; whether those after it get it all the same.
  bool may_take_root(const Dispatch& dispatch, size_t clause, core::VarId root, ObjectId object);
  bool passes_on(const Dispatch& dispatch, size_t clause, core::VarId root, ObjectId object);
  template <class Again>
  void judge_again(uint64_t where, ObjectId object, Again again);

  Slot variable(const Dispatch& dispatch, core::VarId var) const;
  bool may_match(const Dispatch& dispatch, const ClausePatterns& clause, const Pattern& pattern,
                 ObjectId object, int depth);
  bool must_match(const Dispatch& dispatch, const ClausePatterns& clause, const Pattern& pattern,
                  ObjectId object, int depth);
  bool part_may_match(const Dispatch& dispatch, const ClausePatterns& clause, core::VarId var,
                      Slot part, int depth);
  bool part_must_match(const Dispatch& dispatch, const ClausePatterns& clause, core::VarId var,
                       Slot part, int depth);
  bool may_equal(ObjectId object, Slot other);

  Engine& engine_;
  std::vector<std::unique_ptr<Dispatch>> dispatches_;
  std::unordered_map<core::GlobalNodeId, std::unique_ptr<CasePatterns>> forms_;
  std::unordered_set<Judged, JudgedHash> watched_;
  std::vector<Slot> looked_at_;  // by the judgement that is being made
  int looks_left_ = 0;           // for it
};

}  // namespace fathom::flow
