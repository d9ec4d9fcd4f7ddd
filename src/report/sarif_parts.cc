#include "report/sarif_parts.h"

#include <fmt/format.h>

#include "report/places.h"

namespace fathom::report {

using JsonShape = JsonWriter::Shape;

namespace {

// A path as the reference of a URI.
std::string uri_of(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

std::string sarif_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) out.append(c == '{' || c == '}' ? 2 : 1, c);
  return out;
}

void write_region(JsonWriter& json, const Place& place, const SourceMap& sources) {
  if (!place.span.begin && place.line == 0) return;
  json.key("region");
  json.begin_object(JsonShape::Inline);
  if (place.span.begin) {
    const LineColumn begin = sources.line_column(place.span.begin);
    const LineColumn end = sources.line_column(place.span.end);
    json.field("startLine", begin.line);
    json.field("startColumn", begin.column);
    json.field("endLine", end.line);
    json.field("endColumn", end.column);
  } else {
    json.field("startLine", place.line);
  }
  json.end_object();
}

}  // namespace

void write_sarif_message(JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key);
  json.begin_object(JsonShape::Inline);
  json.field("text", sarif_text(text));
  json.end_object();
}

void write_sarif_location(JsonWriter& json, const Place& place, const SourceMap& sources,
                          std::string_view message) {
  json.begin_object();
  const std::string file = place_file(place, sources);
  if (!file.empty()) {
    json.key("physicalLocation");
    json.begin_object();
    json.key("artifactLocation");
    json.begin_object(JsonShape::Inline);
    json.field("uri", uri_of(file));
    json.end_object();
    write_region(json, place, sources);
    json.end_object();
  }
  if (!message.empty()) write_sarif_message(json, "message", message);
  json.end_object();
}

void write_sarif_notification(JsonWriter& json, std::string_view level, std::string_view text) {
  json.begin_object();
  json.field("level", level);
  write_sarif_message(json, "message", text);
  json.end_object();
}

void write_sarif_rule(JsonWriter& json, std::string_view id, std::string_view title,
                      std::string_view text) {
  json.begin_object();
  json.field("id", id);
  write_sarif_message(json, "shortDescription", title);
  write_sarif_message(json, "fullDescription", text);
  json.end_object();
}

}  // namespace fathom::report
