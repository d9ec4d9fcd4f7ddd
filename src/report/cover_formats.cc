// LCOV's tracefile (geninfo(1)) and Cobertura's XML (coverage-04.dtd).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/cover_report.h"
#include "report/xml.h"

namespace fathom::report {

using cover::Coverage;
using cover::Criterion;
using cover::Item;
using cover::ItemKind;
using cover::ModuleCoverage;

namespace {

// What the formats know of a module.
struct Lines {
  std::map<uint32_t, uint64_t> counts;                    // of executable lines
  std::map<uint32_t, std::vector<const Item*>> branches;  // by the line on which they begin
  std::vector<const Item*> functions;
};

Lines lines_of(const ModuleCoverage& module) {
  Lines lines;
  for (const Item& item : module.items) {
    if (!item.is_counted()) continue;
    if (item.kind == ItemKind::Line) lines.counts[item.place.line] = item.count;
    if (item.kind == ItemKind::Function) lines.functions.push_back(&item);
    if (cover::criteria_of(item.kind).has(Criterion::Branch)) {
      lines.branches[item.place.line].push_back(&item);
    }
  }
  return lines;
}

size_t covered(const std::vector<const Item*>& items) {
  return static_cast<size_t>(
      std::ranges::count_if(items, [](const Item* item) { return item->count > 0; }));
}

void append_branches(std::string& out, const Lines& lines) {
  size_t found = 0;
  size_t hit = 0;
  for (const auto& [line, items] : lines.branches) {
    // Taken "-": the line was never reached.
    const auto count = lines.counts.find(line);
    const bool is_reached = covered(items) > 0 || count == lines.counts.end() || count->second > 0;
    for (size_t i = 0; i < items.size(); ++i) {
      out += fmt::format("BRDA:{},0,{},{}\n", line, i,
                         is_reached ? fmt::format("{}", items[i]->count) : "-");
    }
    found += items.size();
    hit += covered(items);
  }
  if (found > 0) out += fmt::format("BRF:{}\nBRH:{}\n", found, hit);
}

double rate(size_t hit, size_t found) {
  return found == 0 ? 1.0 : static_cast<double>(hit) / static_cast<double>(found);
}

struct Sums {
  size_t lines = 0;
  size_t lines_hit = 0;
  size_t branches = 0;
  size_t branches_hit = 0;

  void add(const Lines& l) {
    lines += l.counts.size();
    lines_hit += static_cast<size_t>(
        std::ranges::count_if(l.counts, [](const auto& line) { return line.second > 0; }));
    for (const auto& [line, items] : l.branches) {
      branches += items.size();
      branches_hit += covered(items);
    }
  }
  std::string rates() const {
    return fmt::format("line-rate=\"{:.4f}\" branch-rate=\"{:.4f}\" complexity=\"0\"",
                       rate(lines_hit, lines), rate(branches_hit, branches));
  }
};

std::string line_element(uint32_t number, uint64_t count, const std::vector<const Item*>& items,
                         std::string_view indent) {
  if (items.empty()) {
    return fmt::format("{}<line number=\"{}\" hits=\"{}\" branch=\"false\"/>\n", indent, number,
                       count);
  }
  const size_t hit = covered(items);
  return fmt::format(
      "{}<line number=\"{}\" hits=\"{}\" branch=\"true\" condition-coverage=\"{}% ({}/{})\"/>\n",
      indent, number, count, hit * 100 / items.size(), hit, items.size());
}

// Lines that only begin a branch are executed as often as that.
std::string line_elements(const Lines& lines, uint32_t from, uint32_t to, std::string_view indent) {
  std::map<uint32_t, uint64_t> all = lines.counts;
  for (const auto& [line, items] : lines.branches) {
    uint64_t most = 0;
    for (const Item* item : items) most = std::max(most, item->count);
    all.try_emplace(line, most);
  }
  std::string out;
  for (auto it = all.lower_bound(from); it != all.end() && it->first <= to; ++it) {
    const auto branches = lines.branches.find(it->first);
    out += line_element(
        it->first, it->second,
        branches == lines.branches.end() ? std::vector<const Item*>() : branches->second, indent);
  }
  return out;
}

std::string class_element(const ModuleCoverage& module) {
  const Lines lines = lines_of(module);
  Sums sums;
  sums.add(lines);
  std::string out =
      fmt::format("        <class name={} filename={} {}>\n          <methods>\n",
                  xml_attribute(module.name), xml_attribute(module.path), sums.rates());
  for (const Item* f : lines.functions) {
    const size_t slash = f->what.rfind('/');
    Lines own;
    const uint32_t end = std::max(f->place.line, f->place.end_line);
    for (const auto& [line, count] : lines.counts) {
      if (line >= f->place.line && line <= end) own.counts[line] = count;
    }
    for (const auto& [line, items] : lines.branches) {
      if (line >= f->place.line && line <= end) own.branches[line] = items;
    }
    Sums own_sums;
    own_sums.add(own);
    out += fmt::format(
        "            <method name={} signature={} {}>\n              <lines>\n{}"
        "              </lines>\n            </method>\n",
        xml_attribute(f->what.substr(0, slash)), xml_attribute(f->what.substr(slash)),
        own_sums.rates(), line_elements(own, f->place.line, end, "                "));
  }
  return out + fmt::format(
                   "          </methods>\n          <lines>\n{}          </lines>\n"
                   "        </class>\n",
                   line_elements(lines, 0, UINT32_MAX, "            "));
}

}  // namespace

std::string lcov(const Coverage& coverage) {
  std::string out;
  for (const ModuleCoverage& module : coverage.modules) {
    const Lines lines = lines_of(module);
    out += fmt::format("TN:\nSF:{}\n", module.path);
    for (const Item* f : lines.functions) out += fmt::format("FN:{},{}\n", f->place.line, f->what);
    for (const Item* f : lines.functions) out += fmt::format("FNDA:{},{}\n", f->count, f->what);
    if (!lines.functions.empty()) {
      out += fmt::format("FNF:{}\nFNH:{}\n", lines.functions.size(), covered(lines.functions));
    }
    append_branches(out, lines);
    Sums sums;
    sums.add(lines);
    for (const auto& [line, count] : lines.counts) out += fmt::format("DA:{},{}\n", line, count);
    out += fmt::format("LF:{}\nLH:{}\nend_of_record\n", sums.lines, sums.lines_hit);
  }
  return out;
}

std::string cobertura(const Coverage& coverage, int64_t timestamp, std::string_view version) {
  Sums sums;
  std::map<std::string, std::vector<const ModuleCoverage*>> packages;  // by directory
  for (const ModuleCoverage& module : coverage.modules) {
    sums.add(lines_of(module));
    packages[std::filesystem::path(module.path).parent_path().string()].push_back(&module);
  }
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<coverage line-rate=\"{:.4f}\" branch-rate=\"{:.4f}\" lines-covered=\"{}\" "
      "lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" complexity=\"0\" "
      "version={} timestamp=\"{}\">\n"
      "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n",
      rate(sums.lines_hit, sums.lines), rate(sums.branches_hit, sums.branches), sums.lines_hit,
      sums.lines, sums.branches_hit, sums.branches,
      xml_attribute(fmt::format("fathom {}", version)), timestamp);
  for (const auto& [name, modules] : packages) {
    Sums own;
    for (const ModuleCoverage* module : modules) own.add(lines_of(*module));
    out += fmt::format("    <package name={} {}>\n      <classes>\n",
                       xml_attribute(name.empty() ? "." : name), own.rates());
    for (const ModuleCoverage* module : modules) out += class_element(*module);
    out += "      </classes>\n    </package>\n";
  }
  return out + "  </packages>\n</coverage>\n";
}

}  // namespace fathom::report
