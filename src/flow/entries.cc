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

// f(module, function, behaviours of the module) for each exported function of the author's.
template <class F>
void for_each_exported(Code& code, F&& f) {
  static const Atom module_info = Atom::intern("module_info");
  for (const Atom module : code.own_modules()) {
    const std::vector<FunctionCode> functions = code.functions(module);
    if (functions.empty()) continue;
    const std::vector<Atom> behaviours = behaviours_of(*functions[0].module);
    for (const FunctionCode& function_code : functions) {
      const core::Function& function = (*function_code.module)[function_code.function];
      if (function.exported && function.name != module_info) f(module, function, behaviours);
    }
  }
}

}  // namespace

std::vector<FunctionName> exported_functions(Code& code) {
  std::vector<FunctionName> all;
  for_each_exported(code, [&](Atom module, const core::Function& f, const std::vector<Atom>&) {
    all.push_back({module, f.name, f.arity});
  });
  return all;
}

std::vector<FunctionName> exported_entries(Code& code) {
  std::vector<FunctionName> entries;
  for_each_exported(code, [&](Atom module, const core::Function& f, const std::vector<Atom>& all) {
    if (!is_callback(f, all)) entries.push_back({module, f.name, f.arity});
  });
  return entries;
}

std::vector<FunctionName> callbacks_of(Code& code, std::string_view behaviour) {
  std::vector<FunctionName> callbacks;
  for_each_exported(code, [&](Atom module, const core::Function& f, std::vector<Atom> all) {
    std::erase_if(all, [&](Atom b) { return b.text() != behaviour; });
    if (is_callback(f, all)) callbacks.push_back({module, f.name, f.arity});
  });
  return callbacks;
}

}  // namespace fathom::flow
