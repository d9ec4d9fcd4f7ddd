// erlang:trace/3, trace_pattern/3, trace_info/2 and match_spec_test/3, and the functions that
// specifications for tracing call (machine/tracing.h).
#include "machine/tracing.h"

#include <algorithm>
#include <array>
#include <set>

#include "machine/machine.h"
#include "machine/match_spec.h"
#include "machine/services.h"
#include "machine/signals.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::trace_natives {
namespace {

using namespace trace_flag;

constexpr std::string_view kLimits =
    "in a check; tracers that are ports or modules; scheduling, collections, ports, return_to";
constexpr std::string_view kPatternLimits = "in a check; call_time, call_memory, on_load";

template <class Names>
bool is_word_among(Value value, const Names& names) {
  return value.is_atom() && std::ranges::find(names, value.atom().text()) != std::end(names);
}

// Observed and labelled machines have no tracing.
bool can_trace(Machine& m) { return !m.mode().is_observed && !m.mode().code.labels; }

// ---- trace/3 ----------------------------------------------------------------

struct NamedFlag {
  std::string_view name;
  uint32_t flag;  // 0: not modelled
};
// In the order in which trace_info/2 lists them.
constexpr NamedFlag kFlags[] = {{"send", kSend},
                                {"receive", kReceive},
                                {"set_on_spawn", kSetOnSpawn},
                                {"call", kCall},
                                {"set_on_first_spawn", kSetOnFirstSpawn},
                                {"set_on_link", kSetOnLink},
                                {"set_on_first_link", kSetOnFirstLink},
                                {"timestamp", kTimestamp},
                                {"monotonic_timestamp", kMonotonic},
                                {"strict_monotonic_timestamp", kStrictlyMonotonic},
                                {"procs", kProcesses},
                                {"arity", kArity},
                                {"silent", kSilent},
                                {"running", 0},
                                {"return_to", 0},
                                {"garbage_collection", 0},
                                {"ports", 0},
                                {"scheduling", 0},
                                {"exiting", 0},
                                {"cpu_timestamp", 0},
                                {"running_procs", 0},
                                {"running_ports", 0}};
constexpr uint32_t kAll = 8191 & ~kSilent;

struct TraceOptions {
  uint32_t flags = 0;
  Value tracer = Value::none();
  bool has_unmodelled = false;
};

std::optional<TraceOptions> trace_options(Value list) {
  const auto items = proper_items(list);
  if (!items) return std::nullopt;
  TraceOptions options;
  for (const Value item : *items) {
    if (item == atom("all")) {
      options.flags |= kAll;
      continue;
    }
    if ((item.is_tuple(2) || item.is_tuple(3)) && item.element(0) == atom("tracer")) {
      options.tracer = item.element(1);
      options.has_unmodelled = options.has_unmodelled || !options.tracer.is_local_pid();
      continue;
    }
    if (!item.is_atom()) return std::nullopt;
    const auto* named = std::ranges::find(kFlags, item.atom().text(), &NamedFlag::name);
    if (named == std::end(kFlags)) return std::nullopt;
    options.flags |= named->flag;
    options.has_unmodelled = options.has_unmodelled || named->flag == 0;
  }
  return options;
}

constexpr std::string_view kNewOnes[] = {"new", "new_processes", "new_ports"};
constexpr std::string_view kExisting[] = {"all", "processes", "existing", "existing_processes"};
constexpr std::string_view kPorts[] = {"ports", "existing_ports"};

// False: somebody else traces it.
bool change_trace(Machine& m, Value pid, bool on, const TraceOptions& options) {
  auto before = traced(m, pid);
  // A tracer that is gone traces nothing.
  if (before && !m.processes().find(before->tracer)) before.reset();
  if (!on) {
    if (before) set_traced(m, pid, {before->flags & ~options.flags, before->tracer});
    return true;
  }
  if (before && before->tracer != options.tracer) return false;
  set_traced(m, pid, {(before ? before->flags : 0) | options.flags, options.tracer});
  return true;
}

void trace_created(Context& c, bool on, const TraceOptions& options) {
  Value& created = c.machine.shared().tracing.created;
  uint32_t flags = created.is_none() ? 0 : static_cast<uint32_t>(created.element(0).small());
  flags = on ? flags | options.flags : flags & ~options.flags;
  const Value tracer = on ? options.tracer : created.is_none() ? Value::nil() : created.element(1);
  const Value entry = c.heap.tuple({Value::small(flags), tracer});
  c.machine.journal().set(created, flags == 0 ? Value::none() : entry);
}

// How many processes it is about. `how`: whether it is switched on.
Value trace_many(Context& c, Value which, bool on, const TraceOptions& options) {
  Machine& m = c.machine;
  const bool is_all = is_word_among(which, std::array<std::string_view, 2>{"all", "processes"});
  if (is_word_among(which, kNewOnes) || is_all) trace_created(c, on, options);
  if (!is_word_among(which, kExisting)) return Value::small(0);
  int64_t count = 0;
  for (const Value pid : all_pids(m)) {
    if (is_answering_service(pid)) continue;
    if (change_trace(m, pid, on, options)) ++count;
  }
  return Value::small(count);
}

Value trace_3(Context& c, const Value* a) {
  Machine& m = c.machine;
  auto options = trace_options(a[2]);
  if (!options) return bad_option(c, "trace", {a, 3}, "badopt", "erts_internal");
  if (!a[1].is_boolean()) return c.badarg();
  const bool is_one = a[0].is_local_pid() && look_up(m, a[0]);
  if (!is_one && !is_word_among(a[0], kNewOnes) && !is_word_among(a[0], kExisting) &&
      !is_word_among(a[0], kPorts)) {
    return c.badarg();
  }
  const bool on = a[1].is_atom(atoms::true_);
  if (on && (!can_trace(m) || options->has_unmodelled)) return c.unsupported(kLimits);
  if (options->tracer.is_none()) options->tracer = m.process().pid;
  if (on && !look_up(m, options->tracer)) return c.badarg();
  // Ports: there are none.
  if (!is_one && options->flags == 0) return Value::small(0);
  if (!is_one) return trace_many(c, a[0], on, *options);
  return change_trace(m, a[0], on, *options) ? Value::small(1) : c.badarg();
}

// ---- trace_pattern/3 --------------------------------------------------------

bool is_wildcard(Value value) { return value == atom("_"); }

bool is_function_pattern(Value value) {
  if (!value.is_tuple(3)) return false;
  const Value module = value.element(0);
  const Value name = value.element(1);
  const Value arity = value.element(2);
  if (!module.is_atom() || !name.is_atom()) return false;
  if (!is_wildcard(arity) && !small_in(arity, 0, INT64_MAX)) return false;
  return (!is_wildcard(module) || is_wildcard(name)) && (!is_wildcard(name) || is_wildcard(arity));
}

bool is_meant(Value pattern, const Mfa& f) {
  const auto fits = [](Value wanted, Value is) { return is_wildcard(wanted) || wanted == is; };
  return fits(pattern.element(0), Value(f.module)) && fits(pattern.element(1), Value(f.name)) &&
         fits(pattern.element(2), Value::small(f.arity));
}

struct FoundFunction {
  Mfa name;
  Function* function = nullptr;  // null: native
  Export* native = nullptr;
};

// The module's functions that are meant; those with native code are not Erlang's.
void add_functions(std::vector<FoundFunction>& found, Context& c, const LoadedModule& module,
                   Value pattern, bool local_too) {
  std::set<std::pair<Atom, uint32_t>> natives;
  for (Export* entry : c.machine.code().exports_of(module.name)) {
    if (!entry->native) continue;
    natives.emplace(entry->name, entry->arity);
    if (is_meant(pattern, *entry)) found.push_back({*entry, nullptr, entry});
  }
  for (Function* function : module.functions) {
    if (!function) continue;
    const Mfa name{function->module, function->name, function->arity - function->captures};
    const bool is_exported = (*module.core)[function->id].exported;
    const bool is_there = is_meant(pattern, name) && (local_too || is_exported);
    if (is_there && !natives.contains({name.name, name.arity})) found.push_back({name, function});
  }
}

// The functions that {Module, Name, Arity} stands for, where '_' is any from there on.
std::vector<FoundFunction> functions_meant(Context& c, Value pattern, bool local_too) {
  std::vector<FoundFunction> found;
  const Value wanted = pattern.element(0);
  c.machine.code().for_each_module([&](const LoadedModule& module) {
    const bool is_it = is_wildcard(wanted) || wanted == Value(module.name);
    if (is_it) add_functions(found, c, module, pattern, local_too);
  });
  return found;
}

// In place of a native function whose calls are traced.
Value traced_native(Context& c, const Value* a) {
  const Export& function = *c.call.callee;
  const auto told = trace_native_call(c.machine, function, {a, function.arity});
  const Value result = function.untraced(c, a);
  if (told && !c.machine.state.stopped) {
    trace_native_return(c.machine, *told, function, result);
  }
  return result;
}

void set_how(Machine& m, const FoundFunction& found, const TracedFunction& how) {
  set_traced_function(m, found.name, how);
  if (found.function) {
    if (!how.is_empty()) return hide_if_traced(m, *found.function);
    return;
  }
  Export& entry = *found.native;
  if (how.is_empty() == (entry.untraced == nullptr)) return;
  const Native code = how.is_empty() ? entry.untraced : entry.native;
  m.journal().set(entry.native, how.is_empty() ? code : &traced_native);
  m.journal().set(entry.untraced, how.is_empty() ? nullptr : code);
}

struct PatternFlags {
  bool is_local = false;
  bool is_count = false;
  bool is_call = false;  // local or global
  Value meta = Value::none();
  bool is_unmodelled = false;
};

std::optional<PatternFlags> pattern_flags(Context& c, Value list) {
  const auto items = proper_items(list);
  if (!items) return std::nullopt;
  PatternFlags flags;
  for (const Value item : *items) {
    if (item == atom("local") || item == atom("global")) {
      flags.is_call = true;
      flags.is_local = flags.is_local || item == atom("local");
    } else if (item == atom("call_count")) {
      flags.is_count = true;
    } else if (item == atom("call_time") || item == atom("call_memory")) {
      flags.is_unmodelled = true;
    } else if (item == atom("meta")) {
      flags.meta = c.machine.process().pid;
    } else if (item.is_tuple(2) && item.element(0) == atom("meta") &&
               item.element(1).is_local_pid()) {
      flags.meta = item.element(1);
    } else if (item.is_tuple() && item.arity() > 0 && item.element(0) == atom("meta")) {
      flags.is_unmodelled = true;
    } else {
      return std::nullopt;
    }
  }
  if (!flags.is_count && flags.meta.is_none() && !flags.is_unmodelled) flags.is_call = true;
  return flags;
}

void change_count(Heap& heap, TracedFunction& how, Value spec) {
  if (spec == atom("pause")) {
    how.is_paused = !how.count.is_none();
  } else if (spec.is_atom(atoms::false_)) {
    how.count = Value::none();
  } else {
    const bool restarts = spec == atom("restart");
    if (!restarts || !how.count.is_none()) how.count = heap.integer(int64_t{0});
    how.is_paused = false;
  }
}

void change_how(Context& c, TracedFunction& how, Value spec, const PatternFlags& flags) {
  const bool is_off = spec.is_atom(atoms::false_);
  const Value list = spec.is_list() ? spec : Value::nil();
  using Calls = TracedFunction::Calls;
  if (flags.is_call) {
    how.calls = is_off ? Calls::None : flags.is_local ? Calls::Local : Calls::Global;
    how.spec = list;
  }
  if (!flags.meta.is_none()) {
    how.meta = is_off ? Value::none() : flags.meta;
    how.meta_spec = list;
  }
  if (flags.is_count) change_count(c.heap, how, spec);
}

bool is_good_spec(Context& c, Value spec) {
  if (!spec.is_list()) {
    return spec.is_boolean() || spec == atom("restart") || spec == atom("pause");
  }
  return MatchSpec::compile(c, spec, nullptr, MatchSpec::Dialect::Trace).has_value();
}

Value trace_events(Context& c, const Value* a) {
  Tracing& tracing = c.machine.shared().tracing;
  Value& spec = a[0] == atom("send") ? tracing.sent : tracing.received;
  // `false` matches nothing.
  const Value nothing[] = {c.heap.tuple({atom("fathom"), Value::nil(), c.heap.list({a + 1, 1})})};
  const Value off = c.heap.list(nothing);
  c.machine.journal().set(spec, a[1].is_list()                ? a[1]
                                : a[1].is_atom(atoms::false_) ? off
                                                              : Value::nil());
  return Value::small(1);
}

Value trace_pattern_3(Context& c, const Value* a) {
  const auto refuse = [&](std::string_view cause) {
    return bad_option(c, "trace_pattern", {a, 3}, cause, "erts_internal");
  };
  if (!is_good_spec(c, a[1])) return refuse("match_spec");
  const auto flags = pattern_flags(c, a[2]);
  if (!flags) return refuse("badopt");
  const bool is_event = a[0] == atom("send") || a[0] == atom("receive");
  if (is_event && (!a[2].is_nil() || a[1] == atom("restart"))) return refuse("none");
  if (!is_event && a[0] != atom("on_load") && !is_function_pattern(a[0])) return refuse("none");
  const bool is_off = a[1].is_atom(atoms::false_);
  if (!is_off && (!can_trace(c.machine) || flags->is_unmodelled || a[0] == atom("on_load"))) {
    return c.unsupported(kPatternLimits);
  }
  if (is_event) return trace_events(c, a);
  if (a[0] == atom("on_load")) return Value::small(0);
  const auto found = functions_meant(c, a[0], !a[2].is_nil());
  for (const FoundFunction& function : found) {
    TracedFunction how = traced_function(c.machine, function.name).value_or(TracedFunction());
    change_how(c, how, a[1], *flags);
    set_how(c.machine, function, how);
  }
  return Value::small(static_cast<int64_t>(found.size()));
}

// ---- trace_info/2 -----------------------------------------------------------

Value process_info_of(Context& c, const std::optional<Traced>& how, Value item) {
  if (item == atom("tracer")) return how ? how->tracer : Value::nil();
  if (item != atom("flags")) return Value::none();
  std::vector<Value> flags;
  for (const NamedFlag& flag : kFlags) {
    if (how && flag.flag != 0 && (how->flags & flag.flag)) flags.push_back(atom(flag.name));
  }
  return c.heap.list(flags);
}

Value function_item(Context&, const TracedFunction& how, std::string_view item) {
  using Calls = TracedFunction::Calls;
  const Value no = Value::boolean(false);
  if (item == "traced") {
    if (how.calls == Calls::None) return no;
    return atom(how.calls == Calls::Local ? "local" : "global");
  }
  if (item == "match_spec") return how.calls == Calls::None ? no : how.spec;
  if (item == "meta") return how.meta.is_none() ? no : how.meta;
  if (item == "meta_match_spec") return how.meta.is_none() ? no : how.meta_spec;
  if (item == "call_count") return how.count.is_none() ? no : how.count;
  if (item == "call_time" || item == "call_memory") return no;
  return Value::none();
}

Value all_items(Context& c, const TracedFunction& how) {
  if (how.is_empty()) return Value::boolean(false);
  std::vector<Value> items;
  for (const std::string_view item :
       {"traced", "match_spec", "meta", "meta_match_spec", "call_time", "call_count"}) {
    items.push_back(c.heap.tuple({atom(item), function_item(c, how, item)}));
  }
  return c.heap.list(items);
}

Value function_info_of(Context& c, Value name, Value item) {
  if (!item.is_atom()) return Value::none();
  const bool is_one = !is_wildcard(name.element(1)) && !is_wildcard(name.element(2));
  const auto found = is_one ? functions_meant(c, name, true) : std::vector<FoundFunction>();
  if (found.empty()) return Value(atoms::undefined);
  const TracedFunction how = traced_function(c.machine, found[0].name).value_or(TracedFunction());
  return item == atom("all") ? all_items(c, how) : function_item(c, how, item.atom().text());
}

Value trace_info_2(Context& c, const Value* a) {
  const auto answer = [&](Value value) {
    return value.is_none() ? c.badarg() : c.heap.tuple({a[1], value});
  };
  const Tracing& tracing = c.machine.shared().tracing;
  if (is_word_among(a[0], kNewOnes)) {
    std::optional<Traced> how;
    if (!tracing.created.is_none()) {
      how = Traced{static_cast<uint32_t>(tracing.created.element(0).small()),
                   tracing.created.element(1)};
    }
    return answer(process_info_of(c, how, a[1]));
  }
  if (a[0].is_local_pid() && !look_up(c.machine, a[0])) return Value(atoms::undefined);
  if (a[0].is_local_pid()) return answer(process_info_of(c, traced(c.machine, a[0]), a[1]));
  if (a[0] == atom("send") || a[0] == atom("receive")) {
    const Value spec = a[0] == atom("send") ? tracing.sent : tracing.received;
    const bool is_list = spec.is_cons() && spec.head().element(0) != atom("fathom");
    const Value shown = is_list ? spec : Value::boolean(!spec.is_cons());
    return a[1] == atom("match_spec") ? answer(shown) : c.badarg();
  }
  if (a[0] == atom("on_load")) return answer(Value::boolean(false));
  if (!a[0].is_tuple(3)) return bad_option(c, "trace_info", {a, 2});
  if (!a[0].element(0).is_atom() || !a[0].element(1).is_atom()) return c.badarg();
  return answer(function_info_of(c, a[0], a[1]));
}

// What was traced arrives at once: {trace_delivered, Who, Reference} comes after it.
Value trace_delivered_1(Context& c, const Value* a) {
  if (!a[0].is_local_pid() && a[0] != atom("all")) return c.badarg();
  Machine& m = c.machine;
  const Value reference = c.heap.reference(m.numbers().reference(m.process()));
  m.deliver(m.process(), c.heap.tuple({atom("trace_delivered"), a[0], reference}));
  return reference;
}

// ---- What specifications call -----------------------------------------------

TraceActions& actions() { return *running_trace_actions(); }

Value message_1(Context&, const Value* a) {
  actions().message = a[0];
  return Value::boolean(true);
}
Value return_trace_0(Context&, const Value*) {
  actions().returns = true;
  return Value::boolean(true);
}
Value exception_trace_0(Context&, const Value*) {
  actions().returns = actions().exceptions = true;
  return Value::boolean(true);
}
Value caller_0(Context&, const Value*) { return actions().caller; }
Value self_0(Context& c, const Value*) { return c.machine.process().pid; }
Value get_tcw_0(Context&, const Value*) { return Value::small(0); }
Value is_seq_trace_0(Context&, const Value*) { return Value::boolean(false); }
Value nothing_0(Context&, const Value*) { return Value::nil(); }
Value true_1(Context&, const Value*) { return Value::boolean(true); }
Value process_dump_0(Context& c, const Value*) { return c.heap.binary(std::string_view()); }

Value silent_1(Context& c, const Value* a) {
  const Value self = c.machine.process().pid;
  const auto how = traced(c.machine, self);
  if (!how || !a[0].is_boolean()) return Value::boolean(false);
  const bool on = a[0].is_atom(atoms::true_);
  set_traced(c.machine, self, {on ? how->flags | kSilent : how->flags & ~kSilent, how->tracer});
  return Value::boolean(true);
}

// Flags of the process itself, or of another one, by a list of them.
Value change_own(Context& c, Value pid, Value list, bool on) {
  const auto options = trace_options(list);
  if (!options || !pid.is_local_pid() || !look_up(c.machine, pid)) return Value::none();
  const auto mine = traced(c.machine, c.machine.process().pid);
  TraceOptions given = *options;
  if (given.tracer.is_none()) given.tracer = mine ? mine->tracer : Value::nil();
  if (on && !given.tracer.is_local_pid()) return Value::none();
  change_trace(c.machine, pid, on, given);
  return Value::boolean(true);
}
Value listed_flag(Context& c, Value flag) { return c.heap.list({&flag, 1}); }

Value enable_1(Context& c, const Value* a) {
  return change_own(c, c.machine.process().pid, listed_flag(c, a[0]), true);
}
Value disable_1(Context& c, const Value* a) {
  return change_own(c, c.machine.process().pid, listed_flag(c, a[0]), false);
}
Value enable_2(Context& c, const Value* a) {
  return change_own(c, a[0], listed_flag(c, a[1]), true);
}
Value disable_2(Context& c, const Value* a) {
  return change_own(c, a[0], listed_flag(c, a[1]), false);
}
Value change_both(Context& c, Value pid, Value off, Value on) {
  const Value first = change_own(c, pid, off, false);
  return first.is_none() || on.is_nil() ? first : change_own(c, pid, on, true);
}
Value trace_2_action(Context& c, const Value* a) {
  return change_both(c, c.machine.process().pid, a[0], a[1]);
}
Value trace_3_action(Context& c, const Value* a) { return change_both(c, a[0], a[1], a[2]); }

// ---- match_spec_test/3 ------------------------------------------------------

// {ok, Result, Flags, Errors}, or {error, Errors}
Value match_spec_test(Context& c, const Value* a) {
  if (!proper_items(a[0])) return c.badarg();
  std::vector<std::string> problems;
  auto spec = MatchSpec::compile(c, a[1], &problems, MatchSpec::Dialect::Trace);
  if (spec && a[1].is_nil()) problems.emplace_back("Match programs are not in a list.");
  if (!problems.empty()) {
    std::vector<Value> items;
    items.reserve(problems.size());
    for (const std::string& problem : problems) {
      items.push_back(c.heap.tuple({Value(atoms::error), c.heap.string_utf8(problem)}));
    }
    return c.heap.tuple({Value(atoms::error), c.heap.list(items)});
  }
  TraceActions said;
  said.caller = Value(atoms::undefined);
  TraceActions* const outer = std::exchange(running_trace_actions(), &said);
  const bool matches = !spec->run(c, a[0]).is_none();
  running_trace_actions() = outer;
  std::vector<Value> flags;
  if (said.returns && !said.exceptions) flags.push_back(atom("return_trace"));
  if (said.exceptions) flags.push_back(atom("exception_trace"));
  const Value result = !matches                 ? Value::boolean(false)
                       : said.message.is_none() ? Value::boolean(true)
                                                : said.message;
  return c.heap.tuple({Value(atoms::ok), result, c.heap.list(flags), Value::nil()});
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "trace", 3, trace_3, true, kLimits},
    {"erts_internal", "trace_pattern", 3, trace_pattern_3, true, kPatternLimits},
    {"erlang", "trace_info", 2, trace_info_2},
    {"erlang", "trace_delivered", 1, trace_delivered_1},
    {"fathom_trace", "match_spec_test", 2, match_spec_test},
    {"fathom_trace", "message", 1, message_1},
    {"fathom_trace", "return_trace", 0, return_trace_0},
    {"fathom_trace", "exception_trace", 0, exception_trace_0},
    {"fathom_trace", "caller", 0, caller_0},
    {"fathom_trace", "self", 0, self_0},
    {"fathom_trace", "get_tcw", 0, get_tcw_0},
    {"fathom_trace", "is_seq_trace", 0, is_seq_trace_0},
    {"fathom_trace", "get_seq_token", 0, nothing_0},
    {"fathom_trace", "process_dump", 0, process_dump_0},
    {"fathom_trace", "set_tcw", 1, true_1},
    {"fathom_trace", "display", 1, true_1},
    {"fathom_trace", "silent", 1, silent_1},
    {"fathom_trace", "enable_trace", 1, enable_1},
    {"fathom_trace", "enable_trace", 2, enable_2},
    {"fathom_trace", "disable_trace", 1, disable_1},
    {"fathom_trace", "disable_trace", 2, disable_2},
    {"fathom_trace", "trace", 2, trace_2_action},
    {"fathom_trace", "trace", 3, trace_3_action},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::trace_natives
