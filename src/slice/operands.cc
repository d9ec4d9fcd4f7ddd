// What a node needs of the variables that it reads, if so much is needed of what it defines.
#include <algorithm>

#include "core/walk.h"
#include "slice/slicer.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::VarId;

namespace {

// Functions of erlang that look at a part of their argument alone.
enum class Look : uint8_t { Shape, Spine, Head, Tail, Element, SetElement };
struct LookRow {
  std::string_view name;
  uint32_t arity;
  Look look;
};
constexpr LookRow kLooks[] = {{"hd", 1, Look::Head},
                              {"tl", 1, Look::Tail},
                              {"element", 2, Look::Element},
                              {"setelement", 3, Look::SetElement},
                              {"length", 1, Look::Spine},
                              {"tuple_size", 1, Look::Shape},
                              {"is_atom", 1, Look::Shape},
                              {"is_tuple", 1, Look::Shape},
                              {"is_list", 1, Look::Shape},
                              {"is_map", 1, Look::Shape},
                              {"is_integer", 1, Look::Shape},
                              {"is_number", 1, Look::Shape},
                              {"is_float", 1, Look::Shape},
                              {"is_binary", 1, Look::Shape},
                              {"is_bitstring", 1, Look::Shape},
                              {"is_pid", 1, Look::Shape},
                              {"is_reference", 1, Look::Shape},
                              {"is_function", 1, Look::Shape}};

}  // namespace

std::optional<Term> Slicer::constant(ProcedureId p, VarId v) const {
  const Procedure& procedure = model_[p];
  const auto& definitions = procedure.definitions[static_cast<size_t>(v)];
  if (definitions.size() != 1) return std::nullopt;
  const core::Module& m = *procedure.module;
  if (m[definitions[0]].kind != Kind::Literal) return std::nullopt;
  return m[m.get<core::node::Literal>(definitions[0]).value];
}

// The first element, if it is an atom that is known.
std::optional<Atom> Slicer::tag_of(ProcedureId p, std::span<const VarId> elements) const {
  if (elements.empty()) return std::nullopt;
  const std::optional<Term> first = constant(p, elements[0]);
  if (!first || !first->is_atom()) return std::nullopt;
  return first->atom();
}

std::optional<Selector> Slicer::constant_key(ProcedureId p, VarId key) const {
  const std::optional<Term> term = constant(p, key);
  if (!term) return std::nullopt;
  if (term->kind() == TermKind::Atom) return Selector{Selector::Kind::AtomKey, term->atom().id()};
  if (term->kind() == TermKind::Integer) {
    return Selector{Selector::Kind::IntegerKey, static_cast<uint64_t>(term->small())};
  }
  return std::nullopt;
}

std::optional<Selector> Slicer::dictionary_key(ProcedureId p, NodeId node) const {
  const core::Module& m = *model_[p].module;
  if (m[node].kind != Kind::CallRemote) return std::nullopt;
  const auto call = m.get<core::node::CallRemote>(node);
  const auto arguments = m.vars(call.arguments);
  const std::string_view name = call.name.text();
  const bool is_entry = (arguments.size() == 1 && (name == "get" || name == "erase")) ||
                        (arguments.size() == 2 && name == "put");
  if (call.module != atoms::erlang || !is_entry) return std::nullopt;
  return constant_key(p, arguments[0]);
}

NeedId Slicer::operand_need(ProcedureId p, NodeId node, VarId v) {
  NeedId need = kNothing;
  Operands all;
  operands(p, node, all);
  for (const Operand& o : all) {
    if (o.variable == v) need = trees_.join(need, o.need);
  }
  return need;
}

void Slicer::operands(ProcedureId p, NodeId node, Operands& out) {
  const core::Module& m = *model_[p].module;
  const core::Node& n = m[node];
  const NeedId need = core::exists(n.result) ? need_of(p, n.result) : kNothing;
  const auto whole = [&] {
    core::for_each_use(m, node, [&](VarId v) { out.push_back({v, kWhole}); });
  };
  switch (n.kind) {
    case Kind::Copy:
      return out.push_back({m.get<core::node::Copy>(node).value, need}), void();
    case Kind::Bind:
      return out.push_back({m.get<core::node::Bind>(node).subject, need}), void();
    case Kind::Tuple: {
      const auto elements = m.vars(m.get<core::node::Tuple>(node).elements);
      const auto tag = tag_of(p, elements);
      for (size_t i = 0; i < elements.size(); ++i) {
        out.push_back({elements[i], trees_.element(need, i, elements.size(), tag)});
      }
      return;
    }
    case Kind::Cons: {
      const auto cell = m.get<core::node::Cons>(node);
      out.push_back({cell.head, trees_.part(need, Selector::head())});
      out.push_back({cell.tail, trees_.part(need, Selector::tail())});
      return;
    }
    case Kind::Map:
    case Kind::MapPut:
    case Kind::MapReplace:
      return map_operands(p, node, out);
    case Kind::Fun: {
      const auto view = m.get<core::node::Fun>(node);
      const ProcedureId made = model_.find(m, view.code);
      if (!exists(made)) return;
      const auto captures = m.vars(view.captures);
      const auto& parameters = model_[made].parameters;
      for (size_t i = 0; i < captures.size(); ++i) {
        const VarId parameter = parameters[parameters.size() - captures.size() + i];
        out.push_back({captures[i], need_of(made, parameter), Fact::of(made, parameter)});
      }
      return;
    }
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
      return call_operands(p, node, out);
    case Kind::ExternalFun:
    case Kind::Stacktrace:
    case Kind::Raise:
      return whole();
    case Kind::NoMatch:
      // Of others the reason is {Error, Value}.
      if (m.get<core::node::NoMatch>(node).error.text() == "function_clause") return;
      return whole();
    default:
      if (is_test(n.kind)) test_operands(p, node, out);
      return;
  }
}

void Slicer::map_operands(ProcedureId p, NodeId node, Operands& out) {
  const core::Module& m = *model_[p].module;
  const NeedId need = need_of(p, m[node].result);
  const Kind kind = m[node].kind;
  const VarId map = kind == Kind::Map ? core::kNoVar : VarId{m.slot(node, 0)};
  const auto pairs = m.vars(core::ListId{m.slot(node, kind == Kind::Map ? 0 : 1)});
  if (has_outcome(p, node)) {
    core::for_each_use(m, node, [&](VarId v) { out.push_back({v, kWhole}); });
    return;
  }
  if (!is_some(need)) return;
  if (core::exists(map)) out.push_back({map, need});
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const auto key = constant_key(p, pairs[i]);
    if (!key) {
      const bool may_be = trees_.has_keys(need) || kind == Kind::MapReplace;
      out.push_back({pairs[i], may_be ? kWhole : kNothing});
      out.push_back({pairs[i + 1], trees_.has_keys(need) ? kWhole : kNothing});
      if (kind == Kind::MapReplace) out.push_back({map, kWhole});
      continue;
    }
    const NeedId value = trees_.part(need, *key);
    out.push_back({pairs[i + 1], value});
    const bool is_there = is_some(value) || kind == Kind::MapReplace;
    out.push_back({pairs[i], is_there ? kWhole : kNothing});
    if (kind == Kind::MapReplace) out.push_back({map, trees_.of_part(*key, kShape)});
  }
}

void Slicer::test_operands(ProcedureId p, NodeId node, Operands& out) {
  const core::Module& m = *model_[p].module;
  switch (m[node].kind) {
    case Kind::MatchLiteral: {
      const auto view = m.get<core::node::MatchLiteral>(node);
      const TermKind kind = m[view.value].kind();
      const bool is_leaf = kind == TermKind::Atom || kind == TermKind::Integer ||
                           kind == TermKind::Nil || kind == TermKind::Float ||
                           kind == TermKind::BigInteger;
      out.push_back({view.subject, is_leaf ? kShape : kWhole});
      return;
    }
    case Kind::MatchTuple: {
      const auto view = m.get<core::node::MatchTuple>(node);
      out.push_back({view.subject, kShape});
      const auto elements = m.vars(view.elements);
      const auto tag = model_.tag_of_pattern(m.global(node));
      for (size_t i = 0; i < elements.size(); ++i) {
        if (!core::exists(elements[i])) continue;
        const NeedId need = need_of(p, elements[i]);
        if (!is_some(need)) continue;
        const Selector element = Selector::element(i, elements.size(), i == 0 ? std::nullopt : tag);
        out.push_back({view.subject, trees_.of_part(element, need)});
      }
      return;
    }
    case Kind::MatchCons: {
      const auto view = m.get<core::node::MatchCons>(node);
      out.push_back({view.subject, kShape});
      const auto part = [&](VarId v, Selector selector) {
        if (!core::exists(v) || !is_some(need_of(p, v))) return;
        out.push_back({view.subject, trees_.of_part(selector, need_of(p, v))});
      };
      part(view.head, Selector::head());
      part(view.tail, Selector::tail());
      return;
    }
    case Kind::MatchMap:
      return out.push_back({m.get<core::node::MatchMap>(node).subject, kShape}), void();
    case Kind::MatchKey: {
      const auto view = m.get<core::node::MatchKey>(node);
      out.push_back({view.key, kWhole});
      const auto key = constant_key(p, view.key);
      const NeedId value = trees_.join(kShape, need_of(p, m[node].result));
      out.push_back({view.subject, key ? trees_.of_part(*key, value) : kWhole});
      return;
    }
    case Kind::Test:
      return out.push_back({m.get<core::node::Test>(node).value, kShape}), void();
    default:
      core::for_each_use(m, node, [&](VarId v) { out.push_back({v, kWhole}); });
      return;
  }
}

void Slicer::call_operands(ProcedureId p, NodeId node, Operands& out) {
  const Procedure& procedure = model_[p];
  const core::Module& m = *procedure.module;
  const NeedId result = core::exists(m[node].result) ? need_of(p, m[node].result) : kNothing;
  const auto found = procedure.call_at.find(node);
  if (found == procedure.call_at.end() || model_[found->second].is_opaque) {
    if (message_operands(p, node, result, out) || table_operands(p, node, out)) return;
    if (found != procedure.call_at.end() && request_operands(p, node, found->second, out)) return;
    if (found != procedure.call_at.end() && model_[found->second].rule) {
      return rule_operands(p, node, model_[found->second], result, out);
    }
    if (!has_outcome(p, node) && native_operands(p, node, result, out)) return;
    core::for_each_use(m, node, [&](VarId v) { out.push_back({v, kWhole}); });
    return;
  }
  std::span<const VarId> arguments;
  switch (m[node].kind) {
    case Kind::Call:
      arguments = m.vars(m.get<core::node::Call>(node).arguments);
      break;
    case Kind::CallRemote:
      arguments = m.vars(m.get<core::node::CallRemote>(node).arguments);
      break;
    case Kind::CallDynamic: {
      const auto view = m.get<core::node::CallDynamic>(node);
      out.push_back({view.module, kWhole});
      out.push_back({view.name, kWhole});
      arguments = m.vars(view.arguments);
      break;
    }
    default: {
      const auto view = m.get<core::node::Apply>(node);
      out.push_back({view.function, kShape});
      arguments = m.vars(view.arguments);
      break;
    }
  }
  for (const Target& target : model_[found->second].targets) {
    const auto& parameters = model_[target.callee].parameters;
    for (size_t i = 0; i < arguments.size() && i < parameters.size(); ++i) {
      out.push_back({arguments[i], need_of(target.callee, parameters[i]),
                     Fact::of(target.callee, parameters[i])});
    }
  }
}

// Of a message, what those that may take it need of it. False: it is none, or goes to others too.
bool Slicer::message_operands(ProcedureId p, NodeId node, NeedId result, Operands& out) {
  const core::Module& m = *model_[p].module;
  if (m[node].kind != Kind::CallRemote || !model_.is_known_send(m.global(node))) return false;
  const auto call = m.get<core::node::CallRemote>(node);
  const auto arguments = m.vars(call.arguments);
  const std::string_view name = call.name.text();
  if (call.module != atoms::erlang || arguments.size() != 2 || (name != "!" && name != "send")) {
    return false;
  }
  out.push_back({arguments[0], kWhole});
  out.push_back({arguments[1], result});
  for (const FunUse& receive : model_.partners(m.global(node))) {
    const core::Module& of = *model_[receive.procedure].module;
    const VarId message = of.get<core::node::Receive>(receive.node).message;
    out.push_back({arguments[1], need_of(receive.procedure, message),
                   Fact::of(receive.procedure, receive.node)});
  }
  return true;
}

namespace {

// What is needed of the end of a way; `callee`: of the fun that is called.
NeedId need_at_end(Needs& needs, const RulePath& to, NeedId result, NeedId parameter) {
  switch (to.spot) {
    case RulePath::Spot::Looked:
      return kWhole;
    case RulePath::Spot::Shape:
      return kShape;
    case RulePath::Spot::Result:
      return need_below(needs, to, result);
    case RulePath::Spot::Parameter:
      return need_below(needs, to, parameter);
    case RulePath::Spot::Argument:
    case RulePath::Spot::Returned:
      break;
  }
  return kNothing;
}

}  // namespace

// Of the call's arguments. What the fun returns is in evaluate_rule.
void Slicer::rule_operands(ProcedureId p, NodeId node, const Call& call, NeedId result,
                           Operands& out) {
  const core::Module& m = *model_[p].module;
  const auto arguments = m.vars(m.get<core::node::CallRemote>(node).arguments);
  for (const RuleWay& way : *call.rule) {
    if (way.from.spot != RulePath::Spot::Argument) continue;
    const VarId argument = arguments[way.from.index];
    if (way.to.spot != RulePath::Spot::Parameter) {
      const NeedId need = need_at_end(trees_, way.to, result, kNothing);
      out.push_back({argument, need_above(trees_, way.from, need)});
      continue;
    }
    out.push_back({argument, need_above(trees_, way.from, kNothing)});
    for (const Target& target : call.targets) {
      const auto& parameters = model_[target.callee].parameters;
      if (target.is_direct || way.to.index >= parameters.size()) continue;
      const VarId parameter = parameters[way.to.index];
      const NeedId need = need_at_end(trees_, way.to, result, need_of(target.callee, parameter));
      out.push_back(
          {argument, need_above(trees_, way.from, need), Fact::of(target.callee, parameter)});
    }
  }
}

void Slicer::evaluate_rule(const Call& call, NeedId result, bool is_raising) {
  for (const Target& target : call.targets) {
    if (target.is_direct) continue;
    const auto& parameters = model_[target.callee].parameters;
    for (const RuleWay& way : *call.rule) {
      if (way.from.spot != RulePath::Spot::Returned) continue;
      const bool is_known = way.to.index < parameters.size();
      const NeedId parameter = way.to.spot == RulePath::Spot::Parameter && is_known
                                   ? need_of(target.callee, parameters[way.to.index])
                                   : kNothing;
      const NeedId need = need_at_end(trees_, way.to, result, parameter);
      grow(target.callee, model_[target.callee].result, need_above(trees_, way.from, need),
           Reason::Result);
    }
    if (is_raising) raised(target.callee);
  }
}

// False: all of everything.
bool Slicer::native_operands(ProcedureId p, NodeId node, NeedId result, Operands& out) {
  const core::Module& m = *model_[p].module;
  if (m[node].kind != Kind::CallRemote) return false;
  const auto call = m.get<core::node::CallRemote>(node);
  if (call.module != atoms::erlang) return false;
  const auto arguments = m.vars(call.arguments);
  const auto* const row = std::find_if(std::begin(kLooks), std::end(kLooks), [&](const LookRow& r) {
    return r.name == call.name.text() && r.arity == arguments.size();
  });
  if (row == std::end(kLooks)) return false;
  switch (row->look) {
    case Look::Shape:
      out.push_back({arguments[0], kShape});
      return true;
    case Look::Spine:
      out.push_back({arguments[0], trees_.of_list(kNothing)});
      return true;
    case Look::Head:
      out.push_back({arguments[0], trees_.of_part(Selector::head(), result)});
      return true;
    case Look::Tail:
      out.push_back({arguments[0], trees_.of_part(Selector::tail(), result)});
      return true;
    case Look::Element: {
      const std::optional<Term> index = constant(p, arguments[0]);
      if (!index || index->kind() != TermKind::Integer || index->small() < 1) return false;
      out.push_back({arguments[0], kWhole});
      out.push_back(
          {arguments[1],
           trees_.of_part(Selector::element(static_cast<size_t>(index->small() - 1)), result)});
      return true;
    }
    case Look::SetElement: {
      const std::optional<Term> index = constant(p, arguments[0]);
      if (!index || !index->is_small() || index->small() < 1) return false;
      out.push_back({arguments[0], kWhole});
      out.push_back({arguments[1], trees_.join(result, kShape)});
      out.push_back(
          {arguments[2], trees_.element_of_any(result, static_cast<size_t>(index->small() - 1))});
      return true;
    }
  }
  return false;
}

}  // namespace fathom::slice
