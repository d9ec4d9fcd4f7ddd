// A text with its headers, read: the forms, and the messages in short lines.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "syntax/reader.h"

namespace fathom {

// 1:2-3:4, or "none".
inline std::string shown(const SourceMap& sources, Span span) {
  if (!span.begin) return "none";
  const LineColumn begin = sources.line_column(span.begin);
  const LineColumn end = sources.line_column(span.end);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

struct ReadText {
  std::unique_ptr<Reader> reader;
  Unit unit;
  // "line:column message" each, with the file's name if that is not the text; warnings
  // start with "warning ".
  std::string errors;
};

inline ReadText read_text(std::string text, const ReadOptions& options = {},
                          std::map<std::string, std::string> headers = {}) {
  auto reader = std::make_unique<Reader>();
  reader->read_headers_from([&headers](const std::string& path) -> std::optional<std::string> {
    const auto at = headers.find(path);
    return at == headers.end() ? std::nullopt : std::optional(at->second);
  });
  Unit unit = reader->make_unit();
  Diagnostics diagnostics;
  reader->read_text("test.erl", std::move(text), options, unit, diagnostics);
  reader->read_headers_from({});
  std::string errors;
  for (const Diagnostic& d : diagnostics.all()) {
    if (!errors.empty()) errors += '\n';
    if (d.severity == Severity::Warning) errors += "warning ";
    if (d.span.begin) {
      const SourceMap& sources = reader->sources();
      const std::string_view file = sources.name(sources.file_of(d.span.begin));
      const LineColumn at = sources.line_column(d.span.begin);
      if (file != "test.erl") errors += fmt::format("{}:", file);
      errors += fmt::format("{}:{} ", at.line, at.column);
    }
    errors += d.message;
  }
  return {std::move(reader), std::move(unit), std::move(errors)};
}

}  // namespace fathom
