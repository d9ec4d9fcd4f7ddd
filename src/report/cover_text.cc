#include <fmt/format.h>

#include <algorithm>

#include "report/cover_report.h"
#include "report/text.h"

namespace fathom::report {

using cover::Coverage;
using cover::Criterion;
using cover::Item;
using cover::ModuleCoverage;
using cover::Totals;

namespace {

constexpr double kAll = 100;
constexpr double kMost = 80;

// Rounded down: 100 % means all of them.
std::string cell_text(const Totals& t) {
  if (t.total == 0) return "-";
  return fmt::format("{}% {}/{}", t.covered * 100 / t.total, t.covered, t.total);
}

Color color_of(const Totals& t) {
  if (t.total == 0) return Color::Dim;
  if (t.percent() >= kAll) return Color::Good;
  return t.percent() >= kMost ? Color::Doubtful : Color::Bad;
}

struct Row {
  std::string name;
  std::vector<Totals> cells;
};

std::string place_text(const ModuleCoverage& module, const Item& item) {
  std::string text = fmt::format("{}:{}", module.path, item.place.line);
  if (item.place.column > 0) text += fmt::format(":{}", item.place.column);
  return text;
}

std::string target_text(const Coverage& coverage, const ModuleCoverage& module, const Item& item) {
  if (item.to.line == 0) return {};
  const auto other = std::ranges::find(coverage.modules, item.to_module, &ModuleCoverage::name);
  const std::string& path = other == coverage.modules.end() ? module.path : other->path;
  return fmt::format(" at {}:{}:{}", path, item.to.line, item.to.column);
}

std::string state_text(const Item& item) {
  switch (item.state) {
    case cover::ItemState::Unreachable:
      return "unreachable:";
    case cover::ItemState::Unknown:
      return "unknown:";
    default:
      return "not covered:";
  }
}

struct ChangedItem {
  const Item* item;
  bool is_gained;
};

// Items of the same kinds are at the same places, but for unknown ones.
std::vector<ChangedItem> changed_items(const ModuleCoverage& now, const ModuleCoverage& before) {
  std::vector<ChangedItem> changed;
  const auto is_unknown = [](const Item& i) { return i.state == cover::ItemState::Unknown; };
  const auto is_in = [&](const Item& item, const ModuleCoverage& other) {
    return std::ranges::any_of(other.items, [&](const Item& i) {
      return is_unknown(i) && i.count > 0 && i.is_same(item);
    });
  };
  for (size_t i = 0; i < now.items.size(); ++i) {
    const Item& item = now.items[i];
    if (is_unknown(item)) {
      if (item.count > 0 && !is_in(item, before)) changed.push_back({&item, true});
      continue;
    }
    if (i >= before.items.size() || !item.is_same(before.items[i])) break;
    const bool was_covered = before.items[i].count > 0;
    if ((item.count > 0) != was_covered) changed.push_back({&item, !was_covered});
  }
  for (const Item& item : before.items) {
    if (is_unknown(item) && item.count > 0 && !is_in(item, now)) changed.push_back({&item, false});
  }
  return changed;
}

void append_missing(std::string& out, const Coverage& coverage, const Painter& paint) {
  for (const ModuleCoverage& module : coverage.modules) {
    for (const Item& item : module.items) {
      if (item.count > 0 || !coverage.criteria.overlaps(cover::criteria_of(item.kind))) continue;
      const std::string what = printable(item.what) + target_text(coverage, module, item);
      out += fmt::format("{}: {} {}{}\n", place_text(module, item),
                         paint(Color::Dim, state_text(item)), cover::name_of(item.kind),
                         what.empty() ? "" : fmt::format(" ({})", what));
    }
  }
}

}  // namespace

std::string cover_text(const Coverage& coverage, const CoverTextOptions& options) {
  const Painter paint(options.color);
  const std::vector<Criterion> criteria = coverage.criteria.list();
  std::vector<Row> rows;
  for (const ModuleCoverage& module : coverage.modules) {
    Row& row = rows.emplace_back(Row{printable(module.name), {}});
    for (const Criterion c : criteria) row.cells.push_back(cover::totals(module, c));
  }
  std::ranges::sort(rows, {}, &Row::name);
  if (rows.size() != 1) {
    Row& all = rows.emplace_back(Row{"all", {}});
    for (const Criterion c : criteria) all.cells.push_back(cover::totals(coverage, c));
  }
  const std::string heading = "coverage";
  size_t name_width = heading.size();
  for (const Row& row : rows) name_width = std::max(name_width, display_width(row.name));
  std::vector<size_t> widths;
  for (size_t i = 0; i < criteria.size(); ++i) {
    size_t width = cover::name_of(criteria[i]).size();
    for (const Row& row : rows) width = std::max(width, cell_text(row.cells[i]).size());
    widths.push_back(width);
  }
  std::string out;
  if (options.verbose) append_missing(out, coverage, paint);
  std::string line = padded(heading, name_width);
  for (size_t i = 0; i < criteria.size(); ++i) {
    line += "  " + padded_left(cover::name_of(criteria[i]), widths[i]);
  }
  out += paint(Color::Bold, line) + "\n";
  for (const Row& row : rows) {
    out += padded(row.name, name_width);
    for (size_t i = 0; i < criteria.size(); ++i) {
      out += "  " + paint(color_of(row.cells[i]), padded_left(cell_text(row.cells[i]), widths[i]));
    }
    out += "\n";
  }
  size_t unreachable = 0;
  size_t unknown = 0;
  size_t unforeseen = 0;
  for (const ModuleCoverage& module : coverage.modules) {
    for (const Item& item : module.items) {
      if (item.is_counted()) continue;
      const bool is_unreachable = item.state == cover::ItemState::Unreachable;
      ++(is_unreachable ? unreachable : item.count > 0 ? unforeseen : unknown);
    }
  }
  if (unreachable > 0) {
    out += fmt::format("{} unreachable, and not counted\n", counted(unreachable, "item"));
  }
  if (unknown > 0) {
    out += fmt::format("unknown: {} could not be followed\n", counted(unknown, "place"));
  }
  if (unforeseen > 0) {
    out += fmt::format("through callers, and not counted: {}\n", counted(unforeseen, "flow"));
  }
  return out;
}

std::string cover_changes_text(const Coverage& now, const Coverage& before) {
  std::string out;
  size_t gained = 0;
  size_t lost = 0;
  for (const ModuleCoverage& module : now.modules) {
    const auto old = std::ranges::find(before.modules, module.name, &ModuleCoverage::name);
    if (old == before.modules.end()) {
      out += fmt::format("{}: was not measured before\n", module.path);
      continue;
    }
    if (old->hash != module.hash) {
      out += fmt::format("{}: the source has changed\n", module.path);
      continue;
    }
    for (const auto& [item, is_gained] : changed_items(module, *old)) {
      ++(is_gained ? gained : lost);
      const std::string what = printable(item->what) + target_text(now, module, *item);
      out +=
          fmt::format("{}: {}: {}{}\n", place_text(module, *item),
                      is_gained ? "newly covered" : "no longer covered", cover::name_of(item->kind),
                      what.empty() ? "" : fmt::format(" ({})", what));
    }
  }
  for (const ModuleCoverage& module : before.modules) {
    if (std::ranges::find(now.modules, module.name, &ModuleCoverage::name) == now.modules.end()) {
      out += fmt::format("{}: is not measured any more\n", module.path);
    }
  }
  return out + fmt::format("{} newly covered, {} no longer\n", counted(gained, "item"),
                           with_commas(lost));
}

}  // namespace fathom::report
