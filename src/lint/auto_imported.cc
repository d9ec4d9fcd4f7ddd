#include "lint/auto_imported.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace fathom::lint {
namespace {

enum Flag : uint8_t { kGuard = 1, kGuard26 = 2, kTest = 4, kOld = 8 };

struct Bif {
  std::string_view name;
  uint8_t arity;
  uint8_t since;
  uint8_t flags;
};

constexpr Bif kBifs[] = {
#define BIF(Name, Arity, Since, Flags) {Name, Arity, Since, Flags},
#include "lint/auto_imported.def"
#undef BIF
};

constexpr std::string_view kOldTests[] = {"integer", "float",  "number",    "atom",
                                          "list",    "tuple",  "reference", "port",
                                          "binary",  "record", "function",  "pid"};

uint64_t key(Atom name, size_t arity) { return uint64_t{name.id()} << 32 | arity; }

const Bif* find(Atom name, size_t arity) {
  static const auto kTable = [] {
    std::unordered_map<uint64_t, const Bif*> table;
    for (const Bif& bif : kBifs) table.emplace(key(Atom::intern(bif.name), bif.arity), &bif);
    return table;
  }();
  const auto at = kTable.find(key(name, arity));
  return at == kTable.end() ? nullptr : at->second;
}

}  // namespace

AutoImported auto_imported(Atom name, size_t arity, uint32_t otp_release) {
  const Bif* bif = find(name, arity);
  if (!bif || bif->since > otp_release) return {};
  AutoImported result;
  result.is_imported = true;
  result.is_guard =
      (bif->flags & (kGuard | kTest)) || ((bif->flags & kGuard26) && otp_release >= 26);
  result.is_type_test = bif->flags & kTest;
  result.is_old = (bif->flags & kOld) && otp_release < 28;
  return result;
}

std::vector<Atom> auto_imported_names(size_t arity, uint32_t otp_release) {
  std::vector<Atom> names;
  for (const Bif& bif : kBifs) {
    if (bif.arity == arity && bif.since <= otp_release) names.push_back(Atom::intern(bif.name));
  }
  return names;
}

bool is_old_type_test(Atom name, size_t arity) {
  if (arity == 0 || arity > 2) return false;
  if ((name == atoms::record) != (arity == 2)) return false;
  return std::ranges::find(kOldTests, name.text()) != std::end(kOldTests);
}

bool is_arithmetic_operator(Atom op, size_t arity) {
  switch (op.id()) {
    case atoms::plus.id():
    case atoms::minus.id():
      return arity == 1 || arity == 2;
    case atoms::bnot_.id():
      return arity == 1;
    case atoms::star.id():
    case atoms::slash.id():
    case atoms::div_.id():
    case atoms::rem_.id():
    case atoms::band_.id():
    case atoms::bor_.id():
    case atoms::bxor_.id():
    case atoms::bsl_.id():
    case atoms::bsr_.id():
      return arity == 2;
    default:
      return false;
  }
}

bool is_guard_operator(Atom op, size_t arity) {
  switch (op.id()) {
    case atoms::not_.id():
      return arity == 1;
    case atoms::and_.id():
    case atoms::or_.id():
    case atoms::xor_.id():
    case atoms::equal_equal.id():
    case atoms::slash_equal.id():
    case atoms::equal_less.id():
    case atoms::less.id():
    case atoms::greater_equal.id():
    case atoms::greater.id():
    case atoms::equal_colon_equal.id():
    case atoms::equal_slash_equal.id():
      return arity == 2;
    default:
      return is_arithmetic_operator(op, arity);
  }
}

}  // namespace fathom::lint
