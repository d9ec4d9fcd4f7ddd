// Where code lies: for embedded/code_server.erl and embedded/erl_prim_loader.erl.
//
// What they read belongs to the program, as its modules do: it is read whether or not
// the program may read files. What the program itself has written counts (overlay.h).
#include <filesystem>

#include "base/source.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "natives/overlay.h"
#include "syntax/app_dir.h"
#include "syntax/consult.h"
#include "values/char_lists.h"
#include "values/convert.h"
#include "values/lists.h"

namespace fathom::machine::code_file_natives {
namespace {

Value ok_with(Context& c, Value value) { return c.heap.tuple({Value(atoms::ok), value}); }

// The list that the program has set, or `default`.
Value path_0(Context& c, const Value*) {
  const Value list = c.machine.shared().code_directories.list;
  return list.is_none() ? atom("default") : list;
}

Value set_path_1(Context& c, const Value* a) {
  c.machine.journal().set(c.machine.shared().code_directories.list, a[0]);
  return Value(atoms::ok);
}

// [{Name, Directory}]
Value applications_0(Context& c, const Value*) {
  std::vector<Value> items;
  for (const ModuleSource::Application& app : c.machine.source().applications()) {
    items.push_back(c.heap.tuple({c.heap.string_utf8(app.name), c.heap.string_utf8(app.dir)}));
  }
  return c.heap.list(items);
}

Value root_0(Context& c, const Value*) { return c.heap.string_utf8(c.machine.source().root_dir()); }

// The file that would be loaded; "" if none.
Value file_of_1(Context& c, const Value* a) {
  return a[0].is_atom() ? c.heap.string_utf8(c.machine.source().file_of(a[0].atom())) : c.badarg();
}

// The file of a loaded module; `false` if it is not loaded.
Value loaded_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  const LoadedModule* module = c.machine.code().find_module(a[0].atom());
  return module ? c.heap.string_utf8(module->unit->path) : Value::boolean(false);
}

Value loaded_0(Context& c, const Value*) {
  c.machine.inputs().look_at(Input::LoadedModules);
  std::vector<Value> items;
  c.machine.code().for_each_module(
      [&](const LoadedModule& module) { items.push_back(Value(module.name)); });
  return c.heap.list(items);
}

Value load_1(Context& c, const Value* a) {
  if (!a[0].is_atom()) return c.badarg();
  const bool found = c.machine.ensure_module(a[0].atom()) != nullptr;
  return c.machine.state.stopped ? Value::none() : Value::boolean(found);
}

// What the program has changed of them (overlay.h). None: nothing is there.
std::optional<FileNode> own_node(Context& c, const std::string& path) {
  const FoundFile found = Overlay(c).find(path, Follow::Yes);
  return found.error == 0 ? found.node : std::nullopt;
}

std::optional<std::string> bytes_of(Context& c, const std::string& path) {
  if (!has_own_files(c.machine)) {
    if (!is_plain_file(path)) return std::nullopt;
    const auto bytes = read_file(path);
    return bytes ? std::optional(*bytes) : std::nullopt;
  }
  const auto node = own_node(c, path);
  if (!node || !node->is_regular()) return std::nullopt;
  int error = 0;
  std::string bytes = Overlay(c).read(*node, 0, static_cast<uint64_t>(node->size), error);
  return error == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

std::optional<std::vector<std::string>> names_in(Context& c, const std::string& path) {
  if (!has_own_files(c.machine)) {
    const auto names = list_directory(path);
    return names ? std::optional(*names) : std::nullopt;
  }
  const auto node = own_node(c, path);
  if (!node || !node->is_directory()) return std::nullopt;
  int error = 0;
  auto names = Overlay(c).names(*node, error);
  return error == 0 ? std::optional(std::move(names)) : std::nullopt;
}

Value read_1(Context& c, const Value* a) {
  const auto path = char_list_text(a[0]);
  const auto bytes = path ? bytes_of(c, *path) : std::optional<std::string>();
  return bytes ? ok_with(c, c.heap.binary(std::string_view(*bytes))) : Value(atoms::error);
}

Value list_1(Context& c, const Value* a) {
  const auto path = char_list_text(a[0]);
  const auto names = names_in(c, path.value_or(""));
  if (!path || !names) return Value(atoms::error);
  std::vector<Value> items;
  items.reserve(names->size());
  for (const std::string& name : *names) items.push_back(c.heap.string_utf8(name));
  return ok_with(c, c.heap.list(items));
}

// directory, regular or none
Value kind_1(Context& c, const Value* a) {
  const auto path = char_list_text(a[0]);
  if (!path) return c.badarg();
  if (has_own_files(c.machine)) {
    const auto node = own_node(c, *path);
    if (!node) return atom("none");
    return atom(node->is_directory() ? "directory" : node->is_regular() ? "regular" : "none");
  }
  std::error_code error;
  if (std::filesystem::is_directory(*path, error)) return atom("directory");
  return atom(is_plain_file(*path) ? "regular" : "none");
}

// {ok, Terms} of a text as file:consult/1 reads it, or error. OTP's scanner and parser would do
// the same, but reading them costs more than all else that a program needs to start.
Value terms_1(Context& c, const Value* a) {
  if (!a[0].is_binary()) return c.badarg();
  TermArena arena;
  const auto terms = consult("terms", std::string(BytesOf(a[0]).text()), arena);
  if (!terms) return Value(atoms::error);
  std::vector<Value> items;
  items.reserve(terms->size());
  for (const Term term : *terms) {
    items.push_back(to_value(term, c.heap, [&c](Atom module, Atom name, uint32_t arity) {
      return c.machine.code().find_export(module, name, arity);
    }));
  }
  return ok_with(c, c.heap.list(items));
}

// A request that has no answer here.
Value refuse_1(Context& c, const Value* a) {
  const bool is_named = a[0].is_tuple() && a[0].arity() > 0 && a[0].element(0).is_atom();
  const Value name = is_named ? a[0].element(0) : a[0];
  return c.unsupported("code:" + (name.is_atom() ? std::string(name.atom().text()) : "call"));
}

constexpr NativeEntry kEntries[] = {
    {"fathom_code", "path", 0, path_0},
    {"fathom_code", "set_path", 1, set_path_1},
    {"fathom_code", "applications", 0, applications_0},
    {"fathom_code", "root", 0, root_0},
    {"fathom_code", "file_of", 1, file_of_1},
    {"fathom_code", "loaded", 0, loaded_0},
    {"fathom_code", "loaded", 1, loaded_1},
    {"fathom_code", "load", 1, load_1, true},
    {"fathom_code", "read", 1, read_1},
    {"fathom_code", "list", 1, list_1},
    {"fathom_code", "kind", 1, kind_1},
    {"fathom_code", "terms", 1, terms_1},
    {"erlang", "loaded", 0, loaded_0},
    {"fathom_code", "refuse", 1, refuse_1, true, "replacing and deleting code"},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::code_file_natives
