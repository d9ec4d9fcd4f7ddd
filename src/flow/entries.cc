#include "flow/entries.h"

#include <algorithm>
#include <string_view>

namespace fathom::flow {
namespace {

struct Callback {
  std::string_view behaviour;
  std::string_view name;
  uint32_t arity;
};
constexpr std::string_view kAnyName = "";
constexpr Callback kCallbacks[] = {
#define CALLBACK(Behaviour, Name, Arity) {Behaviour, Name, Arity},
#include "flow/behaviours.def"
#undef CALLBACK
};

// Those of the attributes -behaviour and -behavior.
std::vector<Atom> behaviours_of(const core::Module& module) {
  std::vector<Atom> found;
  for (const auto& [name, value] : module.attributes) {
    if (name.text() != "behaviour" && name.text() != "behavior") continue;
    if (value.is_atom()) found.push_back(value.atom());
    if (!value.is_cons()) continue;
    for (const Term element : value.list()) {
      if (element.is_atom()) found.push_back(element.atom());
    }
  }
  return found;
}

bool is_callback(const core::Function& f, const std::vector<Atom>& behaviours) {
  return std::ranges::any_of(kCallbacks, [&](const Callback& c) {
    return c.arity == f.arity && (c.name == kAnyName || c.name == f.name.text()) &&
           std::ranges::any_of(behaviours, [&](Atom b) { return b.text() == c.behaviour; });
  });
}

}  // namespace

std::vector<FunctionName> exported_entries(Code& code) {
  static const Atom module_info = Atom::intern("module_info");
  std::vector<FunctionName> entries;
  for (const Atom module : code.own_modules()) {
    std::vector<Atom> behaviours;
    for (const FunctionCode& f : code.functions(module)) {
      if (behaviours.empty()) behaviours = behaviours_of(*f.module);
      const core::Function& function = (*f.module)[f.function];
      if (!function.exported || function.name == module_info) continue;
      if (!is_callback(function, behaviours))
        entries.push_back({module, function.name, function.arity});
    }
  }
  return entries;
}

}  // namespace fathom::flow
