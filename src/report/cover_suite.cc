// Which tests are enough, and what each one adds.
#include <fmt/format.h>

#include <algorithm>

#include "cover/minimize.h"
#include "report/cover_report.h"
#include "report/text.h"

namespace fathom::report {

using cover::Coverage;
using cover::TestCoverage;

namespace {

// Items of all modules under one numbering; those of kinds that no chosen criterion counts are
// left out.
cover::Minimized minimized(const Coverage& coverage) {
  std::vector<uint32_t> first;
  uint32_t count = 0;
  for (const cover::ModuleCoverage& module : coverage.modules) {
    first.push_back(count);
    count += static_cast<uint32_t>(module.items.size());
  }
  std::vector<std::vector<uint32_t>> items;
  for (const TestCoverage& test : coverage.tests) {
    std::vector<uint32_t>& all = items.emplace_back();
    for (size_t m = 0; m < test.items.size(); ++m) {
      for (const uint32_t i : test.items[m]) all.push_back(first[m] + i);
    }
  }
  return cover::minimize(items, count);
}

size_t size_of(const TestCoverage& test) {
  size_t n = 0;
  for (const auto& items : test.items) n += items.size();
  return n;
}

bool is_chosen(const cover::Minimized& m, size_t test) {
  return std::ranges::binary_search(m.chosen, static_cast<uint32_t>(test));
}

}  // namespace

std::string suite_text(const Coverage& coverage) {
  const cover::Minimized m = minimized(coverage);
  std::string out =
      fmt::format("{} of {} cover the same {}{}\n", m.chosen.size(),
                  counted(coverage.tests.size(), "test"), counted(m.items, "item"),
                  m.is_smallest ? ": no fewer do" : "; whether fewer do is not known");
  for (size_t t = 0; t < coverage.tests.size(); ++t) {
    out += fmt::format("  {} {:>6} {:>6} alone  {}\n", is_chosen(m, t) ? "keep     " : "redundant",
                       size_of(coverage.tests[t]), m.alone[t], printable(coverage.tests[t].name));
  }
  return out;
}

void write_suite(JsonWriter& json, const Coverage& coverage) {
  const cover::Minimized m = minimized(coverage);
  json.begin_object();
  json.field("smallest", m.is_smallest);
  json.field("items", m.items);
  json.key("tests");
  json.begin_array();
  for (size_t t = 0; t < coverage.tests.size(); ++t) {
    json.begin_object(JsonWriter::Shape::Inline);
    json.field("name", coverage.tests[t].name);
    json.field("keep", is_chosen(m, t));
    json.field("covers", size_of(coverage.tests[t]));
    json.field("alone", m.alone[t]);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace fathom::report
