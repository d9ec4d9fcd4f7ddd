#include "cover/criteria.h"

#include <fmt/format.h>

namespace fathom::cover {
namespace {

constexpr std::string_view kCriterionNames[] = {
#define CRITERION(Id, Name, Default) Name,
#include "cover/criteria.def"
};
constexpr std::string_view kItemNames[] = {
#define ITEM(Id, Name, Criteria) Name,
#include "cover/criteria.def"
};
constexpr CriteriaSet kItemCriteria[] = {
#define ITEM(Id, Name, Criteria) Criteria,
#include "cover/criteria.def"
};

std::string known_names() {
  std::string names;
  for (const Criterion c : all_criteria()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(c));
  }
  return names;
}

}  // namespace

const std::vector<Criterion>& all_criteria() {
  static const std::vector<Criterion> all = {
#define CRITERION(Id, Name, Default) Criterion::Id,
#include "cover/criteria.def"
  };
  return all;
}

std::vector<Criterion> CriteriaSet::list() const {
  std::vector<Criterion> chosen;
  for (const Criterion c : all_criteria()) {
    if (has(c)) chosen.push_back(c);
  }
  return chosen;
}

CriteriaSet default_criteria() {
  CriteriaSet set;
#define CRITERION(Id, Name, Default) \
  if (Default) set = set | of(Criterion::Id);
#include "cover/criteria.def"
  return set;
}

std::string_view name_of(Criterion c) { return kCriterionNames[static_cast<size_t>(c)]; }
std::string_view name_of(ItemKind kind) { return kItemNames[static_cast<size_t>(kind)]; }
CriteriaSet criteria_of(ItemKind kind) { return kItemCriteria[static_cast<size_t>(kind)]; }

std::optional<Criterion> criterion_named(std::string_view name) {
  for (const Criterion c : all_criteria()) {
    if (name_of(c) == name) return c;
  }
  return std::nullopt;
}

std::optional<ItemKind> item_kind_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kItemNames); ++i) {
    if (kItemNames[i] == name) return static_cast<ItemKind>(i);
  }
  return std::nullopt;
}

Result<CriteriaSet> parse_criteria(std::string_view text) {
  CriteriaSet set;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
    if (name == "all") {
      for (const Criterion c : all_criteria()) set = set | of(c);
    } else if (name == "default") {
      set = set | default_criteria();
    } else if (const auto c = criterion_named(name)) {
      set = set | of(*c);
    } else {
      return Error{fmt::format("there is no criterion '{}'; there are {}", name, known_names())};
    }
  }
  if (set.empty()) return Error{fmt::format("no criterion is named; there are {}", known_names())};
  return set;
}

}  // namespace fathom::cover
