#include "natives/families.h"

#include <map>
#include <tuple>

namespace fathom::machine {

namespace service_natives {
std::span<const NativeEntry> silent();
}
namespace code_info_natives {
Native generated(const LoadedModule& module, Atom name, uint32_t arity);
}
namespace code_loading_natives {
LoadedModule* load_written(Machine& m, Atom name);
}

const NativeTable& native_table() {
  static const NativeTable table = {
      {
#define FAMILY(name) name::entries(),
#include "natives/families.def"
#undef FAMILY
      },
      service_natives::silent(),
      &code_info_natives::generated,
      &code_loading_natives::load_written,
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
