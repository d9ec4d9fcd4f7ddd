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

std::vector<Criterion> criteria_in(const Coverage& coverage) {
  std::vector<Criterion> chosen;
  for (const Criterion c : cover::all_criteria()) {
    if (coverage.criteria.has(c)) chosen.push_back(c);
  }
  return chosen;
}

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

void append_missing(std::string& out, const Coverage& coverage, const Painter& paint) {
  for (const ModuleCoverage& module : coverage.modules) {
    for (const Item& item : module.items) {
      if (item.count > 0 || !coverage.criteria.overlaps(cover::criteria_of(item.kind))) continue;
      out += fmt::format("{}: {} {}{}\n", place_text(module, item),
                         paint(Color::Dim, item.is_unreachable ? "unreachable:" : "not covered:"),
                         cover::name_of(item.kind),
                         item.what.empty() ? "" : fmt::format(" ({})", item.what));
    }
  }
}

}  // namespace

std::string cover_text(const Coverage& coverage, const CoverTextOptions& options) {
  const Painter paint(options.color);
  const std::vector<Criterion> criteria = criteria_in(coverage);
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
  size_t unreachable = 0;
  for (const Row& row : rows) {
    out += padded(row.name, name_width);
    for (size_t i = 0; i < criteria.size(); ++i) {
      out += "  " + paint(color_of(row.cells[i]), padded_left(cell_text(row.cells[i]), widths[i]));
    }
    out += "\n";
  }
  for (const ModuleCoverage& module : coverage.modules) {
    unreachable += static_cast<size_t>(std::ranges::count_if(
        module.items, [](const Item& i) { return i.is_unreachable && i.count == 0; }));
  }
  if (unreachable > 0) {
    out += fmt::format("{} unreachable, and not counted\n", counted(unreachable, "item"));
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
    for (size_t i = 0; i < std::min(module.items.size(), old->items.size()); ++i) {
      const Item& item = module.items[i];
      if (!item.is_same(old->items[i])) break;
      const bool is_gained = item.count > 0 && old->items[i].count == 0;
      if (!is_gained && !(item.count == 0 && old->items[i].count > 0)) continue;
      ++(is_gained ? gained : lost);
      out +=
          fmt::format("{}: {}: {}{}\n", place_text(module, item),
                      is_gained ? "newly covered" : "no longer covered", cover::name_of(item.kind),
                      item.what.empty() ? "" : fmt::format(" ({})", item.what));
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
