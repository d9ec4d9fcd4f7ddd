// Code that a program makes itself: compiled at run time, loaded, replaced, deleted, purged.
//
// A module is read from the debug information of its .beam file, as any other one is. It takes the
// entries of the functions that it exports; those of the module before it are old code, which goes
// on running where it runs and is found by nobody. Which module is current, which one is old, and
// the entries are places that the journal keeps, so that all of it goes back with the machine.
//
// Cost: one look at every entry of the table of code for each change of a module.
// Limits: calls of functions are not events, so a check does not explore in which order code is
// loaded and called: a verdict says so (Input::LoadedModules).
#include <algorithm>

#include "machine/interpreter.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "natives/old_code.h"
#include "natives/overlay.h"
#include "syntax/beam_file.h"
#include "values/char_lists.h"
#include "values/lists.h"

namespace fathom::machine::code_loading_natives {
namespace {

// Functions that the compiler adds to a module are found anew for the next one.
bool is_generated(const Export& entry) {
  return entry.name.text() == "module_info" || entry.name.text() == "behaviour_info";
}

// Nobody finds the module's functions any more; it is old code from now on.
void retire(Machine& m, Atom name) {
  Journal& journal = m.journal();
  for (Export* entry : m.code().exports_of(name)) {
    if (entry->mocked) continue;
    if (entry->function) journal.set(entry->function, nullptr);
    if (entry->native && is_generated(*entry)) journal.set(entry->native, nullptr);
  }
  journal.set(m.code().old_module(name), m.code().current_module(name));
  journal.set(m.code().current_module(name), nullptr);
}

void install(Machine& m, LoadedModule& module) {
  if (m.code().find_module(module.name)) retire(m, module.name);
  for (Function& function : module.own_functions) {
    if (!(*module.core)[function.id].exported) continue;
    Export* entry = m.code().find_export(module.name, function.name, function.arity);
    if (!entry->mocked) m.journal().set(entry->function, &function);
  }
  m.journal().set(m.code().current_module(module.name), &module);
}

// Makes it current. Value: `ok`, `badfile`, or none() at the end of the run.
Value load(Context& c, Value name, std::string_view file, Value bytes) {
  Machine& m = c.machine;
  m.inputs().look_at(Input::LoadedModules);
  std::string code(BytesOf(bytes).text());
  const auto beam = BeamFile::parse(code);
  if (!beam) return atom("badfile");
  auto found = m.source().read_code(Atom::intern(file), std::move(code));
  if (!found) return c.unsupported(found.error().message);
  if (found->core->name() != name.atom()) return atom("badfile");
  install(m, *m.code().add(std::move(found->unit), std::move(found->core)));
  return Value(atoms::ok);
}

// The directories in which code is looked for: those of the path, or the current one, which is on
// it from the beginning.
std::vector<std::string> code_directories(Machine& m) {
  std::vector<std::string> dirs;
  Value list = m.shared().code_directories.list;
  if (!list.is_list()) return {"."};  // as it was
  for (; list.is_cons(); list = list.tail()) {
    if (auto dir = char_list_text(list.head())) dirs.push_back(std::move(*dir));
  }
  return dirs;
}

struct Written {
  std::string file;
  std::string bytes;
};

// The module's .beam file in a directory of the code path, if the program has written it.
std::optional<Written> find_written(Context& c, Atom name) {
  if (!has_own_files(c.machine)) return std::nullopt;
  for (const std::string& dir : code_directories(c.machine)) {
    spend();
    std::string file = dir + "/" + std::string(name.text()) + ".beam";
    if (auto bytes = written_file(c, file)) return Written{std::move(file), std::move(*bytes)};
  }
  return std::nullopt;
}

bool has_old_code(Context& c, Value name) {
  return c.machine.code().old_module(name.atom()) != nullptr;
}

// fathom_code:load_binary(Module, File, Code)
Value load_binary_3(Context& c, const Value* a) {
  const auto file = char_list_text(a[1], Atoms::Yes);
  if (!a[0].is_atom() || !file || !a[2].is_binary()) return c.badarg();
  return load(c, a[0], *file, a[2]);
}

// fathom_code:written(Module): {File, Code}, or false.
Value written_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  const auto found = find_written(c, a[0].atom());
  if (!found) return Value::boolean(false);
  return c.heap.tuple(
      {c.heap.string_utf8(found->file), c.heap.binary(std::string_view(found->bytes))});
}

// fathom_code:is_written(File)
Value is_written_1(Context& c, const Value* a) {
  const auto file = char_list_text(a[0]);
  return file ? Value::boolean(written_file(c, *file).has_value()) : c.badarg();
}

Value load_module_2(Context& c, const Value* a) {
  if (!a[0].is_atom() || !a[1].is_binary()) return c.badarg();
  const auto failure = [&](Value why) { return c.heap.tuple({Value(atoms::error), why}); };
  if (has_old_code(c, a[0])) return failure(atom("not_purged"));
  const Value loaded = load(c, a[0], "", a[1]);
  if (loaded.is_none()) return loaded;
  if (loaded != Value(atoms::ok)) return failure(loaded);
  return c.heap.tuple({Value(atoms::module), a[0]});
}

Value delete_module_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  if (!c.machine.code().find_module(a[0].atom())) return Value(atoms::undefined);
  if (has_old_code(c, a[0])) return c.badarg();
  c.machine.inputs().look_at(Input::LoadedModules);
  retire(c.machine, a[0].atom());
  return Value::boolean(true);
}

Value check_old_code_1(Context& c, const Value* a) {
  return a[0].is_atom() ? Value::boolean(has_old_code(c, a[0])) : c.badarg();
}

Value purge_module_1(Context& c, const Value* a) {
  if (!a[0].is_atom() || !has_old_code(c, a[0])) return c.badarg();
  c.machine.journal().set(c.machine.code().old_module(a[0].atom()), nullptr);
  return Value::boolean(true);
}

// ---- Who runs old code ------------------------------------------------------

// The function belongs to the module itself or to a part of it that was read later.
bool is_of(const Function* function, const LoadedModule& module) {
  if (!function || function->module != module.name) return false;
  for (const Function* own : module.functions) {
    if (own == function || own->owner == function->owner) return true;
  }
  return false;
}

bool runs(Machine& m, const uint64_t* pc, const Value* fp, const LoadedModule& module) {
  if (is_of(m.code().function_at(pc), module)) return true;
  for (;;) {
    spend();
    const auto* site = reinterpret_cast<const uint64_t*>(fp[-1].raw());
    if (site == kBaseSite) return false;
    if (is_of(m.code().function_at(site), module)) return true;
    fp -= op_a(site);
  }
}

// fathom_code:users_of_old(Module): the processes that run its old code.
Value users_of_old_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  std::vector<Value> users;
  c.machine.processes().for_each([&](const Process& p) {
    if (p.status != Process::Status::Exited && runs_old_code(c, p, a[0].atom())) {
      users.push_back(p.pid);
    }
  });
  return c.heap.list(users);
}

// ---- Prepared code ----------------------------------------------------------

// In OTP a reference that only the loader understands; here {'$prepared', Module, Code}.
Value prepare_loading_2(Context& c, const Value* a) {
  if (!a[0].is_atom() || !a[1].is_binary()) return c.badarg();
  const auto failure = [&](std::string_view why) {
    return c.heap.tuple({Value(atoms::error), atom(why)});
  };
  const auto beam = BeamFile::parse(std::string(BytesOf(a[1]).text()));
  if (!beam) return failure("badfile");
  return c.heap.tuple({atom("$prepared"), a[0], a[1]});
}

bool is_prepared(Value value) {
  return value.is_tuple(3) && value.element(0) == atom("$prepared") && value.element(1).is_atom() &&
         value.element(2).is_binary();
}

Value has_prepared_code_on_load_1(Context& c, const Value* a) {
  return is_prepared(a[0]) ? Value::boolean(false) : c.badarg();
}

// ok, or {not_purged, Modules}
Value finish_loading_1(Context& c, const Value* a) {
  const auto items = proper_items(a[0]);
  if (!items || !std::ranges::all_of(*items, is_prepared)) return c.badarg();
  std::vector<Value> unpurged;
  for (const Value item : *items) {
    if (has_old_code(c, item.element(1))) unpurged.push_back(item.element(1));
  }
  if (!unpurged.empty()) return c.heap.tuple({atom("not_purged"), c.heap.list(unpurged)});
  for (const Value item : *items) {
    const Value loaded = load(c, item.element(1), "", item.element(2));
    if (loaded.is_none()) return loaded;
  }
  return Value(atoms::ok);
}

Value beamfile_module_md5_1(Context& c, const Value* a) {
  if (!a[0].is_binary()) return c.badarg();
  return c.tail_call(Atom::intern("code_server"), Atom::intern("checksum"), {a, 1});
}

// The bytes of a chunk of a .beam file, or `undefined`: it has none such, or is no such file.
Value beamfile_chunk_2(Context& c, const Value* a) {
  constexpr size_t kHeader = 12;  // "FOR1", size, "BEAM"
  constexpr size_t kName = 4;
  const auto name = latin1_text(a[1]);
  if (!a[0].is_binary() || !name || name->size() != kName) return c.badarg();
  const BytesOf bytes(a[0]);
  const std::string_view file = bytes.text();
  if (!file.starts_with("FOR1") || file.size() < kHeader) return Value(atoms::undefined);
  for (size_t at = kHeader; at + 2 * kName <= file.size();) {
    uint64_t size = 0;
    for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<uint8_t>(file[at + kName + i]);
    const std::string_view rest = file.substr(at + 2 * kName);
    if (size > rest.size()) break;
    if (file.substr(at, kName) == *name) return c.heap.binary(rest.substr(0, size));
    at += 2 * kName + (size + 3) / 4 * 4;
  }
  return Value(atoms::undefined);
}

constexpr NativeEntry kEntries[] = {
    {"erts_internal", "beamfile_chunk", 2, beamfile_chunk_2},
    {"fathom_code", "load_binary", 3, load_binary_3, true},
    {"fathom_code", "written", 1, written_1},
    {"fathom_code", "is_written", 1, is_written_1},
    {"erts_internal", "beamfile_module_md5", 1, beamfile_module_md5_1, true},
    {"erts_internal", "prepare_loading", 2, prepare_loading_2},
    {"erlang", "has_prepared_code_on_load", 1, has_prepared_code_on_load_1},
    {"erlang", "finish_loading", 1, finish_loading_1, true},
    {"fathom_code", "users_of_old", 1, users_of_old_1, true},
    {"erlang", "load_module", 2, load_module_2, true},
    {"erlang", "delete_module", 1, delete_module_1},
    {"erlang", "check_old_code", 1, check_old_code_1},
    {"erlang", "purge_module", 1, purge_module_1},
};

}  // namespace

LoadedModule* load_written(Machine& m, Atom name) {
  Context& c = m.context;
  const auto found = find_written(c, name);
  if (!found) return nullptr;
  load(c, Value(name), found->file, c.heap.binary(std::string_view(found->bytes)));
  return m.state.stopped ? nullptr : m.code().find_module(name);
}

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::code_loading_natives

namespace fathom::machine {

bool runs_old_code(Context& c, const Process& p, Atom name) {
  using code_loading_natives::runs;
  const LoadedModule* old = c.machine.code().old_module(name);
  if (!old) return false;
  if (&p == &c.machine.process()) return runs(c.machine, c.call.site, c.call.frame, *old);
  return runs(c.machine, p.pc, p.stack.data() + p.frame, *old);
}

}  // namespace fathom::machine
