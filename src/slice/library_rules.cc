#include "slice/library_rules.h"

#include <map>
#include <string>
#include <vector>

namespace fathom::slice {
namespace {

using Spot = RulePath::Spot;

// All tuples of rules have two elements.
constexpr size_t kPair = 2;

struct RuleText {
  std::string_view module;
  std::string_view name;
  size_t arity;
  std::string_view ways;
};
constexpr RuleText kRules[] = {
#define RULE(Module, Name, Arity, Ways) {Module, Name, Arity, Ways},
#include "slice/library_rules.def"
#undef RULE
};

uint8_t digit_at(std::string_view text, size_t at) { return static_cast<uint8_t>(text[at] - '1'); }

RulePath parse_path(std::string_view text) {
  RulePath path;
  size_t at = 1;
  switch (text[0]) {
    case 'p':
      path.spot = Spot::Parameter;
      path.index = digit_at(text, at++);
      break;
    case 'r':
      path.spot = Spot::Returned;
      break;
    case '=':
      path.spot = Spot::Result;
      break;
    case '?':
      path.spot = Spot::Looked;
      break;
    case '!':
      path.spot = Spot::Shape;
      break;
    default:
      path.spot = Spot::Argument;
      path.index = digit_at(text, 0);
      break;
  }
  while (at < text.size()) {
    const bool is_each = text[at] == '*';
    path.steps[path.count++] =
        is_each ? RulePath::kEach : static_cast<int8_t>(digit_at(text, at + 1));
    at += is_each ? 1 : 2;
  }
  return path;
}

std::vector<RuleWay> parse_ways(std::string_view text) {
  std::vector<RuleWay> ways;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view way = text.substr(0, end);
    const size_t arrow = way.find('>');
    ways.push_back({parse_path(way.substr(0, arrow)), parse_path(way.substr(arrow + 1))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ways;
}

struct RuleTable {
  std::vector<std::vector<RuleWay>> ways;  // by rule
  std::vector<std::span<const RuleWay>> spans;

  RuleTable() {
    for (const RuleText& rule : kRules) ways.push_back(parse_ways(rule.ways));
    for (const auto& of_rule : ways) spans.emplace_back(of_rule);
  }
};

}  // namespace

const std::span<const RuleWay>* rule_of(std::string_view module, std::string_view name,
                                        size_t arity) {
  static const RuleTable table;
  for (size_t i = 0; i < std::size(kRules); ++i) {
    if (kRules[i].module == module && kRules[i].name == name && kRules[i].arity == arity) {
      return &table.spans[i];
    }
  }
  return nullptr;
}

NeedId need_below(Needs& needs, const RulePath& path, NeedId whole) {
  NeedId need = whole;
  for (uint8_t i = 0; i < path.count; ++i) {
    need = path.steps[i] == RulePath::kEach
               ? needs.elements(need)
               : needs.element(need, static_cast<size_t>(path.steps[i]), kPair, std::nullopt);
  }
  return need;
}

NeedId need_above(Needs& needs, const RulePath& path, NeedId part) {
  NeedId need = part;
  for (uint8_t i = path.count; i-- > 0;) {
    need = path.steps[i] == RulePath::kEach
               ? needs.of_list(need)
               : needs.of_part(Selector::element(static_cast<size_t>(path.steps[i]), kPair), need);
  }
  return need;
}

}  // namespace fathom::slice
