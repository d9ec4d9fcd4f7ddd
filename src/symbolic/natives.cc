#include "symbolic/natives.h"

#include <cstring>
#include <map>
#include <tuple>

namespace fathom::symbolic {
namespace {

using NativeKey = std::tuple<uint32_t, uint32_t, size_t>;

const std::map<NativeKey, const char*>& table() {
  static const std::map<NativeKey, const char*> entries = [] {
    std::map<NativeKey, const char*> result;
#define NATIVE(Module, Name, Needs) \
  result[{Atom::intern(Module).id(), Atom::intern(Name).id(), std::strlen(Needs)}] = Needs;
#include "symbolic/natives.def"
#undef NATIVE
    return result;
  }();
  return entries;
}

}  // namespace

const char* needs_of(const machine::Mfa& function) {
  const auto it = table().find({function.module.id(), function.name.id(), function.arity});
  return it == table().end() ? nullptr : it->second;
}

}  // namespace fathom::symbolic
