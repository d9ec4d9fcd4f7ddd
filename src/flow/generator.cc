#include "flow/generator.h"

#include "base/budget.h"
#include "core/raise.h"
#include "flow/engine.h"

namespace fathom::flow {

using core::Kind;
using core::Module;
using core::NodeId;
using core::VarId;

namespace {

// A list of constants that is longer is one cell that holds all of them.
constexpr size_t kMostCells = 16;
// Constants that nest deeper are not followed.
constexpr uint32_t kMostConstantDepth = 64;

}  // namespace

// ---- Regions ----------------------------------------------------------------

void Generator::enter(const Scope& scope, core::RegionId region, Slot result) {
  if (!exists(region)) return;
  if (!engine_.facts.regions.insert(region_key(scope.instance, region)).second) return;
  entered_.push_back({scope, region, result});
}

// Guards decide what the patterns leave open, so what they compute matters only to those who ask
// where values are used. Errors in them are caught.
void Generator::enter_guards(const Scope& scope, NodeId clause) {
  const Module& m = module(scope);
  if (!exists(guard_errors_)) guard_errors_ = engine_.solver.add_slots(kExceptionSlots);
  Scope inner = scope;
  inner.handler = guard_errors_;
  for (const core::RegionId guard : m.regions(m.get<core::node::Clause>(clause).guards)) {
    enter(inner, guard, kNoSlot);
  }
}

bool Generator::generate_entered() {
  const bool is_any = !entered_.empty();
  while (!entered_.empty()) {
    const Entered entered = entered_.front();
    entered_.pop_front();
    const Module& m = module(entered.scope);
    for (const NodeId id : m.nodes(entered.region)) {
      spend(4);
      generate(entered.scope, id);
    }
    const VarId value = m[entered.region].value;
    if (exists(value) && exists(entered.result)) {
      engine_.solver.add_edge(variable(entered.scope, value), entered.result);
    }
  }
  return is_any;
}

const Module& Generator::module(const Scope& scope) const {
  return *engine_.facts[scope.instance].code.module;
}

Slot Generator::variable(const Scope& scope, VarId var) const {
  return engine_.facts[scope.instance].variables + static_cast<size_t>(var);
}

std::vector<Slot> Generator::variables(const Scope& scope, core::ListId list) const {
  std::vector<Slot> slots;
  for (const VarId v : module(scope).vars(list)) slots.push_back(variable(scope, v));
  return slots;
}

Objects::Origin Generator::origin(const Scope& scope, NodeId id, uint32_t index) const {
  return {module(scope).global(id), engine_.facts[scope.instance].context, index};
}

SiteId Generator::site(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  Slot result = kNoSlot;
  if (exists(m[id].result)) result = variable(scope, m[id].result);
  engine_.facts.sites.push_back({.instance = scope.instance,
                                 .node = id,
                                 .global = m.global(id),
                                 .handler = scope.handler,
                                 .result = result});
  return SiteId{static_cast<uint32_t>(engine_.facts.sites.size() - 1)};
}

void Generator::add_result(const Scope& scope, NodeId id, ObjectId object) {
  const VarId result = module(scope)[id].result;
  if (exists(result)) engine_.solver.add(variable(scope, result), object);
}

// ---- Nodes ------------------------------------------------------------------

void Generator::generate(const Scope& scope, NodeId id) {
  if (generate_value(scope, id)) return;
  switch (module(scope)[id].kind) {
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
      return generate_call(scope, id);
    default:
      return generate_control(scope, id);
  }
}

bool Generator::generate_value(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  Solver& solver = engine_.solver;
  const auto copy = [&](VarId from) {
    if (exists(m[id].result)) solver.add_edge(variable(scope, from), variable(scope, m[id].result));
  };
  switch (m[id].kind) {
    case Kind::Literal:
      literal(scope, id);
      return true;
    case Kind::Copy:
      copy(m.get<core::node::Copy>(id).value);
      return true;
    case Kind::Bind:
      copy(m.get<core::node::Bind>(id).subject);
      return true;
    case Kind::Tuple:
      tuple(scope, id);
      return true;
    case Kind::Cons: {
      const auto view = m.get<core::node::Cons>(id);
      const ObjectId cell = engine_.objects.made(ObjectKind::Cons, origin(scope, id));
      solver.add_edge(variable(scope, view.head), engine_.objects.part(cell, kHead));
      solver.add_edge(variable(scope, view.tail), engine_.objects.part(cell, kTail));
      add_result(scope, id, cell);
      return true;
    }
    case Kind::Map:
      map(scope, id);
      return true;
    case Kind::MapPut: {
      const auto view = m.get<core::node::MapPut>(id);
      map_update(scope, id, view.map, view.pairs);
      return true;
    }
    case Kind::MapReplace: {
      const auto view = m.get<core::node::MapReplace>(id);
      map_update(scope, id, view.map, view.pairs);
      return true;
    }
    case Kind::Binary:
      add_result(scope, id, engine_.objects.made(ObjectKind::Bits, origin(scope, id)));
      solver.add(of_class(scope.handler, ExceptionClass::Error),
                 engine_.objects.atom(Atom::intern("badarg")));
      return true;
    case Kind::Fun:
      fun(scope, id);
      return true;
    case Kind::ExternalFun:
      external_fun(scope, id);
      return true;
    case Kind::Stacktrace:
      add_result(scope, id, engine_.objects.unknown());
      if (exists(m[id].result)) traces_.insert(variable(scope, m[id].result));
      return true;
    case Kind::MatchSegment:
      segment(scope, id);
      return true;
    default:
      return false;
  }
}

void Generator::literal(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const ObjectId object = constant(m, id, m[m.get<core::node::Literal>(id).value]);
  add_result(scope, id, object);
  if (exists(m[id].result) && engine_.objects.is_constant(object)) {
    literals_.emplace(variable(scope, m[id].result), engine_.objects.plain(object));
  }
}

void Generator::tuple(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const std::span<const VarId> elements = m.vars(m.get<core::node::Tuple>(id).elements);
  const ObjectId object = engine_.objects.made(ObjectKind::Tuple, origin(scope, id),
                                               static_cast<uint32_t>(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i) {
    engine_.solver.add_edge(variable(scope, elements[i]), engine_.objects.part(object, i));
  }
  add_result(scope, id, object);
}

void Generator::map(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const ObjectId object = engine_.objects.made(ObjectKind::Map, origin(scope, id));
  put_pairs(scope, object, m.get<core::node::Map>(id).pairs);
  add_result(scope, id, object);
}

void Generator::put_pairs(const Scope& scope, ObjectId map, core::ListId pairs) {
  const std::vector<Slot> slots = variables(scope, pairs);
  for (size_t i = 0; i + 1 < slots.size(); i += 2) engine_.objects.put(map, slots[i], slots[i + 1]);
}

void Generator::map_update(const Scope& scope, NodeId id, VarId old, core::ListId pairs) {
  const ObjectId object = engine_.objects.made(ObjectKind::Map, origin(scope, id));
  put_pairs(scope, object, pairs);
  engine_.on_each(variable(scope, old),
                  [this, object, replaced = constants_among(scope, pairs)](ObjectId from) {
                    engine_.objects.put_all(object, from, replaced);
                  });
  raise_error(scope, "badmap", variable(scope, old));
  const std::vector<Slot> slots = variables(scope, pairs);
  for (size_t i = 0; i < slots.size(); i += 2) raise_error(scope, "badkey", slots[i]);
  add_result(scope, id, object);
}

// Keys that have new values for certain: the literals. What another variable holds may still grow.
std::vector<ObjectId> Generator::constants_among(const Scope& scope, core::ListId pairs) const {
  std::vector<ObjectId> found;
  const std::span<const VarId> vars = module(scope).vars(pairs);
  for (size_t i = 0; i + 1 < vars.size(); i += 2) {
    const auto at = literals_.find(variable(scope, vars[i]));
    if (at != literals_.end()) found.push_back(at->second);
  }
  return found;
}

void Generator::fun(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const auto view = m.get<core::node::Fun>(id);
  const std::vector<Slot> captures = variables(scope, view.captures);
  const ObjectId object =
      engine_.objects.fun(origin(scope, id), m, view.code, static_cast<uint32_t>(captures.size()));
  for (size_t i = 0; i < captures.size(); ++i) {
    engine_.solver.add_edge(captures[i], engine_.objects.part(object, i));
  }
  add_result(scope, id, object);
}

void Generator::external_fun(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const auto view = m.get<core::node::ExternalFun>(id);
  const Slot result = variable(scope, m[id].result);
  const Slot name = variable(scope, view.name);
  const Slot arity = variable(scope, view.arity);
  const core::GlobalNodeId node = m.global(id);
  const bool is_known = knows_origins(m);
  // Each of the three is a constant, or nearly always so.
  engine_.on_each(variable(scope, view.module), [this, name, arity, result, node,
                                                 is_known](ObjectId module_object) {
    engine_.on_each(name, [this, module_object, arity, result, node,
                           is_known](ObjectId name_object) {
      engine_.on_each(arity, [this, module_object, name_object, result, node,
                              is_known](ObjectId arity_object) {
        const Objects& o = engine_.objects;
        if (o[module_object].kind != ObjectKind::Atom || o[name_object].kind != ObjectKind::Atom ||
            o[arity_object].kind != ObjectKind::Integer) {
          for (const FunctionName& f :
               engine_.calls.computed_names(o[module_object], o[name_object])) {
            const Object& n = o[arity_object];
            if (n.kind == ObjectKind::Integer && n.number != f.arity) continue;
            const ObjectId fun = engine_.objects.external_fun(f.module, f.name, f.arity);
            engine_.solver.add(result, is_known ? engine_.objects.written_at(fun, node) : fun);
          }
          return engine_.solver.add(result, o.unknown());
        }
        const ObjectId fun =
            engine_.objects.external_fun(o[module_object].atom, o[name_object].atom,
                                         static_cast<uint32_t>(o[arity_object].number));
        engine_.solver.add(result, is_known ? engine_.objects.written_at(fun, node) : fun);
      });
    });
  });
}

void Generator::segment(const Scope& scope, NodeId id) {
  const auto spec = core::SegmentSpec::unpack(module(scope).get<core::node::MatchSegment>(id).spec);
  switch (spec.type) {
    case core::SegmentSpec::Type::Float:
      return add_result(scope, id, engine_.objects.simple(ObjectKind::Float));
    case core::SegmentSpec::Type::Bits:
      return add_result(scope, id, engine_.objects.made(ObjectKind::Bits, origin(scope, id)));
    default:
      return add_result(scope, id, engine_.objects.simple(ObjectKind::AnyInteger));
  }
}

// ---- Constants --------------------------------------------------------------

ObjectId Generator::constant(const Module& module, NodeId node, Term term) {
  const auto [at, is_new] = constants_.try_emplace(module.global(node));
  if (is_new) {
    next_part_ = 0;
    const ObjectId object = constant_part(module, node, term);
    constants_[module.global(node)] = object;
    return object;
  }
  return at->second;
}

ObjectId Generator::constant_part(const Module& module, NodeId node, Term term) {
  Objects& objects = engine_.objects;
  const Objects::Origin here{module.global(node), kNoContext, next_part_++};
  if (++constant_depth_ > kMostConstantDepth) {
    --constant_depth_;
    return objects.unknown();
  }
  ObjectId object = objects.unknown();
  switch (term.kind()) {
    case TermKind::Nil:
      object = objects.simple(ObjectKind::Nil);
      break;
    case TermKind::Integer:
      object = objects.integer(term.small());
      break;
    case TermKind::BigInteger:
      object = objects.simple(ObjectKind::AnyInteger);
      break;
    case TermKind::Float:
      object = objects.simple(ObjectKind::Float);
      break;
    case TermKind::Atom:
      object = objects.atom(term.atom());
      break;
    case TermKind::List:
      object = constant_list(module, node, term);
      break;
    case TermKind::Tuple: {
      const auto elements = term.tuple();
      object = objects.made(ObjectKind::Tuple, here, static_cast<uint32_t>(elements.size()));
      for (size_t i = 0; i < elements.size(); ++i) {
        engine_.solver.add(objects.part(object, i), constant_part(module, node, elements[i]));
      }
      break;
    }
    case TermKind::Map:
      object = objects.made(ObjectKind::Map, here);
      for (size_t i = 0; i < term.map().size(); ++i) {
        objects.put(object, constant_part(module, node, term.map().key(i)),
                    constant_part(module, node, term.map().value(i)));
      }
      break;
    case TermKind::Bitstring:
      object = objects.made(ObjectKind::Bits, here);
      break;
    case TermKind::ExternalFun:
      object = objects.external_fun(term.external_fun().module, term.external_fun().function,
                                    term.external_fun().arity);
      break;
    case TermKind::Opaque:
      break;
  }
  --constant_depth_;
  const bool has_origin = object == objects.unknown() || objects[object].node;
  if (has_origin || !knows_origins(module)) return object;
  return objects.written_at(object, module.global(node));
}

bool Generator::knows_origins(const Module& module) const {
  return engine_.options.knows_origins && engine_.code.is_own(module.name());
}

ObjectId Generator::constant_list(const Module& module, NodeId node, Term term) {
  Objects& objects = engine_.objects;
  Solver& solver = engine_.solver;
  const auto cell = [&] {
    return objects.made(ObjectKind::Cons, {module.global(node), kNoContext, next_part_++});
  };
  const ObjectId first = cell();
  ObjectId last = first;
  size_t count = 0;
  const ListView list = term.list();
  for (const Term element : list) {
    spend(1);
    if (count > 0 && count < kMostCells) {
      const ObjectId next = cell();
      solver.add(objects.part(last, kTail), next);
      last = next;
    } else if (count == kMostCells) {
      solver.add(objects.part(last, kTail), last);  // it holds the rest
    }
    solver.add(objects.part(last, kHead), constant_part(module, node, element));
    ++count;
  }
  solver.add(objects.part(last, kTail), constant_part(module, node, list.tail()));
  return first;
}

// ---- Calls ------------------------------------------------------------------

void Generator::generate_call(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const SiteId where = site(scope, id);
  Calls& calls = engine_.calls;
  switch (m[id].kind) {
    case Kind::Call: {
      const auto view = m.get<core::node::Call>(id);
      const core::Function& f = m[view.function];
      const std::vector<Slot> arguments = variables(scope, view.arguments);
      if (exists(f.body) && !engine_.calls.is_modelled({m.name(), f.name, f.arity})) {
        return calls.function({where, CallKind::FirstOrder}, {&m, view.function}, arguments);
      }
      return calls.named({where, CallKind::FirstOrder}, {m.name(), f.name, f.arity}, arguments);
    }
    case Kind::CallRemote: {
      const auto view = m.get<core::node::CallRemote>(id);
      const std::vector<Slot> arguments = variables(scope, view.arguments);
      const FunctionName name{view.module, view.name, static_cast<uint32_t>(arguments.size())};
      return calls.named({where, CallKind::FirstOrder}, name, arguments);
    }
    case Kind::CallDynamic: {
      const auto view = m.get<core::node::CallDynamic>(id);
      return calls.dynamic({where, CallKind::HigherOrder}, variable(scope, view.module),
                           variable(scope, view.name), variables(scope, view.arguments));
    }
    default: {
      const auto view = m.get<core::node::Apply>(id);
      return calls.value({where, CallKind::HigherOrder}, variable(scope, view.function),
                         variables(scope, view.arguments));
    }
  }
}

// ---- Control ----------------------------------------------------------------

void Generator::generate_control(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const Slot result = exists(m[id].result) ? variable(scope, m[id].result) : kNoSlot;
  switch (m[id].kind) {
    case Kind::Return:
      engine_.solver.add_edge(variable(scope, m.get<core::node::Return>(id).value),
                              engine_.facts[scope.instance].result);
      return;
    case Kind::Case: {
      const auto view = m.get<core::node::Case>(id);
      engine_.matching.dispatch(scope, id, view.clauses, view.otherwise, result, core::kNoVar);
      return;
    }
    case Kind::Receive:
      return receive(scope, id);
    case Kind::Try:
      return try_node(scope, id);
    case Kind::Maybe: {
      const auto view = m.get<core::node::Maybe>(id);
      Scope inner = scope;
      inner.mismatch = variable(scope, view.mismatch);
      enter(inner, view.body, result);
      engine_.on_first(inner.mismatch,
                       [this, scope, view, result] { enter(scope, view.otherwise, result); });
      return;
    }
    case Kind::Leave:
      if (exists(scope.mismatch)) {
        engine_.solver.add_edge(variable(scope, m.get<core::node::Leave>(id).mismatch),
                                scope.mismatch);
      }
      return;
    case Kind::Raise:
      return raise(scope, id);
    case Kind::NoMatch:
      return no_match(scope, id);
    default:  // Entry, and what only fails
      return;
  }
}

void Generator::receive(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const auto view = m.get<core::node::Receive>(id);
  const Slot result = exists(m[id].result) ? variable(scope, m[id].result) : kNoSlot;
  const Slot message = variable(scope, view.message);
  engine_.on_each(engine_.facts[scope.instance].self, [this, message](ObjectId process) {
    if (engine_.objects[process].kind == ObjectKind::Pid) {
      engine_.solver.add_edge(engine_.objects.part(process, kMailbox), message);
    }
  });
  engine_.matching.dispatch(scope, id, view.clauses, core::kNoRegion, result, view.message);
  if (!exists(view.after)) return;
  // Not if it waits for ever: many receives of OTP's take a time, and are given `infinity`.
  const ObjectId infinity = engine_.objects.atom(Atom::intern("infinity"));
  engine_.solver.add(of_class(scope.handler, ExceptionClass::Error),
                     engine_.objects.atom(Atom::intern("timeout_value")));
  engine_.on_each(variable(scope, view.timeout),
                  [this, scope, view, result, infinity](ObjectId time) {
                    if (time != infinity) enter(scope, view.after, result);
                  });
}

void Generator::try_node(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const auto view = m.get<core::node::Try>(id);
  const Slot result = exists(m[id].result) ? variable(scope, m[id].result) : kNoSlot;
  const Slot handler = engine_.solver.add_slots(kExceptionSlots);
  engine_.facts.tries.push_back({scope.instance, id, handler});

  Scope inner = scope;
  inner.handler = handler;
  const Slot value = exists(view.value) ? variable(scope, view.value) : kNoSlot;
  enter(inner, view.body, value);
  if (exists(value)) {
    engine_.on_first(value, [this, scope, view, result] { enter(scope, view.success, result); });
  } else {
    enter(scope, view.success, result);
  }

  static constexpr std::string_view kClassNames[] = {"error", "exit", "throw"};
  for (size_t c = 0; c < kExceptionClasses; ++c) {
    const ObjectId name = engine_.objects.atom(Atom::intern(kClassNames[c]));
    if (exists(view.reason)) engine_.solver.add_edge(handler + c, variable(scope, view.reason));
    engine_.on_first(handler + c, [this, scope, view, result, name] {
      if (exists(view.exception_class)) {
        engine_.solver.add(variable(scope, view.exception_class), name);
      }
      enter(scope, view.handler, result);
    });
  }
  if (engine_.options.knows_origins && exists(view.exception_class)) {
    engine_.solver.add_edge(handler + kRaisedClass, variable(scope, view.exception_class));
  }
  if (exists(view.trace)) {
    engine_.solver.add(variable(scope, view.trace), engine_.objects.unknown());
    traces_.insert(variable(scope, view.trace));
  }
  if (exists(view.reason) && exists(view.exception_class)) {
    caught_[variable(scope, view.reason)] = {variable(scope, view.exception_class), handler};
  }
}

std::optional<Slot> Generator::handler_of(Slot reason) const {
  const auto at = caught_.find(reason);
  if (at == caught_.end()) return std::nullopt;
  return at->second.handler;
}

Slot Generator::class_slot_of(Slot reason) const { return caught_.at(reason).exception_class; }

void Generator::raise(const Scope& scope, NodeId id) {
  const auto view = module(scope).get<core::node::Raise>(id);
  const Slot reason = variable(scope, view.reason);
  const Slot exception_class = variable(scope, view.exception_class);
  // An exception that is passed on keeps its class.
  if (const auto caught = caught_.find(reason);
      caught != caught_.end() && caught->second.exception_class == exception_class) {
    return engine_.pass_exceptions(caught->second.handler, scope.handler);
  }
  engine_.effects.raise(scope.handler, exception_class, reason);
}

void Generator::no_match(const Scope& scope, NodeId id) {
  const Module& m = module(scope);
  const auto view = m.get<core::node::NoMatch>(id);
  const Slot errors = of_class(scope.handler, ExceptionClass::Error);
  const std::vector<Slot> values = variables(scope, view.values);
  const ObjectId name = engine_.objects.atom(view.error);
  static const Atom function_clause = Atom::intern("function_clause");
  static const Atom if_clause = Atom::intern("if_clause");
  if (view.error == function_clause || view.error == if_clause || values.empty()) {
    return engine_.solver.add(errors, name);
  }
  raise_error(scope, view.error.text(), values[0]);
}

// {Error, Value}. One for all of the module: they reach every handler on the way out, and if each
// node had its own there would be as many as matches in the program, in most functions of it.
void Generator::raise_error(const Scope& scope, std::string_view error, Slot value) {
  const Atom name = Atom::intern(error);
  const ObjectId reason =
      engine_.objects.made(ObjectKind::Tuple, origin(scope, NodeId{0}, name.id()), 2);
  engine_.solver.add(engine_.objects.part(reason, 0), engine_.objects.atom(name));
  engine_.solver.add_edge(value, engine_.objects.part(reason, 1));
  engine_.solver.add(of_class(scope.handler, ExceptionClass::Error), reason);
}

}  // namespace fathom::flow
