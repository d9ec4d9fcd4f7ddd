// What programs ask about code: modules, exports, funs.
#include <algorithm>
#include <array>

#include "base/term_print.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "natives/options.h"
#include "values/convert.h"
#include "values/lists.h"

namespace fathom::machine::code_info_natives {
namespace {

// The modules that OTP has in memory before a program starts. They count as loaded
// even if the machine has not needed them yet.
constexpr std::string_view kBootModules[] = {"application",
                                             "application_controller",
                                             "application_master",
                                             "atomics",
                                             "beam_lib",
                                             "binary",
                                             "c",
                                             "code",
                                             "code_server",
                                             "counters",
                                             "epp",
                                             "erl_distribution",
                                             "erl_eval",
                                             "erl_features",
                                             "erl_init",
                                             "erl_lint",
                                             "erl_parse",
                                             "erl_prim_loader",
                                             "erl_scan",
                                             "erl_signal_handler",
                                             "erl_tracer",
                                             "erlang",
                                             "erpc",
                                             "error_handler",
                                             "error_logger",
                                             "erts_code_purger",
                                             "erts_dirty_process_signal_handler",
                                             "erts_internal",
                                             "erts_literal_area_collector",
                                             "ets",
                                             "file",
                                             "file_io_server",
                                             "file_server",
                                             "filename",
                                             "gb_sets",
                                             "gb_trees",
                                             "gen",
                                             "gen_event",
                                             "gen_server",
                                             "global",
                                             "global_group",
                                             "heart",
                                             "inet",
                                             "inet_config",
                                             "inet_db",
                                             "inet_gethost_native",
                                             "inet_parse",
                                             "inet_udp",
                                             "init",
                                             "io",
                                             "io_lib",
                                             "io_lib_format",
                                             "io_lib_pretty",
                                             "kernel",
                                             "kernel_config",
                                             "kernel_refc",
                                             "lists",
                                             "logger",
                                             "logger_backend",
                                             "logger_config",
                                             "logger_filters",
                                             "logger_formatter",
                                             "logger_h_common",
                                             "logger_handler_watcher",
                                             "logger_olp",
                                             "logger_proxy",
                                             "logger_server",
                                             "logger_simple_h",
                                             "logger_std_h",
                                             "logger_sup",
                                             "maps",
                                             "net_kernel",
                                             "orddict",
                                             "os",
                                             "peer",
                                             "persistent_term",
                                             "prim_buffer",
                                             "prim_eval",
                                             "prim_file",
                                             "prim_inet",
                                             "prim_net",
                                             "prim_socket",
                                             "prim_zip",
                                             "proc_lib",
                                             "proplists",
                                             "queue",
                                             "rand",
                                             "raw_file_io",
                                             "rpc",
                                             "sets",
                                             "socket_registry",
                                             "standard_error",
                                             "supervisor",
                                             "supervisor_bridge",
                                             "unicode",
                                             "user",
                                             "user_sup",
                                             "zlib"};

constexpr std::string_view kPreloaded[] = {"persistent_term",
                                           "counters",
                                           "atomics",
                                           "erts_dirty_process_signal_handler",
                                           "erts_literal_area_collector",
                                           "erl_tracer",
                                           "erts_internal",
                                           "erlang",
                                           "erl_prim_loader",
                                           "prim_zip",
                                           "prim_net",
                                           "prim_socket",
                                           "socket_registry",
                                           "zlib",
                                           "prim_file",
                                           "prim_inet",
                                           "prim_eval",
                                           "prim_buffer",
                                           "init",
                                           "erl_init",
                                           "erts_code_purger"};

// The module if it counts as loaded.
LoadedModule* loaded_module(Context& c, Atom name) {
  if (LoadedModule* module = c.machine.code().find_module(name)) return module;
  if (c.machine.code().find_mock(name)) return c.machine.ensure_module(name);
  if (!std::ranges::binary_search(kBootModules, name.text())) return nullptr;
  return c.machine.ensure_module(name);
}

Value module_loaded_1(Context& c, const Value* a) {
  // What code does for itself (ensure_loaded/1) shows nothing of it.
  const Function* caller = c.machine.code().function_at(c.call.site);
  if (caller && caller->module != atom("code")) c.machine.inputs().look_at(Input::LoadedModules);
  if (!a[0].is_atom()) return c.badarg();
  return Value::boolean(loaded_module(c, a[0].atom()) != nullptr);
}

Value function_exported_3(Context& c, const Value* a) {
  if (!a[0].is_atom() || !a[1].is_atom()) return c.badarg();
  if (!small_in(a[2], -kMostSmallInOtp - 1, kMostSmallInOtp)) return c.badarg();
  const auto arity = small_in(a[2], 0, 255);
  if (!arity) return Value::boolean(false);
  Export* target =
      c.machine.code().find_export(a[0].atom(), a[1].atom(), static_cast<uint32_t>(*arity));
  if (target->native || target->mocked) return Value::boolean(true);
  if (!loaded_module(c, a[0].atom())) return Value::boolean(false);
  return Value::boolean(c.machine.resolve(target));
}

// In OTP these are written in Erlang; the ones behind them are in C.
bool is_erlang_in_otp(const Export& target) {
  static const std::array<std::pair<Atom, uint32_t>, 17> kList = {{
      {Atom::intern("min"), 2},
      {Atom::intern("max"), 2},
      {Atom::intern("atom_to_binary"), 1},
      {Atom::intern("binary_to_atom"), 1},
      {Atom::intern("binary_to_existing_atom"), 1},
      {Atom::intern("localtime_to_universaltime"), 1},
      {Atom::intern("garbage_collect"), 0},
      {Atom::intern("garbage_collect"), 1},
      {Atom::intern("garbage_collect"), 2},
      {Atom::intern("group_leader"), 2},
      {Atom::intern("halt"), 0},
      {Atom::intern("halt"), 1},
      {Atom::intern("memory"), 0},
      {Atom::intern("memory"), 1},
      {Atom::intern("process_flag"), 3},
      {Atom::intern("module_info"), 0},
      {Atom::intern("module_info"), 1},
  }};
  return std::ranges::find(kList, std::pair{target.name, target.arity}) != kList.end();
}

Value is_builtin_3(Context& c, const Value* a) {
  if (!a[0].is_atom() || !a[1].is_atom() || !a[2].is_small()) return c.badarg();
  const auto arity = small_in(a[2], 0, 255);
  if (!arity) return Value::boolean(false);
  const bool is_apply =
      a[0] == atom("erlang") && a[1] == atom("apply") && (*arity == 2 || *arity == 3);
  const Export* target =
      c.machine.code().find_export(a[0].atom(), a[1].atom(), static_cast<uint32_t>(*arity));
  return Value::boolean(is_apply || (target->native && !is_erlang_in_otp(*target)));
}

Value names(Context& c, std::span<const std::string_view> modules) {
  std::vector<Value> items;
  for (const std::string_view module : modules) items.push_back(atom(module));
  return c.heap.list(items);
}

Value pre_loaded_0(Context& c, const Value*) { return names(c, kPreloaded); }

// ---- behaviour_info ---------------------------------------------------------

// Calls f(Name, Arity) for each -callback.
template <class F>
void for_each_callback(const LoadedModule& module, F f) {
  const Ast& ast = module.unit->ast;
  for (const NodeId form : ast.forms()) {
    if (ast.kind(form) != NodeKind::Spec) continue;
    const auto spec = ast.get<fathom::node::Spec>(form);
    if (spec.attribute == atoms::callback) f(spec.name, spec.arity);
  }
}

bool has_callbacks(const LoadedModule& module) {
  bool found = false;
  for_each_callback(module, [&](Atom, uint32_t) { found = true; });
  return found;
}

Value optional_callbacks(Context& c, const LoadedModule& module) {
  CodeTable& code = c.machine.code();
  std::vector<Value> items;
  for (const auto& [name, value] : module.core->attributes) {
    if (name != atoms::optional_callbacks) continue;
    Value list = to_value(value, c.heap,
                          [&](Atom m, Atom f, uint32_t n) { return code.find_export(m, f, n); });
    for (; list.is_cons(); list = list.tail()) items.push_back(list.head());
  }
  return c.heap.list(items);
}

Value behaviour_info(Context& c, const Value* a) {
  const Atom name = c.call.callee->module;
  const LoadedModule& module = *c.machine.ensure_module(name);
  if (a[0] == Value(atoms::optional_callbacks)) return optional_callbacks(c, module);
  if (a[0] != atom("callbacks")) {
    c.error(atom("function_clause"));
    c.machine.state.pending.top = c.heap.tuple(
        {Value(name), atom("-inlined-behaviour_info/1-"), c.heap.list({a, 1}), Value::nil()});
    return Value::none();
  }
  std::vector<Value> items;
  for_each_callback(module, [&](Atom function, uint32_t arity) {
    items.push_back(c.heap.tuple({Value(function), Value::small(arity)}));
  });
  return c.heap.list(items);
}

// ---- module_info ------------------------------------------------------------

Value functions_of(Context& c, const LoadedModule& module, bool exported_only) {
  std::vector<Value> items;
  const auto add = [&](Value name, uint32_t arity) {
    items.push_back(c.heap.tuple({name, Value::small(arity)}));
  };
  for (const core::Function& f : module.core->functions) {
    if (!exported_only || f.exported) add(Value(f.name), f.arity);
  }
  for (uint32_t i = 0; !exported_only && module.parts && i < module.functions.size(); ++i) {
    const auto part = module.parts->read(core::FunctionId{i});
    if (!part) continue;
    for (const core::Function& f : std::span(part->core->functions).subspan(1)) {
      if (core::exists(f.body)) add(Value(f.name), f.arity);
    }
  }
  if (has_callbacks(module)) add(atom("behaviour_info"), 1);
  add(atom("module_info"), 0);
  add(atom("module_info"), 1);
  return c.heap.list(items);
}

// Those that speak to the compiler are not part of the module.
bool is_kept_attribute(Atom name) {
  constexpr std::string_view kDropped[] = {
      "compile", "export_type", "optional_callbacks", "on_load", "file",
      "feature", "doc",         "moduledoc",          "record",  "module"};
  return std::ranges::find(kDropped, name.text()) == std::end(kDropped);
}

Value attributes_of(Context& c, const LoadedModule& module) {
  std::vector<Value> items;
  CodeTable& code = c.machine.code();
  for (const auto& [name, value] : module.core->attributes) {
    if (!is_kept_attribute(name)) continue;
    const Value converted = to_value(
        value, c.heap, [&](Atom m, Atom f, uint32_t n) { return code.find_export(m, f, n); });
    const Value listed = converted.is_list() ? converted : c.heap.list({&converted, 1});
    items.push_back(c.heap.tuple({Value(name), listed}));
  }
  return c.heap.list(items);
}

// The machine compiles by itself: there is a source, and there are no options.
Value compile_info_of(Context& c, const LoadedModule& module) {
  const Value items[] = {
      c.heap.tuple({atom("version"), c.heap.string("8.2.3")}),
      c.heap.tuple({atom("options"), Value::nil()}),
      c.heap.tuple({atom("source"), c.heap.string_utf8(module.unit->path)}),
  };
  return c.heap.list(items);
}

// The code that the machine makes has none: that of its .beam file, or of its source.
Value checksum_of(Context& c, const LoadedModule& module) {
  const Value file = c.heap.string_utf8(module.unit->path);
  return c.tail_call(Atom::intern("code_server"), Atom::intern("checksum_of_file"), {{file}});
}

Value module_item(Context& c, const LoadedModule& module, Value item) {
  if (item == atom("module")) return Value(module.name);
  if (item == atom("exports")) return functions_of(c, module, true);
  if (item == atom("functions")) return functions_of(c, module, false);
  if (item == atom("attributes")) return attributes_of(c, module);
  if (item == atom("compile")) return compile_info_of(c, module);
  if (item == atom("nifs") || item == atom("native_addresses")) return Value::nil();
  if (item == atom("native")) return Value::boolean(false);
  if (item == atom("md5")) return checksum_of(c, module);
  return c.badarg();
}

Value get_module_info_2(Context& c, const Value* a) {
  LoadedModule* module = a[0].is_atom() ? loaded_module(c, a[0].atom()) : nullptr;
  return module ? module_item(c, *module, a[1]) : c.badarg();
}

// Without the checksum of the code, which is not modelled.
Value get_module_info_1(Context& c, const Value* a) {
  LoadedModule* module = a[0].is_atom() ? loaded_module(c, a[0].atom()) : nullptr;
  if (!module) return c.badarg();
  std::vector<Value> items;
  for (const std::string_view item : {"module", "exports", "attributes", "compile"}) {
    items.push_back(c.heap.tuple({atom(item), module_item(c, *module, atom(item))}));
  }
  return c.heap.list(items);
}

Value call_get_module_info(Context& c, const Value* a) {
  std::vector<Value> arguments = {Value(c.call.callee->module)};
  if (c.call.callee->arity == 1) arguments.push_back(a[0]);
  return c.tail_call(atoms::erlang, Atom::intern("get_module_info"), arguments);
}

// ---- Funs -------------------------------------------------------------------

struct FunFacts {
  Atom module;
  Atom name;
  uint32_t arity;
};

std::optional<FunFacts> fun_facts(Value fun) {
  if (fun.is_box(BoxKind::Fun)) {
    const LocalFunction& code = *fun.fun_code();
    return FunFacts{code.module, code.name, code.arity - code.captures};
  }
  if (fun.is_box(BoxKind::ExternalFun)) {
    const Mfa& target = *fun.external();
    return FunFacts{target.module, target.name, target.arity};
  }
  return std::nullopt;
}

// Sixteen bytes, as many as OTP's checksum of the module has.
Value fun_digest(Context& c, Value fun) {
  std::array<uint8_t, 16> bytes{};
  const uint32_t number = fun_number(*fun.fun_code());
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(number >> (8 * (i % 4)));
  }
  return c.heap.binary(bytes);
}

// What says who made a fun and where its code is, and only of local ones.
Value local_fun_item(Context& c, Value fun, Value item, bool& known) {
  known = true;
  const bool local = fun.is_box(BoxKind::Fun);
  const auto or_undefined = [&](Value value) { return local ? value : Value(atoms::undefined); };
  if (item == atom("pid")) return or_undefined(local ? fun.fun_creator() : Value());
  if (item == atom("index") || item == atom("new_index")) {
    return or_undefined(local ? Value::small(fun.fun_code()->index) : Value());
  }
  if (item == atom("uniq")) {
    return or_undefined(local ? Value::small(fun_number(*fun.fun_code())) : Value());
  }
  if (item == atom("new_uniq")) return local ? fun_digest(c, fun) : Value(atoms::undefined);
  known = false;
  return Value::none();
}

Value fun_info_2(Context& c, const Value* a) {
  const auto facts = fun_facts(a[0]);
  if (!facts) return c.badarg();
  const bool local = a[0].is_box(BoxKind::Fun);
  Value value;
  bool known = true;
  if (a[1] == atom("module")) {
    value = Value(facts->module);
  } else if (a[1] == atom("name")) {
    value = Value(facts->name);
  } else if (a[1] == atom("arity")) {
    value = Value::small(facts->arity);
  } else if (a[1] == atom("env")) {
    value = local ? c.heap.list(a[0].captures()) : Value::nil();
  } else if (a[1] == atom("type")) {
    value = atom(local ? "local" : "external");
  } else {
    value = local_fun_item(c, a[0], a[1], known);
  }
  if (!known) return c.badarg();
  return value.is_none() ? value : c.heap.tuple({a[1], value});
}

Value fun_info_mfa_1(Context& c, const Value* a) {
  const auto facts = fun_facts(a[0]);
  if (!facts) return c.badarg();
  return c.heap.tuple({Value(facts->module), Value(facts->name), Value::small(facts->arity)});
}

Value fun_to_list_1(Context& c, const Value* a) {
  if (!a[0].is_fun()) return c.badarg();
  if (a[0].is_box(BoxKind::ExternalFun)) {
    const Mfa& target = *a[0].external();
    std::string text = "fun ";
    append_atom_in_fun(text, target.module);
    text += ':';
    append_atom_in_fun(text, target.name);
    return c.heap.string_utf8(text + "/" + std::to_string(target.arity));
  }
  TermArena arena;
  return c.heap.string_utf8(printed(to_term(a[0], arena)));
}

Value make_fun_3(Context& c, const Value* a) {
  const auto arity = small_in(a[2], 0, 255);
  if (!a[0].is_atom() || !a[1].is_atom() || !arity) return c.badarg();
  return c.heap.external_fun(
      c.machine.code().find_export(a[0].atom(), a[1].atom(), static_cast<uint32_t>(*arity)));
}

// Native coverage of OTP 27: the system says that it has none, as on platforms without the JIT.
Value coverage_support_0(Context&, const Value*) { return Value(atoms::false_); }
Value get_coverage_mode_0(Context&, const Value*) { return atom("none"); }
Value without_coverage(Context& c, const Value*) { return c.badarg(); }

// Of OTP 28: for the debugger, of modules that were compiled for it.
Value get_debug_info_1(Context& c, const Value* a) {
  if (!a[0].is_atom() || !c.machine.code().find_module(a[0].atom())) return c.badarg();
  return atom("none");
}

constexpr NativeEntry kEntries[] = {
    {"erlang", "module_loaded", 1, module_loaded_1, true},
    {"erlang", "function_exported", 3, function_exported_3},
    {"erlang", "is_builtin", 3, is_builtin_3},
    {"erlang", "pre_loaded", 0, pre_loaded_0},
    {"erlang", "get_module_info", 1, get_module_info_1},
    {"erlang", "get_module_info", 2, get_module_info_2, true,
     "md5 of what was read from source is that of the source"},
    {"erlang", "fun_info", 2, fun_info_2},
    {"erlang", "fun_info_mfa", 1, fun_info_mfa_1},
    {"erlang", "fun_to_list", 1, fun_to_list_1},
    {"erlang", "make_fun", 3, make_fun_3},
    {"code", "coverage_support", 0, coverage_support_0, false, {}, 27},
    {"code", "get_coverage_mode", 0, get_coverage_mode_0, false, {}, 27},
    {"code", "get_coverage_mode", 1, without_coverage, false, {}, 27},
    {"code", "set_coverage_mode", 1, without_coverage, false, {}, 27},
    {"code", "get_coverage", 2, without_coverage, false, {}, 27},
    {"code", "reset_coverage", 1, without_coverage, false, {}, 27},
    {"code", "get_debug_info", 1, get_debug_info_1, false, {}, 28},
    {"erl_debugger", "supported", 0, coverage_support_0, false, {}, 28},
};

}  // namespace

Native generated(const LoadedModule& module, Atom name, uint32_t arity) {
  if (name == Atom::intern("module_info") && arity <= 1) return call_get_module_info;
  const bool is_behaviour_info = name == Atom::intern("behaviour_info") && arity == 1;
  return is_behaviour_info && has_callbacks(module) ? behaviour_info : nullptr;
}

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::code_info_natives
