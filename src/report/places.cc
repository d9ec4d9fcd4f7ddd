#include "report/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "report/text.h"

namespace fathom::report {

using machine::Frame;

std::string place_file(const Place& place, const SourceMap& sources) {
  if (!place.span.begin) return place.file;
  return std::string(sources.name(sources.file_of(place.span.begin)));
}

std::string place_text(const Place& place, const SourceMap& sources) {
  if (place.span.begin) {
    const LineColumn at = sources.line_column(place.span.begin);
    return fmt::format("{}:{}:{}", place_file(place, sources), at.line, at.column);
  }
  return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::string source_excerpt(const Place& place, const SourceMap& sources, size_t width) {
  if (!place.span.begin) return {};
  std::string_view line = sources.line_text(place.span.begin);
  const size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  size_t before = sources.line_column(place.span.begin).column - 1;
  before -= std::min(before, begin);  // characters that are left of the place
  const char* at = line.data();
  for (; before > 0 && at < line.data() + line.size(); --before) next_code_point(&at);
  size_t columns = display_width(line.substr(0, static_cast<size_t>(at - line.data())));
  if (columns <= width * 2 / 3 || display_width(line) <= width) return cut(line, width);
  const char* shown = line.data();
  while (columns > width / 3) columns -= character_width(next_code_point(&shown));
  line.remove_prefix(static_cast<size_t>(shown - line.data()));
  return "…" + cut(line, width - 1);
}

Diagnostic diagnostic_at(const Place& place, Severity severity, std::string message) {
  Diagnostic d;
  d.severity = severity;
  d.message = std::move(message);
  d.span = place.span;
  if (!d.span.begin && !place.file.empty()) {
    d.file = place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
  }
  return d;
}

void write_location(JsonWriter& json, const Place& place, const SourceMap& sources,
                    std::string_view key) {
  const std::string file = place_file(place, sources);
  if (file.empty()) return;
  json.key(key);
  json.begin_object(JsonWriter::Shape::Inline);
  json.field("file", file);
  if (place.span.begin) {
    const LineColumn begin = sources.line_column(place.span.begin);
    const LineColumn end = sources.line_column(place.span.end);
    json.field("line", begin.line);
    json.field("column", begin.column);
    json.field("end_line", end.line);
    json.field("end_column", end.column);
  } else if (place.line > 0) {
    json.field("line", place.line);
  }
  json.end_object();
}

void write_stack(JsonWriter& json, const std::vector<Frame>& stack) {
  json.key("stack");
  json.begin_array();
  for (const Frame& frame : stack) {
    json.begin_object(JsonWriter::Shape::Inline);
    json.field("function", frame.function);
    if (!frame.file.empty()) {
      json.field("file", frame.file);
      json.field("line", frame.line);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace fathom::report
