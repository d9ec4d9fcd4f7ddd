#include "slice/test_outcomes.h"

#include <algorithm>
#include <optional>

#include "core/match_kinds.h"
#include "core/walk.h"
#include "flow/patterns.h"
#include "slice/clause_questions.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::RegionId;
using core::VarId;
using flow::ObjectId;
using flow::ObjectKind;

namespace {

// More are not looked at.
constexpr size_t kMostValues = 24;
constexpr size_t kMostClauses = 64;

// ---- Values -----------------------------------------------------------------

// An abstract value: an object of the analysis, or a constant that was computed here.
struct Value {
  ObjectKind kind = ObjectKind::Unknown;
  int64_t number = 0;
  Atom atom = {};
  std::optional<ObjectId> object = {};

  bool is_constant() const { return kind == ObjectKind::Atom || kind == ObjectKind::Integer; }
  bool is_same(const Value& other) const {
    return kind == other.kind && number == other.number && atom == other.atom;
  }
  bool operator==(const Value& other) const {
    return is_same(other) && (is_constant() || object == other.object);
  }
};
// None: anything.
using Values = std::optional<std::vector<Value>>;

Value of_atom(Atom atom) { return {.kind = ObjectKind::Atom, .atom = atom}; }
Value of_integer(int64_t number) { return {.kind = ObjectKind::Integer, .number = number}; }

std::optional<Value> of_literal(Term term) {
  if (term.is_atom()) return of_atom(term.atom());
  if (term.is_small()) return of_integer(term.small());
  if (term.is_nil()) return Value{.kind = ObjectKind::Nil};
  return std::nullopt;
}

// Some pass, some fail, or both.
struct Outcome {
  bool may_pass = false;
  bool may_fail = false;
};

std::optional<bool> compared(std::string_view op, const Value& a, const Value& b) {
  if (!a.is_constant() || !b.is_constant()) return std::nullopt;
  if (op == "=:=" || op == "==") return a.is_same(b);
  if (op == "=/=" || op == "/=") return !a.is_same(b);
  if (a.kind != ObjectKind::Integer || b.kind != ObjectKind::Integer) return std::nullopt;
  if (op == "<") return a.number < b.number;
  if (op == "=<") return a.number <= b.number;
  if (op == ">") return a.number > b.number;
  if (op == ">=") return a.number >= b.number;
  return std::nullopt;
}

bool is_comparison(std::string_view op) {
  constexpr std::string_view kOps[] = {"=:=", "==", "=/=", "/=", "<", "=<", ">", ">="};
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

std::optional<int64_t> calculated(std::string_view op, int64_t a, int64_t b) {
  // So small that nothing overflows.
  constexpr int64_t kMost = 1 << 30;
  if (std::abs(a) > kMost || std::abs(b) > kMost) return std::nullopt;
  if (op == "+") return a + b;
  if (op == "-") return a - b;
  if (op == "*") return a * b;
  if (b == 0) return std::nullopt;
  if (op == "div") return a / b;
  if (op == "rem") return a % b;
  return std::nullopt;
}

// ---- One function -----------------------------------------------------------

class Judge {
 public:
  Judge(const flow::Analysis& analysis, flow::InstanceId instance, const Dispatches& dispatches)
      : analysis_(analysis),
        instance_(instance),
        module_(*analysis.facts()[instance].code.module),
        dispatches_(dispatches),
        questions_(module_) {}

  TestOutcomes run() {
    const core::Function& function = analysis_.facts()[instance_].function();
    const RegionId body = function.body;
    definitions_.resize(function.variables.size());
    core::for_each_node(module_, body, [&](NodeId n) {
      core::for_each_definition(module_, n,
                                [&](VarId v) { ++definitions_[static_cast<size_t>(v)]; });
    });
    core::for_each_node(module_, body, [&](NodeId n) {
      if (module_[n].in_guard) return;
      switch (module_[n].kind) {
        case Kind::Case:
          clauses(n, module_.get<core::node::Case>(n).clauses,
                  module_.get<core::node::Case>(n).otherwise);
          break;
        case Kind::Receive:
          clauses(n, module_.get<core::node::Receive>(n).clauses, core::kNoRegion);
          break;
        default:
          compute(n);
          break;
      }
    });
    return std::move(result_);
  }

 private:
  // ---- Clauses
  void clauses(NodeId node, core::ListId list, RegionId otherwise) {
    const auto all = module_.nodes(list);
    const auto dispatch = dispatches_.find(node);
    bool is_taken = false;  // an earlier one takes everything
    for (size_t i = 0; i < all.size(); ++i) {
      refined_.clear();
      wholes_.clear();
      dispatch_ = dispatch == dispatches_.end() ? std::nullopt : std::optional(dispatch->second);
      clause_ = i;
      const bool is_certain = clause(all[i]);
      const RegionId body = module_.get<core::node::Clause>(all[i]).body;
      if (is_taken) result_.never_entered.insert(body);
      // The clause of a receive may wait for a message that is not there yet.
      is_taken = is_taken || (is_certain && module_[node].kind == Kind::Case);
    }
    if (is_taken && core::exists(otherwise)) result_.never_entered.insert(otherwise);
    refined_.clear();
    wholes_.clear();
    dispatch_.reset();
    if (all.size() <= kMostClauses) find_failing_for_good(all);
  }

  // Whether it takes whatever comes to it.
  bool clause(NodeId id) {
    const auto view = module_.get<core::node::Clause>(id);
    bool is_certain = true;
    if (core::exists(view.patterns)) {
      for (const NodeId n : module_.nodes(view.patterns)) {
        if (core::is_test(module_[n].kind)) {
          is_certain = is_certain && !test(n).may_fail;
        } else {
          compute(n);
        }
      }
    }
    const auto guards = module_.regions(view.guards);
    bool has_certain = guards.empty();
    bool may_pass = guards.empty();
    for (const RegionId region : guards) {
      const Outcome outcome = guard(region);
      has_certain = has_certain || !outcome.may_fail;
      may_pass = may_pass || outcome.may_pass;
    }
    if (!may_pass) result_.never_entered.insert(view.body);
    return is_certain && has_certain;
  }

  Outcome guard(RegionId region) {
    Outcome all{true, false};
    for (const NodeId top : module_.nodes(region)) {
      if (core::is_test(module_[top].kind)) {
        const Outcome outcome = test(top);
        all.may_pass = all.may_pass && outcome.may_pass;
        all.may_fail = all.may_fail || outcome.may_fail;
      } else if (module_[top].kind == Kind::Case) {
        short_circuit(top);
      } else {
        compute(top);
        // One that raises fails the guard.
        const bool is_known = module_[top].kind == Kind::Literal || known(module_[top].result);
        all.may_fail = all.may_fail || !is_known;
      }
    }
    return all;
  }

  // andalso and orelse in a guard, with all that they hold.
  void short_circuit(NodeId top) {
    std::vector<NodeId> cases{top};
    const auto visit = [&](RegionId region) {
      core::for_each_node(module_, region, [&](NodeId n) {
        if (module_[n].kind == Kind::Case) {
          cases.push_back(n);
        } else if (core::is_test(module_[n].kind)) {
          test(n);
        } else {
          compute(n);
        }
      });
    };
    for (const NodeId c : module_.nodes(module_.get<core::node::Case>(top).clauses)) {
      core::for_each_region(module_, c, visit);
    }
    // The inner ones first.
    for (size_t i = cases.size(); i-- > 0;) {
      std::vector<Value> values;
      bool is_known = true;
      for (const NodeId c : module_.nodes(module_.get<core::node::Case>(cases[i]).clauses)) {
        const auto view = module_.get<core::node::Clause>(c);
        const auto patterns = module_.nodes(view.patterns);
        if (patterns.size() == 1 && always_fails_.contains(patterns[0])) continue;
        const auto value = computed_.find(module_[view.body].value);
        is_known = is_known && value != computed_.end();
        if (is_known) values.insert(values.end(), value->second.begin(), value->second.end());
      }
      if (is_known && !values.empty()) computed_[module_[cases[i]].result] = std::move(values);
    }
  }

  // ---- Tests
  Outcome test(NodeId n) {
    const Outcome outcome = tested(n);
    if (!outcome.may_fail) result_.never_fail.insert(n);
    if (!outcome.may_pass) always_fails_.insert(n);
    return outcome;
  }

  Outcome tested(NodeId n) {
    switch (module_[n].kind) {
      case Kind::MatchTuple: {
        const auto view = module_.get<core::node::MatchTuple>(n);
        const auto elements = module_.vars(view.elements);
        const Outcome outcome = keep_those(view.subject, [&](const Value& v) {
          return v.kind == ObjectKind::Tuple && v.object &&
                 analysis_.objects()[*v.object].size == elements.size();
        });
        for (size_t i = 0; i < elements.size(); ++i) add_part(elements[i], view.subject, i);
        return outcome;
      }
      case Kind::MatchCons: {
        const auto view = module_.get<core::node::MatchCons>(n);
        const Outcome outcome =
            keep_those(view.subject, [](const Value& v) { return v.kind == ObjectKind::Cons; });
        add_part(view.head, view.subject, flow::kHead);
        add_part(view.tail, view.subject, flow::kTail);
        return outcome;
      }
      case Kind::MatchMap:
        return keep_those(module_.get<core::node::MatchMap>(n).subject,
                          [](const Value& v) { return v.kind == ObjectKind::Map; });
      case Kind::MatchLiteral: {
        const auto view = module_.get<core::node::MatchLiteral>(n);
        const std::optional<Value> literal = of_literal(module_[view.value]);
        if (!literal) return {true, true};
        return equals(view.subject, *literal);
      }
      case Kind::Test:
        return equals(module_.get<core::node::Test>(n).value, of_atom(atoms::true_));
      default:
        return {true, true};
    }
  }

  Outcome equals(VarId subject, const Value& literal) {
    return keep_those(subject, [&](const Value& v) -> std::optional<bool> {
      if (v.kind == ObjectKind::AnyAtom && literal.kind == ObjectKind::Atom) return std::nullopt;
      if (v.kind == ObjectKind::AnyInteger && literal.kind == ObjectKind::Integer) {
        return std::nullopt;
      }
      return v.is_same(literal);
    });
  }

  // `passes`: whether a value does; none: it may or may not. What cannot pass is gone from here on.
  template <class Passes>
  Outcome keep_those(VarId subject, Passes passes) {
    const Values values = values_of(subject);
    if (!values || values->empty()) return {true, true};
    Outcome outcome;
    std::vector<Value> left;
    for (const Value& v : *values) {
      std::optional<bool> answer;
      if (v.kind != ObjectKind::Unknown) answer = passes(v);
      outcome.may_fail = outcome.may_fail || !answer.value_or(false);
      if (!answer.value_or(true)) continue;
      outcome.may_pass = true;
      left.push_back(v);
    }
    refined_[subject] = std::move(left);
    keep_wholes(subject);
    return outcome;
  }

  // ---- Parts
  struct Whole {
    VarId variable;
    size_t index;
  };

  void add_part(VarId part, VarId whole, size_t index) {
    if (core::exists(part)) wholes_.insert_or_assign(part, Whole{whole, index});
  }

  // Objects of which the part may be what is left of it.
  void keep_wholes(VarId part) {
    for (auto at = wholes_.find(part); at != wholes_.end();
         at = wholes_.find(at->second.variable)) {
      const Values left = values_of(at->first);
      Values objects = values_of(at->second.variable);
      if (!left || !objects) return;
      const size_t index = at->second.index;
      const auto is_other = [&](const Value& v) {
        if (!v.object || v.kind == ObjectKind::Unknown) return false;
        const Values of_it = values_in(analysis_.objects().part(*v.object, index));
        if (!of_it) return false;
        return std::none_of(of_it->begin(), of_it->end(), [&](const Value& part_value) {
          return std::find(left->begin(), left->end(), part_value) != left->end();
        });
      };
      const size_t before = objects->size();
      std::erase_if(*objects, is_other);
      if (objects->size() == before) return;
      refined_[at->second.variable] = std::move(*objects);
    }
  }

  // ---- Values
  Values values_of(VarId v) {
    if (const auto found = refined_.find(v); found != refined_.end()) return found->second;
    if (const auto found = wholes_.find(v); found != wholes_.end()) return parts_of(found->second);
    if (const auto found = computed_.find(v); found != computed_.end()) return found->second;
    Values values = values_in(analysis_.facts()[instance_].variables + static_cast<size_t>(v));
    if (values && dispatch_) {
      std::erase_if(*values, [&](const Value& value) { return is_taken_before(v, value); });
    }
    return values;
  }

  // By a clause before this one.
  bool is_taken_before(VarId subject, const Value& value) const {
    if (!value.object) return false;
    for (size_t i = 0; i < clause_; ++i) {
      if (!analysis_.passes_on(*dispatch_, i, subject, *value.object)) return true;
    }
    return false;
  }

  Values parts_of(const Whole& whole) {
    const Values objects = values_of(whole.variable);
    if (!objects) return std::nullopt;
    std::vector<Value> result;
    for (const Value& v : *objects) {
      if (!v.object || v.kind == ObjectKind::Unknown) return std::nullopt;
      const Values of_it = values_in(analysis_.objects().part(*v.object, whole.index));
      if (!of_it) return std::nullopt;
      for (const Value& part : *of_it) {
        if (std::find(result.begin(), result.end(), part) == result.end()) result.push_back(part);
      }
      if (result.size() > kMostValues) return std::nullopt;
    }
    return result;
  }

  Values values_in(flow::Slot slot) const {
    const flow::ObjectSet& set = analysis_.values(slot);
    if (set.size() > kMostValues) return std::nullopt;
    std::vector<Value> result;
    set.for_each([&](ObjectId id) {
      const flow::Object& o = analysis_.objects()[id];
      result.push_back({.kind = o.kind,
                        .number = o.kind == ObjectKind::Integer ? o.number : 0,
                        .atom = o.kind == ObjectKind::Atom ? o.atom : Atom{},
                        .object = id});
    });
    return result;
  }

  bool known(VarId v) const { return computed_.contains(v); }

  // Constants that follow from constants.
  void compute(NodeId n) {
    const VarId result = module_[n].result;
    if (!core::exists(result) || definitions_[static_cast<size_t>(result)] != 1) return;
    switch (module_[n].kind) {
      case Kind::Literal:
        if (const auto value = of_literal(module_[module_.get<core::node::Literal>(n).value])) {
          computed_[result] = {*value};
        }
        return;
      case Kind::Copy:
        return copy(module_.get<core::node::Copy>(n).value, result);
      case Kind::Bind:
        return copy(module_.get<core::node::Bind>(n).subject, result);
      case Kind::CallRemote:
        return compute_call(n);
      default:
        return;
    }
  }

  void copy(VarId from, VarId to) {
    if (const auto found = computed_.find(from); found != computed_.end()) {
      const std::vector<Value> values = found->second;
      computed_[to] = values;
    }
  }

  void compute_call(NodeId n) {
    const auto call = module_.get<core::node::CallRemote>(n);
    const auto arguments = module_.vars(call.arguments);
    if (call.module != atoms::erlang || arguments.empty() || arguments.size() > 2) return;
    const std::string_view op = call.name.text();
    if (arguments.size() == 1) return compute_type_test(call.name, arguments[0], module_[n].result);
    if (!is_comparison(op) && module_[n].in_guard) return;
    const Values left = values_of(arguments[0]);
    const Values right = values_of(arguments[1]);
    if (!left || !right || left->empty() || right->empty()) return;
    std::vector<Value> values;
    for (const Value& a : *left) {
      for (const Value& b : *right) {
        std::optional<Value> value;
        if (is_comparison(op)) {
          if (const auto answer = compared(op, a, b)) {
            value = of_atom(*answer ? atoms::true_ : atoms::false_);
          }
        } else if (a.kind == ObjectKind::Integer && b.kind == ObjectKind::Integer) {
          if (const auto number = calculated(op, a.number, b.number)) value = of_integer(*number);
        }
        if (!value) return;
        if (std::find(values.begin(), values.end(), *value) == values.end()) {
          values.push_back(*value);
        }
      }
    }
    // A recursive function would have ever new numbers: one of them is enough to be of use.
    if (is_comparison(op) || values.size() == 1) computed_[module_[n].result] = std::move(values);
  }

  void compute_type_test(Atom name, VarId argument, VarId result) {
    const auto kinds = flow::kinds_of_type_test(name);
    if (!kinds) return;
    const Values values = values_of(argument);
    if (!values || values->empty()) return;
    bool may_be_true = false, may_be_false = false;
    for (const Value& v : *values) {
      if (v.kind == ObjectKind::Unknown) return;
      const bool is_one = (flow::kind_set(v.kind) & *kinds) != 0;
      may_be_true = may_be_true || is_one;
      may_be_false = may_be_false || !is_one;
    }
    std::vector<Value> answers;
    if (may_be_true) answers.push_back(of_atom(atoms::true_));
    if (may_be_false) answers.push_back(of_atom(atoms::false_));
    computed_[result] = std::move(answers);
  }

  // ---- What is left where a test fails
  void find_failing_for_good(std::span<const NodeId> all) {
    std::vector<std::vector<Question>> asked;
    asked.reserve(all.size());
    for (const NodeId c : all) asked.push_back(questions_.of(c));
    for (size_t i = 0; i < all.size(); ++i) {
      const std::vector<Question>& own = asked[i];
      for (size_t failed = 0; failed <= own.size(); ++failed) {
        const auto is_refused = [&](size_t later) {
          return refuses(asked[later], std::span(own).first(failed),
                         failed < own.size() ? &own[failed] : nullptr);
        };
        bool is_last = true;
        for (size_t later = i + 1; later < all.size() && is_last; ++later) {
          is_last = is_refused(later);
        }
        if (!is_last) continue;
        if (failed < own.size()) {
          result_.fail_for_good.insert(own[failed].node);
        } else {
          guards_fail_for_good(all[i]);
        }
      }
    }
  }

  static bool refuses(const std::vector<Question>& later, std::span<const Question> passed,
                      const Question* failed) {
    return std::any_of(later.begin(), later.end(), [&](const Question& q) {
      return (failed && failed->is_same(q)) ||
             std::any_of(passed.begin(), passed.end(),
                         [&](const Question& p) { return p.is_contrary(q); });
    });
  }

  void guards_fail_for_good(NodeId clause) {
    const auto guards = module_.regions(module_.get<core::node::Clause>(clause).guards);
    if (guards.empty()) return;
    // Another alternative may hold where an earlier one does not.
    for (const NodeId n : module_.nodes(guards.back())) {
      if (core::is_test(module_[n].kind)) result_.fail_for_good.insert(n);
    }
  }

  const flow::Analysis& analysis_;
  flow::InstanceId instance_;
  const core::Module& module_;
  const Dispatches& dispatches_;
  Questions questions_;
  TestOutcomes result_;
  std::vector<uint32_t> definitions_;  // how many, by VarId
  std::unordered_map<VarId, std::vector<Value>> computed_;
  std::unordered_set<NodeId> always_fails_;
  // Of the clause that is looked at.
  std::unordered_map<VarId, std::vector<Value>> refined_;
  std::unordered_map<VarId, Whole> wholes_;
  std::optional<size_t> dispatch_;
  size_t clause_ = 0;
};

}  // namespace

TestOutcomes outcomes_of_tests(const flow::Analysis& analysis, flow::InstanceId instance,
                               const Dispatches& dispatches) {
  return Judge(analysis, instance, dispatches).run();
}

}  // namespace fathom::slice
