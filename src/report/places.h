// Places of the program in reports.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/place.h"
#include "base/source.h"
#include "machine/frame.h"

namespace fathom::report {

// The file in which the text stands: a header, if it is there.
std::string place_file(const Place& place, const SourceMap& sources);
// "file:line:column", as much of it as is known; empty: nothing is.
std::string place_text(const Place& place, const SourceMap& sources);
// As much of the place's line as fits the width, without the blanks around it, and so that the
// place itself is in it; empty where there is no text.
std::string source_excerpt(const Place& place, const SourceMap& sources, size_t width);

// A message about the place, to be rendered with the line and a caret.
Diagnostic diagnostic_at(const Place& place, Severity severity, std::string message);

// The fields "file", "line", … of an object under that key (docs/json.md). Nothing at all if
// there is no place.
void write_location(JsonWriter& json, const Place& place, const SourceMap& sources,
                    std::string_view key = "location");
// A row of objects under "stack".
void write_stack(JsonWriter& json, const std::vector<machine::Frame>& stack);

}  // namespace fathom::report
