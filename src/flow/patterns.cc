#include "flow/patterns.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace fathom::flow {
namespace {

using core::Kind;
using core::Module;
using core::NodeId;
using core::VarId;
using Kinds = ObjectKind;

struct TypeTest {
  std::string_view name;
  KindSet kinds;
  bool is_exact;  // true of all values of these kinds
};

constexpr KindSet kFuns = kind_set(Kinds::Fun, Kinds::ExternalFun);
constexpr TypeTest kTypeTests[] = {
    {"is_atom", kind_set(Kinds::Atom, Kinds::AnyAtom), true},
    {"is_boolean", kind_set(Kinds::Atom, Kinds::AnyAtom), false},
    {"is_integer", kind_set(Kinds::Integer, Kinds::AnyInteger), true},
    {"is_float", kind_set(Kinds::Float), true},
    {"is_number", kind_set(Kinds::Integer, Kinds::AnyInteger, Kinds::Float), true},
    {"is_list", kind_set(Kinds::Nil, Kinds::Cons), true},
    {"is_tuple", kind_set(Kinds::Tuple), true},
    {"is_map", kind_set(Kinds::Map), true},
    {"is_bitstring", kind_set(Kinds::Bits), true},
    {"is_binary", kind_set(Kinds::Bits), false},
    {"is_function", kFuns, true},
    {"is_pid", kind_set(Kinds::Pid), true},
    {"is_port", kind_set(Kinds::Port), true},
    {"is_reference", kind_set(Kinds::Reference), true},
};

const TypeTest* type_test(Atom name) {
  const auto at = std::ranges::find(kTypeTests, name.text(), &TypeTest::name);
  return at == std::end(kTypeTests) ? nullptr : &*at;
}

class ClauseReader {
 public:
  ClauseReader(const Module& module, NodeId clause) : module_(module) {
    const auto view = module.get<core::node::Clause>(clause);
    result_.clause = clause;
    result_.body = view.body;
    if (exists(view.patterns)) {
      for (const NodeId id : module.nodes(view.patterns)) read_pattern(id);
    }
    read_guards(module.regions(view.guards));
  }
  ClausePatterns take() { return std::move(result_); }

 private:
  Pattern& pattern(VarId subject) {
    if (const auto same = same_as_.find(subject); same != same_as_.end()) subject = same->second;
    for (Pattern& p : result_.patterns) {
      if (p.subject == subject) return p;
    }
    result_.patterns.push_back({.subject = subject, .is_root = !is_part_[subject]});
    return result_.patterns.back();
  }

  void read_pattern(NodeId id);
  void read_parts(VarId subject, std::span<const VarId> parts, std::vector<VarId> known);
  void read_segment(NodeId id);
  void read_guards(std::span<const core::RegionId> guards);
  using TestedKinds = std::unordered_map<VarId, KindSet>;
  TestedKinds tested_kinds(core::RegionId guard, bool& is_exact) const;
  VarId subject_of(VarId name) const;

  const Module& module_;
  ClausePatterns result_;
  std::unordered_map<VarId, bool> is_part_;
  std::unordered_map<VarId, VarId> same_as_;  // another name of the same part, see read_parts
};

// A value is taken apart once more, {X, _} = {_, Y}: each part is what it was the first time, and
// has another name. `known`: the parts of the first time.
void ClauseReader::read_parts(VarId subject, std::span<const VarId> parts,
                              std::vector<VarId> known) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!exists(parts[i])) continue;
    if (!exists(known[i])) {
      known[i] = parts[i];
      continue;
    }
    same_as_[parts[i]] = known[i];
    pattern(known[i]).names.push_back(parts[i]);
  }
  Pattern& p = pattern(subject);
  if (p.is_cons) {
    p.head = known[0];
    p.tail = known[1];
  } else {
    p.elements = std::move(known);
  }
}

void ClauseReader::read_pattern(NodeId id) {
  const auto part = [&](VarId v) {
    if (exists(v)) is_part_[v] = true;
    return v;
  };
  switch (module_[id].kind) {
    case Kind::Bind:
      pattern(module_.get<core::node::Bind>(id).subject).names.push_back(part(module_[id].result));
      return;
    case Kind::MatchEqual: {
      const auto view = module_.get<core::node::MatchEqual>(id);
      pattern(view.subject).equals.push_back(view.value);
      return;
    }
    case Kind::MatchLiteral: {
      const auto view = module_.get<core::node::MatchLiteral>(id);
      pattern(view.subject).literals.push_back(view.value);
      return;
    }
    case Kind::MatchTuple: {
      const auto view = module_.get<core::node::MatchTuple>(id);
      const std::span<const VarId> elements = module_.vars(view.elements);
      for (const VarId v : elements) part(v);
      Pattern& p = pattern(view.subject);
      if (p.arity == elements.size()) return read_parts(view.subject, elements, p.elements);
      if (p.arity) result_.may_refuse = true;  // {_, _} = {_}: what one takes the other refuses
      p.arity = static_cast<uint32_t>(elements.size());
      p.elements.assign(elements.begin(), elements.end());
      return;
    }
    case Kind::MatchCons: {
      const auto view = module_.get<core::node::MatchCons>(id);
      const VarId parts[] = {part(view.head), part(view.tail)};
      Pattern& p = pattern(view.subject);
      if (p.is_cons) return read_parts(view.subject, parts, {p.head, p.tail});
      p.is_cons = true;
      p.head = parts[0];
      p.tail = parts[1];
      return;
    }
    case Kind::MatchMap:
      pattern(module_.get<core::node::MatchMap>(id).subject).kinds &= kind_set(Kinds::Map);
      return;
    case Kind::MatchKey: {
      const auto view = module_.get<core::node::MatchKey>(id);
      pattern(view.subject).keys.push_back({view.key, part(module_[id].result)});
      return;
    }
    case Kind::MatchBits:
    case Kind::MatchSegment:
    case Kind::MatchEnd:
      return read_segment(id);
    default:
      result_.others.push_back(id);
  }
}

void ClauseReader::read_segment(NodeId id) {
  VarId subject = core::kNoVar;
  if (module_[id].kind == Kind::MatchBits) {
    subject = module_.get<core::node::MatchBits>(id).subject;
  } else if (module_[id].kind == Kind::MatchSegment) {
    subject = module_.get<core::node::MatchSegment>(id).subject;
    result_.others.push_back(id);
    if (exists(module_[id].result)) is_part_[module_[id].result] = true;
  } else {
    subject = module_.get<core::node::MatchEnd>(id).subject;
  }
  Pattern& p = pattern(subject);
  p.kinds &= kind_set(Kinds::Bits);
  p.has_segments = true;
}

VarId ClauseReader::subject_of(VarId name) const {
  for (const Pattern& p : result_.patterns) {
    if (std::ranges::find(p.names, name) != p.names.end()) return p.subject;
  }
  return name;
}

ClauseReader::TestedKinds ClauseReader::tested_kinds(core::RegionId guard, bool& is_exact) const {
  struct Answer {
    VarId variable;
    const TypeTest* test;
  };
  std::unordered_map<VarId, Answer> answers;  // by the variable that is the test's result
  std::unordered_set<VarId> computed;         // by the guard itself: of these nothing is known
  TestedKinds tested;
  for (const NodeId id : module_.nodes(guard)) {
    computed.insert(module_[id].result);
    if (module_[id].kind == Kind::CallRemote) {
      const auto call = module_.get<core::node::CallRemote>(id);
      const std::span<const VarId> arguments = module_.vars(call.arguments);
      const TypeTest* test = type_test(call.name);
      if (test && !arguments.empty()) answers[module_[id].result] = {arguments[0], test};
      if (test && arguments.size() > 1) is_exact = false;
    } else if (module_[id].kind == Kind::Test) {
      const auto at = answers.find(module_.get<core::node::Test>(id).value);
      if (at == answers.end() || computed.contains(at->second.variable)) {
        is_exact = false;
        continue;
      }
      is_exact = is_exact && at->second.test->is_exact;
      const auto [kinds, is_new] = tested.try_emplace(subject_of(at->second.variable), kAllKinds);
      kinds->second &= at->second.test->kinds;
    } else {
      is_exact = false;
    }
  }
  return tested;
}

void ClauseReader::read_guards(std::span<const core::RegionId> guards) {
  if (guards.empty()) return;
  bool is_exact = guards.size() == 1;
  TestedKinds tested = tested_kinds(guards[0], is_exact);
  for (size_t i = 1; i < guards.size(); ++i) {  // alternatives: a variable must be in each
    const TestedKinds other = tested_kinds(guards[i], is_exact);
    std::erase_if(tested, [&](const auto& entry) { return !other.contains(entry.first); });
    for (auto& [variable, kinds] : tested) kinds |= other.at(variable);
  }
  for (const auto& [variable, kinds] : tested) pattern(variable).kinds &= kinds;
  result_.may_refuse = !is_exact;
}

}  // namespace

std::optional<KindSet> kinds_of_type_test(Atom name) {
  const TypeTest* const test = type_test(name);
  return test && test->is_exact ? std::optional(test->kinds) : std::nullopt;
}

bool ClausePatterns::binds(core::VarId variable) const {
  return std::ranges::any_of(patterns, [&](const Pattern& p) {
    return std::ranges::find(p.names, variable) != p.names.end();
  });
}

const Pattern* ClausePatterns::find(VarId subject) const {
  const auto at = std::ranges::find(patterns, subject, &Pattern::subject);
  return at == patterns.end() ? nullptr : &*at;
}

CasePatterns patterns_of(const Module& module, std::span<const NodeId> clauses) {
  CasePatterns result;
  for (const NodeId clause : clauses) {
    result.clauses.push_back(ClauseReader(module, clause).take());
    for (const Pattern& p : result.clauses.back().patterns) {
      if (p.is_root && std::ranges::find(result.roots, p.subject) == result.roots.end()) {
        result.roots.push_back(p.subject);
      }
    }
  }
  return result;
}

}  // namespace fathom::flow
