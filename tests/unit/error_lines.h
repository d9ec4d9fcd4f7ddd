// Errors as tests compare them: "line:column message" each, notes below them, indented.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/diagnostic.h"
#include "base/source.h"

namespace fathom {

inline std::string error_lines(Diagnostics& diagnostics, const SourceMap& sources) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity != Severity::Error) continue;
    const LineColumn at = sources.line_column(d.span.begin);
    out += fmt::format("{}{}:{} {}", out.empty() ? "" : "\n", at.line, at.column, d.message);
    for (const Diagnostic& note : d.notes) {
      const LineColumn place = sources.line_column(note.span.begin);
      out += fmt::format("\n  {}:{} {}", place.line, place.column, note.message);
    }
  }
  return out;
}

}  // namespace fathom
