#include "flow/effect_evaluator.h"

#include "flow/engine.h"

namespace fathom::flow {

using Op = EffectOp;

namespace {

// Which of the objects that a call makes: those that a row can name more than once are fixed.
constexpr uint32_t kReference = 0xFFFFFF00, kProcess = 0xFFFFFF01, kTable = 0xFFFFFF02,
                   kFailure = 0xFFFFFF05;

bool is_service(Atom name) {
  static const std::unordered_set<Atom> services = {
#define SERVICE(Name) Atom::intern(Name),
#include "flow/services.def"
#undef SERVICE
  };
  return services.contains(name);
}

}  // namespace

EffectEvaluator::EffectEvaluator(Engine& engine)
    : engine_(engine), all_registered_(fresh()), all_tables_(fresh()) {}

void EffectEvaluator::apply(const Effect& effect, SiteId site, std::span<const Slot> arguments) {
  Frame frame{site, arguments};
  for (const EffectTerm& action : effect.actions) act(frame, action);
  const Site where = engine_.facts[site];
  for (const EffectTerm& result : effect.result) {
    const Slot value = evaluate(frame, result);
    if (exists(where.result)) engine_.solver.add_edge(value, where.result);
  }
  for (const char* name : {"badarg", "badarith", "function_clause", "system_limit"}) {
    engine_.solver.add(of_class(where.handler, ExceptionClass::Error),
                       engine_.objects.atom(Atom::intern(name)));
  }
}

// OTP's code that is only modelled fails in more ways than native functions do: with any atom, or
// with {badmatch, V} and the like of what it was given. One tuple for all of the module that calls;
// where constants are told apart too, V would be most of them, and is not followed.
void EffectEvaluator::fail_in_library(SiteId site, std::span<const Slot> arguments) {
  const Site where = engine_.facts[site];
  const Instance& caller = engine_.facts[where.instance];
  Objects& objects = engine_.objects;
  Solver& solver = engine_.solver;
  const ObjectId any = objects.simple(ObjectKind::AnyAtom);
  const ObjectId reason =
      objects.made(ObjectKind::Tuple,
                   {caller.code.module->global(core::NodeId{0}), caller.context, kFailure}, 2);
  const Slot value = objects.part(reason, 1);
  solver.add(objects.part(reason, 0), any);
  solver.add(value, engine_.options.knows_origins ? objects.unknown() : any);
  for (const Slot argument : arguments) {
    if (engine_.options.knows_origins) break;
    solver.add_edge(argument, value);
    solver.add_edge(elements(argument), value);
  }
  const Slot errors = of_class(where.handler, ExceptionClass::Error);
  solver.add(errors, any);
  solver.add(errors, reason);
}

Slot EffectEvaluator::fresh() { return engine_.solver.add_slots(); }

// A slot that holds this object alone; shared, so nothing may be added to it.
Slot EffectEvaluator::single(ObjectId object) {
  const auto [at, is_new] = singles_.try_emplace(object);
  if (is_new) {
    at->second = fresh();
    engine_.solver.add(at->second, object);
  }
  return at->second;
}

Objects::Origin EffectEvaluator::origin(const Frame& frame, uint32_t index) const {
  const Site& site = engine_.facts[frame.site];
  return {site.global, engine_.facts[site.instance].context, index};
}

// ---- Expressions ------------------------------------------------------------

Slot EffectEvaluator::evaluate(Frame& frame, const EffectTerm& term) {
  Objects& objects = engine_.objects;
  const auto either = [&](ObjectId a, ObjectId b) {
    const Slot both = fresh();
    engine_.solver.add(both, a);
    engine_.solver.add(both, b);
    return both;
  };
  switch (term.op) {
    case Op::Argument:
      return frame.arguments[static_cast<size_t>(term.number) - 1];
    case Op::Literal:
      return single(objects.atom(term.atom));
    case Op::Number:
      return single(objects.integer(term.number));
    case Op::Unknown:
    case Op::AnyPid:
      return single(objects.unknown());
    case Op::AnyAtom:
      return single(objects.simple(ObjectKind::AnyAtom));
    case Op::Boolean:
      return either(objects.atom(Atom::intern("true")), objects.atom(Atom::intern("false")));
    case Op::AnyInteger:
      return single(objects.simple(ObjectKind::AnyInteger));
    case Op::Float:
      return single(objects.simple(ObjectKind::Float));
    case Op::AnyNumber:
      return either(objects.simple(ObjectKind::AnyInteger), objects.simple(ObjectKind::Float));
    case Op::Nil:
      return single(objects.simple(ObjectKind::Nil));
    case Op::Port:
      return single(objects.simple(ObjectKind::Port));
    case Op::Bits:
      return single(objects.made(ObjectKind::Bits, {}));
    case Op::String:
      return either(string(), objects.simple(ObjectKind::Nil));
    case Op::Chars:
      return either(chars(), objects.simple(ObjectKind::Nil));
    case Op::Self:
      return engine_.facts.self_of(engine_.facts[frame.site]);
    case Op::Union: {
      const Slot all = fresh();
      for (const EffectTerm& operand : term.operands) {
        engine_.solver.add_edge(evaluate(frame, operand), all);
      }
      return all;
    }
    case Op::Reference:
    case Op::Tuple:
    case Op::List:
    case Op::MapWith:
    case Op::MakeMap:
    case Op::Table:
      return make(frame, term);
    case Op::Replaced:
      return replaced(frame, term);
    case Op::Head:
    case Op::Tail:
    case Op::Elements:
    case Op::Tails:
    case Op::Part:
    case Op::Deep:
    case Op::MapValue:
    case Op::MapValues:
    case Op::MapKeys:
    case Op::Captured:
    case Op::Funs:
    case Op::Pids:
    case Op::Contents:
    case Op::Reasons:
    case Op::Mailbox:
      return take_part(frame, term);
    default:
      return perform(frame, term);
  }
}

// A list of characters, strings, binaries and such lists.
ObjectId EffectEvaluator::chars() {
  Objects& objects = engine_.objects;
  const ObjectId cell = objects.made(ObjectKind::Cons, {.index = 1});
  const ObjectId nil = objects.simple(ObjectKind::Nil);
  for (const ObjectId head : {objects.simple(ObjectKind::AnyInteger), string(), cell, nil,
                              objects.made(ObjectKind::Bits, {})}) {
    engine_.solver.add(objects.part(cell, kHead), head);
  }
  engine_.solver.add(objects.part(cell, kTail), cell);
  engine_.solver.add(objects.part(cell, kTail), string());
  engine_.solver.add(objects.part(cell, kTail), nil);
  return cell;
}

ObjectId EffectEvaluator::string() {
  Objects& objects = engine_.objects;
  const ObjectId cell = objects.made(ObjectKind::Cons, {});
  engine_.solver.add(objects.part(cell, kHead), objects.simple(ObjectKind::AnyInteger));
  engine_.solver.add(objects.part(cell, kTail), cell);
  engine_.solver.add(objects.part(cell, kTail), objects.simple(ObjectKind::Nil));
  return cell;
}

Slot EffectEvaluator::make(Frame& frame, const EffectTerm& term) {
  Objects& objects = engine_.objects;
  Solver& solver = engine_.solver;
  const uint32_t index = frame.made++;
  std::vector<Slot> operands;
  for (const EffectTerm& operand : term.operands) operands.push_back(evaluate(frame, operand));
  const Slot result = fresh();
  switch (term.op) {
    case Op::Reference:
      solver.add(result, objects.made(ObjectKind::Reference, origin(frame, kReference)));
      return result;
    case Op::Tuple: {
      const ObjectId tuple = objects.made(ObjectKind::Tuple, origin(frame, index),
                                          static_cast<uint32_t>(operands.size()));
      for (size_t i = 0; i < operands.size(); ++i) {
        solver.add_edge(operands[i], objects.part(tuple, i));
      }
      // Without elements there are no values.
      if (operands.empty()) {
        solver.add(result, tuple);
      } else {
        engine_.on_first(operands.back(),
                         [this, result, tuple] { engine_.solver.add(result, tuple); });
      }
      return result;
    }
    case Op::List: {
      const ObjectId cell = objects.made(ObjectKind::Cons, origin(frame, index));
      solver.add_edge(operands[0], objects.part(cell, kHead));
      solver.add(objects.part(cell, kTail), cell);
      if (operands.size() > 1) {
        solver.add_edge(operands[1], objects.part(cell, kTail));
      } else {
        solver.add(objects.part(cell, kTail), objects.simple(ObjectKind::Nil));
        solver.add(result, objects.simple(ObjectKind::Nil));
      }
      engine_.on_first(operands[0], [this, result, cell] { engine_.solver.add(result, cell); });
      return result;
    }
    case Op::Table:
      solver.add(result, table(frame, operands[0]));
      solver.add_edge(operands[0], result);  // a named one
      return result;
    case Op::MapWith: {
      const ObjectId map = objects.made(ObjectKind::Map, origin(frame, index));
      objects.put(map, operands[1], operands[2]);
      engine_.on_each(operands[0],
                      [this, map](ObjectId from) { engine_.objects.put_all(map, from); });
      solver.add(result, map);
      return result;
    }
    default: {
      const ObjectId map = objects.made(ObjectKind::Map, origin(frame, index));
      objects.put(map, operands[0], operands[1]);
      solver.add(result, map);
      return result;
    }
  }
}

// One tuple for each size: its elements may be those of any tuple of that size, or the new one.
Slot EffectEvaluator::replaced(Frame& frame, const EffectTerm& term) {
  const Slot tuples = evaluate(frame, term.operands[0]);
  const Slot places = evaluate(frame, term.operands[1]);
  const Slot value = evaluate(frame, term.operands[2]);
  const Slot result = fresh();
  const Objects::Origin here = origin(frame, frame.made++);
  engine_.on_each(tuples, [this, places, value, result, here](ObjectId id) {
    const Object from = engine_.objects[id];
    if (from.kind == ObjectKind::Unknown) {
      engine_.solver.add_edge(value, engine_.escaped);
      return engine_.solver.add(result, id);
    }
    if (from.kind != ObjectKind::Tuple) return;
    const ObjectId tuple = engine_.objects.made(ObjectKind::Tuple, here, from.size);
    const Slot parts = engine_.objects[tuple].parts;
    for (size_t i = 0; i < from.size; ++i) engine_.solver.add_edge(from.parts + i, parts + i);
    engine_.on_each(places, [this, parts, size = from.size, value](ObjectId place) {
      const Object at = engine_.objects[place];
      for (size_t i = 0; i < size; ++i) {
        const bool is_here = at.kind != ObjectKind::Integer || at.number == int64_t(i) + 1;
        if (is_here) engine_.solver.add_edge(value, parts + i);
      }
    });
    engine_.solver.add(result, tuple);
  });
  return result;
}

ObjectId EffectEvaluator::table(Frame& frame, Slot name) {
  const ObjectId object = engine_.objects.made(ObjectKind::Reference, origin(frame, kTable));
  engine_.solver.add(kept_under(Atom::intern("tables"), engine_.objects.atom(Atom::intern("all"))),
                     object);
  engine_.on_each(name, [this, object](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Atom) {
      engine_.solver.add(tables(engine_.objects[id].atom), object);
    } else if (engine_.objects[id].kind == ObjectKind::Unknown ||
               engine_.objects[id].kind == ObjectKind::AnyAtom) {
      engine_.solver.add(named_outside(), object);
      engine_.solver.add(engine_.escaped, object);
    }
  });
  return object;
}

Slot EffectEvaluator::take_part(Frame& frame, const EffectTerm& term) {
  std::vector<Slot> operands;
  for (const EffectTerm& operand : term.operands) operands.push_back(evaluate(frame, operand));
  const Slot from = operands[0];
  const Slot result = fresh();
  // What a part of an object is; of something unknown, something unknown.
  const auto part_of = [&](ObjectKind kind, size_t index) {
    engine_.on_each(from, [this, kind, index, result](ObjectId id) {
      if (engine_.objects[id].kind == ObjectKind::Unknown) return engine_.solver.add(result, id);
      if (engine_.objects[id].kind != kind) return;
      engine_.solver.add_edge(engine_.objects.part(id, index), result);
    });
    return result;
  };
  switch (term.op) {
    case Op::Head:
      return part_of(ObjectKind::Cons, kHead);
    case Op::Tail:
      return part_of(ObjectKind::Cons, kTail);
    case Op::MapValues:
      return part_of(ObjectKind::Map, kMapValues);
    case Op::MapKeys:
      return part_of(ObjectKind::Map, kMapKeys);
    case Op::Captured:
      engine_.on_each(from, [this, result](ObjectId id) {
        const Object& o = engine_.objects[id];
        if (o.kind == ObjectKind::Unknown) return engine_.solver.add(result, id);
        if (o.kind != ObjectKind::Fun) return;
        const Slot parts = o.parts;
        const size_t count = o.count;
        for (size_t i = 0; i < count; ++i) engine_.solver.add_edge(parts + i, result);
      });
      return result;
    case Op::Funs:
      return of_kinds(from,
                      kind_set(ObjectKind::Fun, ObjectKind::ExternalFun, ObjectKind::Unknown));
    case Op::Pids:
      return of_kinds(from, kind_set(ObjectKind::Pid));
    case Op::Reasons:
      return reasons_of(from);
    case Op::Mailbox:
      each_process(from, [this, result](ObjectId id) {
        if (engine_.objects[id].kind != ObjectKind::Pid) return engine_.solver.add(result, id);
        engine_.solver.add_edge(engine_.objects.part(id, kMailbox), result);
      });
      return result;
    case Op::Elements:
      return elements(from);
    case Op::Tails:
      engine_.solver.add_edge(from, result);
      engine_.on_each(result, [this, result](ObjectId id) {
        if (engine_.objects[id].kind != ObjectKind::Cons) return;
        engine_.solver.add_edge(engine_.objects.part(id, kTail), result);
      });
      return result;
    case Op::Part:
      return parts(from, operands.size() > 1 ? operands[1] : kNoSlot);
    case Op::Deep:
      return deep(from);
    case Op::MapValue:
      engine_.on_each(from, [this, key = operands[1], result](ObjectId map) {
        engine_.on_each(
            key, [this, map, result](ObjectId k) { engine_.objects.look_up(map, k, result); });
      });
      return result;
    default:  // Contents
      if (engine_.options.callers_do_anything)
        engine_.solver.add(result, engine_.objects.unknown());
      each_table(from,
                 [this, result](Slot contents) { engine_.solver.add_edge(contents, result); });
      return result;
  }
}

Slot EffectEvaluator::of_kinds(Slot from, KindSet kinds) {
  const Slot result = fresh();
  engine_.on_each(from, [this, kinds, result](ObjectId id) {
    if ((kinds & kind_set(engine_.objects[id].kind)) != 0) engine_.solver.add(result, id);
  });
  return result;
}

Slot EffectEvaluator::elements(Slot list) {
  const auto [at, is_new] = elements_.try_emplace(list);
  if (!is_new) return at->second;
  const Slot result = at->second = fresh();
  const Slot cells = fresh();
  engine_.solver.add_edge(list, cells);
  engine_.on_each(cells, [this, cells, result](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Unknown) return engine_.solver.add(result, id);
    if (engine_.objects[id].kind != ObjectKind::Cons) return;
    engine_.solver.add_edge(engine_.objects.part(id, kHead), result);
    engine_.solver.add_edge(engine_.objects.part(id, kTail), cells);
  });
  return result;
}

Slot EffectEvaluator::parts(Slot tuple, Slot places) {
  const Slot result = fresh();
  engine_.on_each(tuple, [this, places, result](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Unknown) return engine_.solver.add(result, id);
    if (object.kind != ObjectKind::Tuple) return;
    const auto take_all = [this, object, result] {
      for (size_t i = 0; i < object.size; ++i) engine_.solver.add_edge(object.parts + i, result);
    };
    if (!exists(places)) return take_all();
    engine_.on_each(places, [this, object, result, take_all](ObjectId place) {
      const Object at = engine_.objects[place];
      if (at.kind == ObjectKind::Unknown || at.kind == ObjectKind::AnyInteger) return take_all();
      if (at.kind != ObjectKind::Integer || at.number < 1 || at.number > object.size) return;
      engine_.solver.add_edge(object.parts + static_cast<size_t>(at.number - 1), result);
    });
  });
  return result;
}

Slot EffectEvaluator::deep(Slot slot) {
  const auto [at, is_new] = deep_.try_emplace(slot);
  if (!is_new) return at->second;
  const Slot result = at->second = fresh();
  engine_.solver.add_edge(slot, result);
  engine_.on_each(result, [this, result](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind != ObjectKind::Tuple && object.kind != ObjectKind::Cons &&
        object.kind != ObjectKind::Map) {
      return;
    }
    for (size_t i = 0; i < object.count; ++i) engine_.solver.add_edge(object.parts + i, result);
  });
  return result;
}

// ---- What is done -----------------------------------------------------------

Slot EffectEvaluator::perform(Frame& frame, const EffectTerm& term) {
  if (term.op == Op::Spawn) return spawn(frame, term);
  std::vector<Slot> operands;
  for (const EffectTerm& operand : term.operands) operands.push_back(evaluate(frame, operand));
  Site site = engine_.facts[frame.site];
  // What is called gives its result to the effect, not to the call around it.
  const Slot result = site.result = fresh();
  const auto here = [&] {
    engine_.facts.sites.push_back(site);
    return SiteId{static_cast<uint32_t>(engine_.facts.sites.size() - 1)};
  };
  switch (term.op) {
    case Op::Call:
      engine_.calls.value({.site = here(),
                           .kind = CallKind::HigherOrder,
                           .is_doubtful = term.operands[0].op == Op::Funs},
                          operands[0], {operands.begin() + 1, operands.end()});
      return result;
    case Op::Invoke:
      engine_.calls.dynamic({here(), CallKind::HigherOrder}, operands[0], operands[1],
                            {operands.begin() + 2, operands.end()});
      return result;
    case Op::Apply:
      if (operands.size() == 2) {
        engine_.calls.value_with_list({here(), CallKind::HigherOrder}, operands[0], operands[1]);
      } else {
        engine_.calls.dynamic_with_list({here(), CallKind::HigherOrder}, operands[0], operands[1],
                                        operands[2]);
      }
      return result;
    case Op::Arithmetic:
      // Of integers an integer.
      engine_.solver.add(result, engine_.objects.simple(ObjectKind::AnyInteger));
      for (const Slot operand : operands) {
        const auto kinds = kind_set(ObjectKind::Float, ObjectKind::Unknown);
        engine_.on_first(of_kinds(operand, kinds), [this, result] {
          engine_.solver.add(result, engine_.objects.simple(ObjectKind::Float));
        });
      }
      return result;
    case Op::Registered:
      engine_.on_each(operands[0], [this, result](ObjectId id) {
        const Object object = engine_.objects[id];
        if (object.kind == ObjectKind::Atom) {
          engine_.solver.add_edge(registered(object.atom), result);
        } else if (object.kind == ObjectKind::Unknown || object.kind == ObjectKind::AnyAtom) {
          engine_.solver.add(result, engine_.objects.unknown());
          engine_.solver.add_edge(all_registered_, result);
        }
      });
      return result;
    case Op::Exported:
      exported(frame.site, operands, result);
      return result;
    default:  // Kept
      return kept(operands[0], operands[1], false, result);
  }
}

// A module that there is may not be loaded. But `sys` asks of the one that has called it.
void EffectEvaluator::exported(SiteId site, std::span<const Slot> function, Slot result) {
  static const Atom sys = Atom::intern("sys");
  const bool is_loaded = engine_.facts[engine_.facts[site].instance].code.module->name() == sys;
  const ObjectId no = engine_.objects.atom(Atom::intern("false"));
  engine_.on_each(function[0], [=, this, name = function[1], arity = function[2]](ObjectId m) {
    engine_.on_each(name, [=, this](ObjectId n) {
      engine_.on_each(arity, [=, this](ObjectId a) {
        const Object& module = engine_.objects[m];
        const Object& count = engine_.objects[a];
        const bool is_known =
            module.kind == ObjectKind::Atom && engine_.objects[n].kind == ObjectKind::Atom &&
            count.kind == ObjectKind::Integer && engine_.code.has_module(module.atom);
        const bool is_there =
            is_known && engine_.code.is_exported({module.atom, engine_.objects[n].atom,
                                                  static_cast<uint32_t>(count.number)});
        if (is_there || !is_known)
          engine_.solver.add(result, engine_.objects.atom(Atom::intern("true")));
        if (!is_there || !is_loaded) engine_.solver.add(result, no);
      });
    });
  });
}

Slot EffectEvaluator::spawn(Frame& frame, const EffectTerm& term) {
  std::vector<Slot> operands;
  for (const EffectTerm& operand : term.operands) operands.push_back(evaluate(frame, operand));
  const ObjectId process = engine_.objects.made(ObjectKind::Pid, origin(frame, kProcess));
  add_process(process);
  const Invocation how{frame.site, CallKind::Spawn, process};
  if (operands.size() == 1) {
    engine_.calls.value(how, operands[0], {});
  } else {
    engine_.calls.dynamic_with_list(how, operands[0], operands[1], operands[2]);
  }
  return single(process);
}

// Lists of all processes, and of all tables, have it.
void EffectEvaluator::add_process(ObjectId process) {
  engine_.solver.add(
      kept_under(Atom::intern("processes"), engine_.objects.atom(Atom::intern("all"))), process);
}

Slot EffectEvaluator::registered(Atom name) {
  const auto [at, is_new] = registered_.try_emplace(name);
  if (is_new) {
    const Slot slot = at->second = fresh();
    const Slot own = registered_as_[name] = fresh();
    engine_.facts.names.push_back({name, own});
    engine_.solver.add_edge(own, slot);
    engine_.solver.add_edge(own, all_registered_);
    engine_.solver.add_edge(named_outside(), slot);  // whose name was computed
    if (is_shared(name)) share(slot);
    if (is_service(name)) {
      engine_.solver.add(own, engine_.objects.unknown());
      engine_.calls.callbacks_of_service(name);
      return slot;
    }
  }
  return at->second;
}

Slot EffectEvaluator::tables(Atom name) {
  const auto [at, is_new] = tables_.try_emplace(name);
  if (is_new) {
    at->second = fresh();
    engine_.solver.add_edge(at->second, all_tables_);
    engine_.solver.add_edge(named_outside(), at->second);
    if (is_shared(name)) share(at->second);
  }
  return at->second;
}

bool EffectEvaluator::is_shared(Atom name) const {
  return engine_.options.callers_do_anything || escaped_names_.contains(name);
}

// The outside may use the name: for what it stands for, and for something else that it has.
void EffectEvaluator::name_escapes(Atom name) {
  escaped_names_.insert(name);
  if (const auto at = registered_.find(name); at != registered_.end()) share(at->second);
  if (const auto at = tables_.find(name); at != tables_.end()) share(at->second);
}

void EffectEvaluator::share(Slot named) { engine_.solver.add_edge(named, engine_.escaped); }

Slot EffectEvaluator::named_outside() {
  if (!exists(named_outside_)) {
    named_outside_ = fresh();
    if (engine_.options.callers_do_anything)
      engine_.solver.add(named_outside_, engine_.objects.unknown());
  }
  return named_outside_;
}

void EffectEvaluator::each_table(Slot table, const std::function<void(Slot contents)>& f) {
  const auto contents_of = [this, f](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Reference) {
      f(engine_.objects.part(id, kTableContents));
    }
  };
  engine_.on_each(table, [this, contents_of, f](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Atom) {
      return engine_.on_each(tables(object.atom), contents_of);
    }
    if (object.kind == ObjectKind::AnyAtom) engine_.on_each(all_tables_, contents_of);
    if (object.kind == ObjectKind::Unknown || object.kind == ObjectKind::AnyAtom) {
      return f(engine_.escaped);
    }
    contents_of(id);
  });
}

// The tables have the name from now on; the one that they had is not taken away.
void EffectEvaluator::rename(Slot table, Slot name) {
  const Slot renamed = fresh();
  engine_.on_each(table, [this, renamed, name](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Atom)
      return engine_.solver.add_edge(tables(object.atom), renamed);
    if (object.kind == ObjectKind::Reference) return engine_.solver.add(renamed, id);
    if (object.kind == ObjectKind::AnyAtom) engine_.solver.add_edge(all_tables_, renamed);
    engine_.solver.add_edge(name, engine_.escaped);
  });
  engine_.on_each(name, [this, renamed](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Atom)
      return engine_.solver.add_edge(renamed, tables(object.atom));
    engine_.solver.add_edge(renamed, named_outside());
    engine_.solver.add_edge(renamed, engine_.escaped);
  });
}

void EffectEvaluator::store(Slot table, Slot stored) {
  // An object, or a list of them.
  const Slot objects = fresh();
  engine_.solver.add_edge(elements(stored), objects);
  engine_.on_each(stored, [this, objects](ObjectId id) {
    const ObjectKind kind = engine_.objects[id].kind;
    if (kind == ObjectKind::Tuple || kind == ObjectKind::Unknown) engine_.solver.add(objects, id);
  });
  each_table(table, [this, objects](Slot contents) { engine_.solver.add_edge(objects, contents); });
}

Slot EffectEvaluator::kept_under(Atom space, ObjectId key) {
  const uint64_t where = uint64_t{space.id()} << 32 | static_cast<uint32_t>(key);
  const auto [at, is_new] = kept_.try_emplace(where);
  if (is_new) at->second = fresh();
  return at->second;
}

// What is under a key that is a constant is told apart; all else in a space is one.
Slot EffectEvaluator::kept(Slot space, Slot key, bool is_written, Slot value) {
  engine_.on_each(space, [this, key, is_written, value](ObjectId space_id) {
    const Atom name = engine_.objects[space_id].atom;
    const Slot others = kept_under(name, engine_.objects.unknown());
    const Slot all = kept_under(name, engine_.objects.simple(ObjectKind::AnyAtom));
    engine_.solver.add_edge(others, all);
    engine_.on_each(key, [this, name, others, all, is_written, value](ObjectId id) {
      const ObjectId key_id = engine_.objects.plain(id);
      const bool is_constant = engine_.objects.is_constant(key_id);
      const Slot here = is_constant ? kept_under(name, key_id) : others;
      if (is_written) {
        engine_.solver.add_edge(value, here);
        return engine_.solver.add_edge(here, all);
      }
      if (engine_.options.callers_do_anything) engine_.solver.add(value, engine_.objects.unknown());
      engine_.solver.add_edge(is_constant ? here : all, value);
      engine_.solver.add_edge(others, value);
    });
  });
  return value;
}

// ---- Actions ----------------------------------------------------------------

void EffectEvaluator::act(Frame& frame, const EffectTerm& term) {
  std::vector<Slot> operands;
  for (const EffectTerm& operand : term.operands) {
    if (term.op == Op::Spawn) break;
    operands.push_back(evaluate(frame, operand));
  }
  switch (term.op) {
    case Op::Send:
      return send(frame.site, operands[0], operands[1]);
    case Op::Signal:
      return send(frame.site, operands[0], operands[1], true);
    case Op::Raise:
      return raise(engine_.facts[frame.site].handler, operands[0], operands[1]);
    case Op::Register:
      return engine_.on_each(operands[0], [this, process = operands[1]](ObjectId id) {
        const Object object = engine_.objects[id];
        if (object.kind == ObjectKind::Atom) {
          registered(object.atom);
          engine_.solver.add_edge(process, registered_as_.at(object.atom));
        } else if (object.kind == ObjectKind::Unknown || object.kind == ObjectKind::AnyAtom) {
          engine_.solver.add_edge(process, engine_.escaped);
          engine_.solver.add_edge(process, named_outside());
        }
      });
    case Op::Store:
      return store(operands[0], operands[1]);
    case Op::Rename:
      return rename(operands[0], operands[1]);
    case Op::Keep:
      kept(operands[0], operands[1], true, operands[2]);
      return;
    case Op::Owner:
      return engine_.on_each(
          operands[0],
          [this, self = engine_.facts.self_of(engine_.facts[frame.site])](ObjectId id) {
            if (engine_.objects[id].kind != ObjectKind::Reference) return;
            engine_.solver.add_edge(self, engine_.objects.part(id, kAliasOwner));
          });
    case Op::Escape:
      return engine_.solver.add_edge(operands[0], engine_.escaped);
    case Op::Link:
      return link(frame, operands[0]);
    case Op::End:
      return each_process(operands[0], [this, reason = operands[1]](ObjectId id) {
        const bool is_process = engine_.objects[id].kind == ObjectKind::Pid;
        if (!is_process) return engine_.solver.add_edge(reason, engine_.escaped);
        const Slot reasons = engine_.objects.part(id, kExitReasons);
        engine_.solver.add_edge(reason, reasons);
        engine_.solver.add(reasons, engine_.objects.atom(Atom::intern("killed")));
      });
    default:
      evaluate(frame, term);
  }
}

// Either may be told of the other's exit, or exit with it.
void EffectEvaluator::link(Frame& frame, Slot processes) {
  const Slot self = engine_.facts.self_of(engine_.facts[frame.site]);
  const auto tell = [this, &frame](Slot receivers, Slot senders) {
    Objects& objects = engine_.objects;
    const ObjectId message = objects.made(ObjectKind::Tuple, origin(frame, frame.made++), 3);
    const Slot reasons = reasons_of(senders);
    engine_.solver.add(objects.part(message, 0), objects.atom(Atom::intern("EXIT")));
    engine_.solver.add_edge(senders, objects.part(message, 1));
    engine_.solver.add_edge(reasons, objects.part(message, 2));
    engine_.on_each(receivers, [this, message, reasons](ObjectId id) {
      if (engine_.objects[id].kind != ObjectKind::Pid) return;
      engine_.solver.add(engine_.objects.part(id, kMailbox), message);
      engine_.solver.add_edge(reasons, engine_.objects.part(id, kExitReasons));
    });
  };
  tell(self, processes);
  tell(processes, self);
  // process_info/2 names them.
  const Slot linked = kept_under(Atom::intern("linked"), engine_.objects.atom(Atom::intern("all")));
  engine_.solver.add_edge(self, linked);
  engine_.solver.add_edge(processes, linked);
}

// ---- Messages ---------------------------------------------------------------

// The processes, or something unknown, that a destination stands for.
Slot EffectEvaluator::processes_of(Slot destination) {
  const auto [at, is_new] = processes_.try_emplace(destination);
  if (!is_new) return at->second;
  const Slot found = at->second = fresh();
  // A name: of a process, or in {Name, Node}.
  const auto add_named = [this, found](const Object& name) {
    if (name.kind == ObjectKind::Atom) return engine_.solver.add_edge(registered(name.atom), found);
    if (name.kind == ObjectKind::AnyAtom) engine_.solver.add_edge(all_registered_, found);
    if (name.kind == ObjectKind::AnyAtom || name.kind == ObjectKind::Unknown)
      engine_.solver.add(found, engine_.objects.unknown());
  };
  engine_.on_each(destination, [this, found, add_named](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Pid) return engine_.solver.add(found, id);
    if (object.kind == ObjectKind::Reference)
      return engine_.solver.add_edge(engine_.objects.part(id, kAliasOwner), found);
    if (object.kind != ObjectKind::Tuple) return add_named(object);
    if (object.size != 2) return;
    engine_.on_each(object.parts,
                    [this, add_named](ObjectId name) { add_named(engine_.objects[name]); });
  });
  return found;
}

// f for each of them.
void EffectEvaluator::each_process(Slot destination, const std::function<void(ObjectId)>& f) {
  engine_.on_each(processes_of(destination), [this, f](ObjectId id) {
    const ObjectKind kind = engine_.objects[id].kind;
    if (kind == ObjectKind::Pid || kind == ObjectKind::Unknown) f(id);
  });
}

void EffectEvaluator::send(SiteId site, Slot destination, Slot message, bool is_signal) {
  const Slot receivers = fresh();
  const size_t index = engine_.facts.sends.size();
  engine_.facts.sends.push_back(
      {.site = site, .receivers = receivers, .message = message, .is_signal = is_signal});
  engine_.on_each(receivers, [this, message](ObjectId process) {
    engine_.solver.add_edge(message, engine_.objects.part(process, kMailbox));
  });
  each_process(destination, [this, site, receivers, message, index](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Pid) return engine_.solver.add(receivers, id);
    engine_.solver.add_edge(message, engine_.escaped);
    engine_.facts.sends[index].is_outside = true;
    engine_.facts.outside_sends.insert(engine_.facts[site].global);
  });
  engine_.on_each(destination, [this, site](ObjectId id) {
    const ObjectKind kind = engine_.objects[id].kind;
    if (kind != ObjectKind::Unknown && kind != ObjectKind::AnyAtom) return;
    engine_.note_unknown(engine_.facts[site].global, "the receiver of the message is not known");
  });
}

}  // namespace fathom::flow
