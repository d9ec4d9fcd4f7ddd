// os: the environment (a copy, which the program changes for itself), the clock of
// the machine, and signals, of which none ever comes.
#include <unistd.h>

#include <array>

#include "base/utf8.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "values/char_lists.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::os_natives {
namespace {

std::optional<std::string> text_of(Value list) {
  return list.is_list() ? char_list_text(list) : std::nullopt;
}

// The name of a variable, as a key of the map; none() if it is not a name.
Value name_of(Context& c, Value list) {
  const std::optional<std::string> name = text_of(list);
  if (!name || name->find('=') != std::string::npos) return Value::none();
  return c.heap.binary(std::string_view(*name));
}

Value text_list(Context& c, Value binary) {
  const BytesOf bytes(binary);
  const std::string text(bytes.text());
  return find_invalid_utf8(text) ? c.heap.string(text) : c.heap.string_utf8(text);
}

void set_environment(Context& c, Value map) {
  c.machine.journal().set(c.machine.shared().environment.map, map);
}

Value environment(Context& c) {
  const Value& map = c.machine.shared().environment.map;
  if (!map.is_none()) return map;
  std::vector<Value> pairs;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text(*variable);
    const size_t sign = text.find('=');
    if (sign == std::string_view::npos) continue;
    pairs.push_back(c.heap.binary(text.substr(0, sign)));
    pairs.push_back(c.heap.binary(text.substr(sign + 1)));
  }
  set_environment(c, map_from_pairs(c.heap, pairs));
  return map;
}

Value env_0(Context& c, const Value*) {
  std::vector<Value> items;
  MapPairs walk(environment(c));
  Value name;
  Value value;
  while (walk.next(name, value)) {
    items.push_back(c.heap.tuple({text_list(c, name), text_list(c, value)}));
  }
  return c.heap.list(items);
}

Value getenv_1(Context& c, const Value* a) {
  const Value name = name_of(c, a[0]);
  if (name.is_none()) return c.badarg();
  const Value value = map_get(environment(c), name);
  // Code that a program compiles can be loaded only if it has debug information.
  if (value.is_none() && BytesOf(name).text() == "ERL_COMPILER_OPTIONS") {
    return c.heap.string("debug_info");
  }
  return value.is_none() ? Value(atoms::false_) : text_list(c, value);
}

Value putenv_2(Context& c, const Value* a) {
  const Value name = name_of(c, a[0]);
  const std::optional<std::string> value = text_of(a[1]);
  if (name.is_none() || !value) return c.badarg();
  const Value bytes = c.heap.binary(std::string_view(*value));
  set_environment(c, map_put(c.heap, environment(c), name, bytes));
  return Value(atoms::true_);
}

Value unsetenv_1(Context& c, const Value* a) {
  const Value name = name_of(c, a[0]);
  if (name.is_none()) return c.badarg();
  set_environment(c, map_remove(c.heap, environment(c), name));
  return Value(atoms::true_);
}

// ---- Clock, process, signals ------------------------------------------------

Value system_time_0(Context& c, const Value*) {
  return c.tail_call(atoms::erlang, Atom::intern("system_time"), {});
}

Value timestamp_0(Context& c, const Value*) {
  return c.tail_call(atoms::erlang, Atom::intern("timestamp"), {});
}

Value perf_counter_0(Context& c, const Value*) {
  return c.heap.integer(c.machine.clock().read(c.machine.process()));
}

// The same in every run.
Value getpid_0(Context& c, const Value*) { return c.heap.string("1"); }

bool is_one_of(Value value, std::span<const std::string_view> names) {
  if (!value.is_atom()) return false;
  for (const std::string_view name : names) {
    if (value.atom().text() == name) return true;
  }
  return false;
}

Value set_signal_2(Context& c, const Value* a) {
  static constexpr std::array<std::string_view, 10> kSignals = {
      "sighup",  "sigquit", "sigabrt", "sigalrm", "sigterm",
      "sigusr1", "sigusr2", "sigchld", "sigstop", "sigtstp"};
  static constexpr std::array<std::string_view, 3> kActions = {"ignore", "default", "handle"};
  return is_one_of(a[0], kSignals) && is_one_of(a[1], kActions) ? Value(atoms::ok) : c.badarg();
}

constexpr NativeEntry kEntries[] = {
    {"os", "env", 0, env_0},
    {"os", "getenv", 1, getenv_1},
    {"os", "putenv", 2, putenv_2},
    {"os", "unsetenv", 1, unsetenv_1},
    {"os", "system_time", 0, system_time_0, true},
    {"os", "timestamp", 0, timestamp_0, true},
    {"os", "perf_counter", 0, perf_counter_0},
    {"os", "getpid", 0, getpid_0},
    {"os", "set_signal", 2, set_signal_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::os_natives
