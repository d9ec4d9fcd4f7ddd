// What can be covered: criteria, and the kinds of items that they count (criteria.def).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fathom::cover {

enum class Criterion : uint8_t {
#define CRITERION(Id, Name, Default) Id,
#include "cover/criteria.def"
};
enum class ItemKind : uint8_t {
#define ITEM(Id, Name, Criteria) Id,
#include "cover/criteria.def"
};

class CriteriaSet {
 public:
  constexpr CriteriaSet() = default;
  constexpr explicit CriteriaSet(uint32_t bits) : bits_(bits) {}
  constexpr bool has(Criterion c) const { return (bits_ >> static_cast<uint32_t>(c) & 1) != 0; }
  constexpr bool overlaps(CriteriaSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  std::vector<Criterion> list() const;  // in the order of criteria.def
  constexpr uint32_t bits() const { return bits_; }
  constexpr CriteriaSet operator|(CriteriaSet other) const {
    return CriteriaSet(bits_ | other.bits_);
  }
  constexpr CriteriaSet operator&(CriteriaSet other) const {
    return CriteriaSet(bits_ & other.bits_);
  }
  constexpr bool operator==(const CriteriaSet&) const = default;

 private:
  uint32_t bits_ = 0;
};
constexpr CriteriaSet of(Criterion c) {
  return CriteriaSet(uint32_t{1} << static_cast<uint32_t>(c));
}

const std::vector<Criterion>& all_criteria();
CriteriaSet default_criteria();
std::string_view name_of(Criterion c);
std::string_view name_of(ItemKind kind);
std::optional<Criterion> criterion_named(std::string_view name);
std::optional<ItemKind> item_kind_named(std::string_view name);
CriteriaSet criteria_of(ItemKind kind);

// Those that the flow analysis says what there is to be covered of: values must have labels.
constexpr CriteriaSet flow_criteria() {
  return of(Criterion::DataFlow) | of(Criterion::Message) | of(Criterion::Call) |
         of(Criterion::Exception);
}

// "line,branch"; "default" and "all" stand for several.
Result<CriteriaSet> parse_criteria(std::string_view text);

}  // namespace fathom::cover
