#include "flow/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/walk.h"
#include "flow/engine.h"
#include "flow/entries.h"

namespace fathom::flow {

using core::Module;

namespace {

std::span<const core::VarId> parameters_of(const FunctionCode& code) {
  return code.module->vars(code.module->get<core::node::Entry>(entry_of(code)).parameters);
}

// Whether native functions of the module may send to their caller. These of OTP's do not.
bool may_send(Atom module) {
  static const std::unordered_set<Atom> quiet = {Atom::intern("asn1rt_nif"), Atom::intern("crypto"),
                                                 Atom::intern("prim_buffer"),
                                                 Atom::intern("prim_file"), Atom::intern("zlib")};
  return !quiet.contains(module);
}

// How the callers of a function are told apart.
Cloning cloning_for(Code& code, const FunctionCode& function) {
  struct Named {
    std::string_view module;
    std::string_view name;
    Cloning how;
  };
  static constexpr Named kNamed[] = {
#define CLONED_FUNCTION(Module, Name, How) {Module, Name, Cloning::How},
#include "flow/contexts.def"
  };
  const Atom module = function.module->name();
  if (code.is_own(module)) return Cloning::None;
  const Atom name = (*function.module)[function.function].name;
  for (const Named& named : kNamed) {
    if (named.module == module.text() && named.name == name.text()) return named.how;
  }
  return cloning_of(module);
}

}  // namespace

// ---- Instances --------------------------------------------------------------

InstanceId Calls::instance(const FunctionCode& code, ContextId context) {
  const uint64_t key =
      uint64_t{static_cast<uint32_t>(global_entry_of(code))} << 32 | static_cast<uint32_t>(context);
  const auto [at, is_new] = instances_.try_emplace(key);
  if (!is_new) return at->second;
  const InstanceId id{static_cast<uint32_t>(engine_.facts.instances.size())};
  at->second = id;
  const core::Function& function = (*code.module)[code.function];
  Instance instance{.code = code, .context = context};
  instance.cloning = cloning_for(engine_.code, code);
  instance.variables = engine_.solver.add_slots(function.variables.size());
  instance.result = engine_.solver.add_slots();
  instance.self = engine_.solver.add_slots();
  instance.exceptions = engine_.solver.add_slots(kExceptionSlots);
  engine_.facts.instances.push_back(instance);
  engine_.generator.enter({.instance = id, .handler = instance.exceptions}, function.body, kNoSlot);
  return id;
}

void Calls::enter(const FunctionCode& code, bool is_open) {
  const InstanceId id = instance(code, kNoContext);
  const Instance& callee = engine_.facts[id];
  for (const core::VarId v : parameters_of(code)) {
    engine_.solver.add(callee.variables + static_cast<size_t>(v), engine_.objects.unknown());
  }
  const auto index = static_cast<uint32_t>(std::min(engine_.facts.roots.size(), kMostCallers));
  const ObjectId process = engine_.objects.made(ObjectKind::Pid, {.index = index});
  if (engine_.facts.roots.size() <= kMostCallers) engine_.facts.roots.push_back({process, id});
  engine_.solver.add(callee.self, process);
  engine_.effects.add_process(process);
  engine_.effects.exit_by_exception(process, callee.exceptions);
  if (!is_open) return;
  if (!engine_.options.callers_do_anything) return leave_result(callee);
  engine_.process_escapes(process);
  leave_to_outside(callee);
}

// What errors and exits name (the server, in the reason of a call that fails) is for people who
// read it: callers do not go on with it. What is thrown is another kind of result.
void Calls::leave_result(const Instance& callee) {
  engine_.solver.add_edge(callee.result, engine_.escaped);
  engine_.solver.add_edge(of_class(callee.exceptions, ExceptionClass::Throw), engine_.escaped);
}

// Whoever has called it gets its result, or its exception.
void Calls::leave_to_outside(const Instance& callee) {
  engine_.solver.add_edge(callee.result, engine_.escaped);
  for (size_t c = 0; c < kExceptionClasses; ++c) {
    engine_.solver.add_edge(callee.exceptions + c, engine_.escaped);
  }
}

ContextId Calls::context(const Invocation& how, const FunctionCode& code) {
  const Site& site = engine_.facts[how.site];
  const Instance& caller = engine_.facts[site.instance];
  const Cloning cloning = cloning_for(engine_.code, code);
  return engine_.contexts.enter(caller.context, caller.cloning, cloning, site.global);
}

void Calls::connect(const Invocation& how, InstanceId callee_id, std::span<const Slot> arguments) {
  const uint64_t key =
      uint64_t{static_cast<uint32_t>(how.site)} << 32 | static_cast<uint32_t>(callee_id);
  if (connected_.insert(key).second) {
    engine_.facts.calls.push_back({how.site, callee_id, how.kind});
  }
  Solver& solver = engine_.solver;
  const Site site = engine_.facts[how.site];
  const Instance callee = engine_.facts[callee_id];
  const std::span<const core::VarId> parameters = parameters_of(callee.code);
  for (size_t i = 0; i < std::min(arguments.size(), parameters.size()); ++i) {
    if (!exists(parameters[i])) continue;
    solver.add_edge(arguments[i], callee.variables + static_cast<size_t>(parameters[i]));
  }
  if (how.kind == CallKind::Spawn) {
    solver.add(callee.self, how.process);
    return engine_.effects.exit_by_exception(how.process, callee.exceptions);
  }
  solver.add_edge(engine_.facts.self_of(site), callee.self);
  if (exists(site.result)) solver.add_edge(callee.result, site.result);
  engine_.pass_exceptions(callee.exceptions, site.handler);
}

// ---- Functions by name ------------------------------------------------------

void Calls::function(const Invocation& how, const FunctionCode& code,
                     std::span<const Slot> arguments) {
  connect(how, instance(code, context(how, code)), arguments);
}

bool Calls::is_modelled(const FunctionName& name) {
  return !engine_.code.is_own(name.module) && effect_of(name.module, name.name, name.arity);
}

// The site of a call that is the first of a new process.
SiteId Calls::site_in(const Invocation& how) {
  Site site = engine_.facts[how.site];
  site.result = kNoSlot;
  site.handler = engine_.solver.add_slots(kExceptionSlots);
  site.self = engine_.solver.add_slots();
  engine_.solver.add(site.self, how.process);
  engine_.effects.exit_by_exception(how.process, site.handler);
  engine_.facts.sites.push_back(site);
  return SiteId{static_cast<uint32_t>(engine_.facts.sites.size() - 1)};
}

void Calls::named(const Invocation& how, const FunctionName& name,
                  std::span<const Slot> arguments) {
  const Site& site = engine_.facts[how.site];
  static const Atom erlang = Atom::intern("erlang");
  static const Atom nif_error = Atom::intern("nif_error");
  if (name.module == erlang && name.name == nif_error) {
    // The function around it is native, and there is nothing to be known of it.
    const Instance caller = engine_.facts[site.instance];
    for (const core::VarId v : parameters_of(caller.code)) {
      engine_.solver.add_edge(caller.variables + static_cast<size_t>(v), engine_.escaped);
    }
    for (size_t c = 0; c < kExceptionClasses; ++c) {
      engine_.solver.add(caller.exceptions + c, engine_.objects.unknown());
    }
    if (may_send(caller.code.module->name())) become_known(caller.self);
    return engine_.solver.add(caller.result, engine_.objects.unknown());
  }
  if (is_modelled(name)) {
    engine_.facts.external_calls.push_back({how.site, name, how.kind});
    const SiteId called_at = how.kind == CallKind::Spawn ? site_in(how) : how.site;
    // OTP's own code calls these with what they take.
    const Module& caller = *engine_.facts[engine_.facts[called_at].instance].code.module;
    if (!is_native(name.module) && engine_.code.is_own(caller.name())) {
      engine_.effects.fail_in_library(called_at, arguments);
    }
    return engine_.effects.apply(*effect_of(name.module, name.name, name.arity), called_at,
                                 arguments);
  }
  if (const auto code = engine_.code.find(name)) return function(how, *code, arguments);
  engine_.facts.external_calls.push_back({how.site, name, how.kind});
  if (engine_.code.has_module(name.module)) {
    const ObjectId undef = engine_.objects.atom(Atom::intern("undef"));
    if (how.kind == CallKind::Spawn) return engine_.effects.exit_with_error(how.process, undef);
    return engine_.solver.add(of_class(site.handler, ExceptionClass::Error), undef);
  }
  unknown(how, arguments,
          fmt::format("{}:{}/{} is not there", name.module.text(), name.name.text(), name.arity));
}

// Each value once, wherever it was written.
void Calls::each_plain(Slot slot, std::function<void(ObjectId)> f) {
  const auto seen = std::make_shared<std::unordered_set<ObjectId>>();
  engine_.on_each(slot, [this, seen, f = std::move(f)](ObjectId id) {
    const ObjectId plain = engine_.objects.plain(id);
    if (seen->insert(plain).second) f(plain);
  });
}

void Calls::dynamic(const Invocation& how, Slot module, Slot name,
                    const std::vector<Slot>& arguments) {
  each_plain(module, [this, how, name, arguments](ObjectId module_id) {
    each_plain(name, [this, how, module_id, arguments](ObjectId name_id) {
      const Object m = engine_.objects[module_id];
      const Object n = engine_.objects[name_id];
      const bool is_name = n.kind == ObjectKind::Atom;
      if (m.kind == ObjectKind::Atom && is_name) {
        return named(how, {m.atom, n.atom, static_cast<uint32_t>(arguments.size())}, arguments);
      }
      const bool is_open = m.kind == ObjectKind::Unknown || m.kind == ObjectKind::AnyAtom;
      if (is_open && is_name) return callbacks(how, n.atom, arguments);
      if (is_open || (m.kind == ObjectKind::Atom &&
                      (n.kind == ObjectKind::Unknown || n.kind == ObjectKind::AnyAtom))) {
        for (const FunctionName& f : computed_names(m, n)) {
          if (f.arity == arguments.size()) named(how, f, arguments);
        }
        unknown(how, arguments, "the function that is called is not known");
      }
    });
  });
}

// The author's functions that a name which the program computes may mean. What has escaped the
// outside calls.
std::vector<FunctionName> Calls::computed_names(const Object& module, const Object& name) {
  std::vector<FunctionName> found;
  // By a name of which only the module is not known, any module may be meant (`callbacks`).
  if (module.kind != ObjectKind::AnyAtom && name.kind != ObjectKind::AnyAtom &&
      !(module.kind == ObjectKind::Unknown && name.kind == ObjectKind::Atom)) {
    return found;
  }
  for (const Atom own : engine_.code.own_modules()) {
    if (module.kind == ObjectKind::Atom && own != module.atom) continue;
    for (const FunctionCode& code : engine_.code.functions(own)) {
      const core::Function& f = (*code.module)[code.function];
      if (name.kind == ObjectKind::Atom && name.atom != f.name) continue;
      if (f.exported) found.push_back({own, f.name, f.arity});
    }
  }
  return found;
}

std::span<const FunctionName> Calls::own_exports(Atom name) {
  if (own_exports_.empty()) {
    for (const Atom module : engine_.code.own_modules()) {
      for (const FunctionCode& code : engine_.code.functions(module)) {
        const core::Function& f = (*code.module)[code.function];
        if (f.exported) own_exports_[f.name].push_back({module, f.name, f.arity});
      }
    }
  }
  const auto at = own_exports_.find(name);
  if (at == own_exports_.end()) return {};
  return at->second;
}

// A module that is not known has a function of this name: the author's modules may be meant.
void Calls::callbacks(const Invocation& how, Atom name, std::span<const Slot> arguments) {
  const auto arity = static_cast<uint32_t>(arguments.size());
  for (const FunctionName& f : own_exports(name)) {
    if (f.arity == arity) named(how, f, arguments);
  }
  unknown(how, arguments, fmt::format("the module of {}/{} is not known", name.text(), arity));
}

// Native code that is not known runs in the processes, and may have messages sent to them.
void Calls::become_known(Slot processes) {
  engine_.on_each(processes, [this](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Pid) engine_.process_escapes(id);
  });
}

// Where OTP's behaviours call the funs of those who debug them: sys:install/2, sys:replace_state/2.
bool Calls::is_for_debugging(const Site& site) const {
  static const Atom sys = Atom::intern("sys");
  static const Atom replace_state = Atom::intern("system_replace_state");
  const Instance& instance = engine_.facts[site.instance];
  if (engine_.code.is_own(instance.code.module->name())) return false;
  return instance.code.module->name() == sys || instance.function().name == replace_state;
}

// Nobody outside of the program debugs its processes: else every server might do everything.
void Calls::unknown(const Invocation& how, std::span<const Slot> arguments, std::string what) {
  const Site site = engine_.facts[how.site];
  if (is_for_debugging(site)) return;
  for (const Slot argument : arguments) engine_.solver.add_edge(argument, engine_.escaped);
  engine_.facts.outside_calls.insert(site.global);
  if (how.kind == CallKind::Spawn) {
    engine_.solver.add(engine_.outside_processes, how.process);
    engine_.process_escapes(how.process);
  } else {
    engine_.solver.add_edge(engine_.facts.self_of(site), engine_.outside_processes);
    if (how.is_doubtful) return;
    if (exists(site.result)) engine_.solver.add(site.result, engine_.objects.unknown());
    for (size_t c = 0; c < kExceptionClasses; ++c) {
      engine_.solver.add(site.handler + c, engine_.objects.unknown());
    }
  }
  engine_.note_unknown(site.global, std::move(what));
}

// ---- Funs -------------------------------------------------------------------

// The code of a fun expression is in the part of its module that makes the fun; that of
// `fun f/1` may be in another.
std::optional<FunctionCode> Calls::code_of(const Object& fun) {
  if (fun.module && exists((*fun.module)[fun.function].body)) {
    return FunctionCode{fun.module, fun.function};
  }
  return engine_.code.find({fun.atom, fun.name, fun.size + fun.count});
}

void Calls::fun(const Invocation& how, ObjectId fun_id, std::span<const Slot> arguments) {
  const Object object = engine_.objects[fun_id];
  if (object.size != arguments.size()) return;
  if (object.kind == ObjectKind::ExternalFun) {
    return named(how, {object.atom, object.name, object.size}, arguments);
  }
  std::vector<Slot> all(arguments.begin(), arguments.end());
  for (size_t i = 0; i < object.count; ++i) all.push_back(object.parts + i);
  if (const auto code = code_of(object)) connect(how, instance(*code, object.context), all);
}

void Calls::value(const Invocation& how, Slot fun_slot, const std::vector<Slot>& arguments) {
  engine_.on_each(fun_slot, [this, how, arguments](ObjectId id) {
    const ObjectKind kind = engine_.objects[id].kind;
    if (kind == ObjectKind::Fun || kind == ObjectKind::ExternalFun) {
      if (engine_.objects[id].size != arguments.size()) return bad_arity(how, id, arguments);
      return fun(how, id, arguments);
    }
    if (kind != ObjectKind::Unknown) return bad_fun(how, id);
    unknown(how, arguments, "the fun that is called is not known");
  });
}

// Errors of the machine's own, one of each kind for a call.
ObjectId Calls::error_tuple(const Invocation& how, std::string_view name, ObjectId what) {
  const Site& site = engine_.facts[how.site];
  Objects& objects = engine_.objects;
  const Atom error = Atom::intern(name);
  const ObjectId reason = objects.made(
      ObjectKind::Tuple, {site.global, engine_.facts[site.instance].context, error.id()}, 2);
  engine_.solver.add(objects.part(reason, 0), objects.atom(error));
  engine_.solver.add(objects.part(reason, 1), what);
  return reason;
}

void Calls::bad_fun(const Invocation& how, ObjectId what) {
  if (how.kind == CallKind::Spawn) return;
  engine_.solver.add(of_class(engine_.facts[how.site].handler, ExceptionClass::Error),
                     error_tuple(how, "badfun", what));
}

// {badarity, {Fun, Arguments}}
void Calls::bad_arity(const Invocation& how, ObjectId fun_id, std::span<const Slot> arguments) {
  const Site site = engine_.facts[how.site];
  Objects& objects = engine_.objects;
  Solver& solver = engine_.solver;
  const ContextId context = engine_.facts[site.instance].context;
  const uint32_t index = Atom::intern("badarity").id();
  const ObjectId call = objects.made(ObjectKind::Tuple, {site.global, context, index + 1}, 2);
  const ObjectId list = objects.made(ObjectKind::Cons, {site.global, context, index});
  solver.add(objects.part(call, 0), fun_id);
  solver.add(objects.part(call, 1), list);
  solver.add(objects.part(call, 1), objects.simple(ObjectKind::Nil));
  for (const Slot argument : arguments) solver.add_edge(argument, objects.part(list, kHead));
  solver.add(objects.part(list, kTail), list);
  solver.add(objects.part(list, kTail), objects.simple(ObjectKind::Nil));
  const ObjectId reason = error_tuple(how, "badarity", call);
  if (how.kind == CallKind::Spawn) return engine_.effects.exit_with_error(how.process, reason);
  solver.add(of_class(site.handler, ExceptionClass::Error), reason);
}

void Calls::from_outside(ObjectId fun_id) {
  const Object object = engine_.objects[fun_id];
  const auto code = code_of(object);
  if (!code || effect_of(object.atom, object.name, object.size)) return;
  const InstanceId id = instance(*code, object.context);
  const Instance callee = engine_.facts[id];
  const std::span<const core::VarId> parameters = parameters_of(*code);
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!exists(parameters[i])) continue;
    const Slot parameter = callee.variables + static_cast<size_t>(parameters[i]);
    if (i < object.size) {
      engine_.solver.add(parameter, engine_.objects.unknown());
    } else if (i - object.size < object.count) {
      engine_.solver.add_edge(object.parts + (i - object.size), parameter);
    }
  }
  leave_to_outside(callee);
  engine_.solver.add_edge(engine_.outside_processes, callee.self);
  engine_.facts.outside_callees.insert(global_entry_of(*code));
}

void Calls::named_outside(Atom name) {
  for (const FunctionName& f : own_exports(name)) {
    from_outside(engine_.objects.external_fun(f.module, f.name, f.arity));
  }
}

void Calls::callbacks_of_service(Atom name) {
  if (name.text() != "application_controller") return;
  for (const FunctionName& f : callbacks_of(engine_.code, "application")) {
    from_outside(engine_.objects.external_fun(f.module, f.name, f.arity));
  }
}

// ---- Arguments in a list ----------------------------------------------------

Calls::ListLevel Calls::level(Slot list, size_t index) {
  std::vector<ListLevel>& levels = lists_[list];
  while (levels.size() <= index) {
    const Slot cells = levels.empty() ? list : engine_.solver.add_slots();
    const Slot element = engine_.solver.add_slots();
    if (!levels.empty()) {
      engine_.on_each(levels.back().cells, [this, cells](ObjectId id) {
        const ObjectKind kind = engine_.objects[id].kind;
        if (kind == ObjectKind::Cons)
          engine_.solver.add_edge(engine_.objects.part(id, kTail), cells);
        if (kind == ObjectKind::Unknown) engine_.solver.add(cells, id);
      });
    }
    engine_.on_each(cells, [this, element](ObjectId id) {
      const ObjectKind kind = engine_.objects[id].kind;
      if (kind == ObjectKind::Cons)
        engine_.solver.add_edge(engine_.objects.part(id, kHead), element);
      if (kind == ObjectKind::Unknown) engine_.solver.add(element, id);
    });
    levels.push_back({cells, element});
  }
  return levels[index];
}

void Calls::when_length(Slot list, size_t length, std::function<void(std::span<const Slot>)> f) {
  std::vector<Slot> arguments;
  for (size_t i = 0; i < length; ++i) arguments.push_back(level(list, i).element);
  engine_.on_each(level(list, length).cells, [this, arguments, f = std::move(f)](ObjectId id) {
    const ObjectKind kind = engine_.objects[id].kind;
    if (kind == ObjectKind::Nil || kind == ObjectKind::Unknown) f(arguments);
  });
}

void Calls::value_with_list(const Invocation& how, Slot fun_slot, Slot list) {
  engine_.on_each(fun_slot, [this, how, list](ObjectId id) {
    const Object object = engine_.objects[id];
    if (object.kind == ObjectKind::Fun || object.kind == ObjectKind::ExternalFun) {
      // It may be of another length.
      bad_arity(how, id, std::array{engine_.effects.elements(list)});
      return when_length(list, object.size, [this, how, id](std::span<const Slot> arguments) {
        fun(how, id, arguments);
      });
    }
    if (object.kind != ObjectKind::Unknown) return bad_fun(how, id);
    const Slot arguments[] = {list};
    unknown(how, arguments, "the fun that is called is not known");
  });
}

void Calls::named_with_list(const Invocation& how, Atom module, Atom name, Slot list) {
  constexpr uint32_t kMostNative = 8;
  std::vector<uint32_t> arities = engine_.code.arities(module, name);
  for (uint32_t arity = 0; arity <= kMostNative; ++arity) {
    if (effect_of(module, name, arity) && std::ranges::find(arities, arity) == arities.end()) {
      arities.push_back(arity);
    }
  }
  for (const uint32_t arity : arities) {
    when_length(list, arity, [this, how, module, name, arity](std::span<const Slot> arguments) {
      named(how, {module, name, arity}, arguments);
    });
  }
  if (!arities.empty() || engine_.code.has_module(module)) {
    const ObjectId undef = engine_.objects.atom(Atom::intern("undef"));
    if (how.kind == CallKind::Spawn) return engine_.effects.exit_with_error(how.process, undef);
    return engine_.solver.add(of_class(engine_.facts[how.site].handler, ExceptionClass::Error),
                              undef);
  }
  const Slot arguments[] = {list};
  unknown(how, arguments, fmt::format("{}:{} is not there", module.text(), name.text()));
}

void Calls::dynamic_with_list(const Invocation& how, Slot module, Slot name, Slot list) {
  each_plain(module, [this, how, name, list](ObjectId module_id) {
    each_plain(name, [this, how, module_id, list](ObjectId name_id) {
      const Object m = engine_.objects[module_id];
      const Object n = engine_.objects[name_id];
      if (m.kind == ObjectKind::Atom && n.kind == ObjectKind::Atom) {
        return named_with_list(how, m.atom, n.atom, list);
      }
      const auto is_open = [](const Object& o) {
        return o.kind == ObjectKind::Unknown || o.kind == ObjectKind::AnyAtom;
      };
      if (is_open(m) && n.kind == ObjectKind::Atom) {
        std::unordered_set<Atom> modules;
        for (const FunctionName& f : own_exports(n.atom)) {
          if (modules.insert(f.module).second) named_with_list(how, f.module, n.atom, list);
        }
      }
      if (!is_open(m) && !is_open(n)) return;
      for (const FunctionName& f :
           is_open(n) ? computed_names(m, n) : std::vector<FunctionName>()) {
        when_length(list, f.arity,
                    [this, how, f](std::span<const Slot> arguments) { named(how, f, arguments); });
      }
      const Slot arguments[] = {list};
      unknown(how, arguments, "the function that is called is not known");
    });
  });
}

}  // namespace fathom::flow
