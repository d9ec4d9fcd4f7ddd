#include <algorithm>

#include "report/cover_report.h"

namespace fathom::report {

using cover::Coverage;
using cover::Criterion;
using cover::Item;
using cover::ItemPlace;
using cover::ModuleCoverage;
using cover::Totals;

namespace {

void write_totals(JsonWriter& json, const Totals& t) {
  json.field("covered", t.covered);
  json.field("total", t.total);
  if (t.unreachable > 0) json.field("unreachable", t.unreachable);
  if (t.unknown > 0) json.field("unknown", t.unknown);
}

void write_place(JsonWriter& json, std::string_view key, std::string_view file,
                 const ItemPlace& place) {
  json.key(key);
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("file", file);
  json.field("line", place.line);
  if (place.column > 0) json.field("column", place.column);
  if (place.end_line > 0) json.field("end_line", place.end_line);
  if (place.end_column > 0) json.field("end_column", place.end_column);
  json.end_object();
}

void write_item(JsonWriter& json, const Coverage& coverage, const ModuleCoverage& module,
                const Item& item) {
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("kind", cover::name_of(item.kind));
  if (!item.what.empty()) json.field("what", item.what);
  write_place(json, "location", module.path, item.place);
  if (item.to.line > 0) {
    const auto other = std::ranges::find(coverage.modules, item.to_module, &ModuleCoverage::name);
    write_place(json, "to", other == coverage.modules.end() ? module.path : other->path, item.to);
  }
  if (item.state == cover::ItemState::Unreachable) json.field("unreachable", true);
  if (item.state == cover::ItemState::Unknown) json.field("unknown", true);
  json.end_object();
}

void write_criterion(JsonWriter& json, const Coverage& coverage, const ModuleCoverage& module,
                     Criterion criterion) {
  json.key(cover::name_of(criterion));
  json.begin_object();
  write_totals(json, cover::totals(module, criterion));
  json.key("missing");
  json.begin_array();
  for (const Item& item : module.items) {
    if (item.count == 0 && cover::criteria_of(item.kind).has(criterion)) {
      write_item(json, coverage, module, item);
    }
  }
  json.end_array();
  json.end_object();
}

}  // namespace

void write_coverage(JsonWriter& json, const Coverage& coverage) {
  json.begin_object();
  for (const Criterion c : cover::all_criteria()) {
    if (!coverage.criteria.has(c)) continue;
    json.key(cover::name_of(c));
    json.begin_object(JsonWriter::Shape::Inline);
    write_totals(json, cover::totals(coverage, c));
    json.end_object();
  }
  json.key("modules");
  json.begin_array();
  for (const ModuleCoverage& module : coverage.modules) {
    json.begin_object();
    json.field("module", module.name);
    json.field("file", module.path);
    for (const Criterion c : cover::all_criteria()) {
      if (coverage.criteria.has(c)) write_criterion(json, coverage, module, c);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace fathom::report
