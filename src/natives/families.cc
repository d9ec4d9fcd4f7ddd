#include "natives/families.h"

#include <map>
#include <tuple>

namespace fathom::machine {

// In init.cc and code_info.cc.
std::span<const NativeEntry> silent_natives();
Native generated_native(const LoadedModule& module, Atom name, uint32_t arity);

const NativeTable& native_table() {
  static const NativeTable table = {
      {
#define FAMILY(name) name(),
#include "natives/families.def"
#undef FAMILY
      },
      silent_natives(),
      &generated_native,
  };
  return table;
}

std::vector<NativeEntry> native_functions() {
  std::map<std::tuple<std::string_view, std::string_view, uint32_t>, NativeEntry> by_name;
  for (const std::span<const NativeEntry> family : native_table().families) {
    for (const NativeEntry& entry : family) {
      by_name.insert_or_assign({entry.module, entry.name, entry.arity}, entry);
    }
  }
  std::vector<NativeEntry> entries;
  entries.reserve(by_name.size());
  for (const auto& [name, entry] : by_name) entries.push_back(entry);
  return entries;
}

}  // namespace fathom::machine
