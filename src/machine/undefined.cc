#include "machine/undefined.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace fathom::machine {
namespace {

// The number of arguments that a frame has; -1: it is none.
int64_t arity_of(Value arguments) {
  if (arguments.is_small()) return arguments.small();
  int64_t count = 0;
  for (; arguments.is_cons(); arguments = arguments.tail()) ++count;
  return arguments.is_nil() ? count : -1;
}

std::string explain(Machine& m, Atom module, Atom name, int64_t arity) {
  const LoadedModule* loaded = m.code().find_module(module);
  if (!loaded) {
    return fmt::format(
        "there is no module {0}: neither {0}.erl among the given files and the project's, nor "
        "{0}.beam in _build, in the folders of -pa and -pz, or in OTP's libraries",
        module.text());
  }
  std::set<uint32_t> exported;
  bool is_local = false;
  for (const Export* entry : m.code().exports_of(module)) {
    if (entry->name == name && (entry->native || entry->function)) exported.insert(entry->arity);
  }
  for (const Function* function : loaded->functions) {
    if (function && function->name == name && function->arity == arity) is_local = true;
  }
  const std::string what = fmt::format("{}:{}/{}", module.text(), name.text(), arity);
  if (is_local && !exported.contains(static_cast<uint32_t>(arity))) {
    return what + " is not exported";
  }
  if (exported.empty()) return fmt::format("{} exports no function {}", module.text(), name.text());
  return fmt::format("there is no {}; {} exports {}/{}", what, module.text(), name.text(),
                     fmt::join(exported, fmt::format(", {}/", name.text())));
}

}  // namespace

std::string explain_undefined(Machine& m, Value reason, Value trace) {
  static const Atom undef = Atom::intern("undef");
  if (!reason.is_atom(undef) || !trace.is_cons()) return "";
  const Value frame = trace.head();
  if (!frame.is_tuple(4) || !frame.element(0).is_atom() || !frame.element(1).is_atom()) return "";
  const int64_t arity = arity_of(frame.element(2));
  return arity < 0 ? "" : explain(m, frame.element(0).atom(), frame.element(1).atom(), arity);
}

}  // namespace fathom::machine
