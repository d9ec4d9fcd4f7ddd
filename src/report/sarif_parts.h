// What reports in SARIF 2.1.0 (OASIS) have in common.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/place.h"
#include "base/source.h"

namespace fathom::report {

inline constexpr std::string_view kSarifSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// An object with the text under that key. In a message of SARIF, {0} stands for an argument, so
// braces are doubled.
void write_sarif_message(JsonWriter& json, std::string_view key, std::string_view text);
// A location, with a message if there is one. Without a place it has only that.
void write_sarif_location(JsonWriter& json, const Place& place, const SourceMap& sources,
                          std::string_view message);
void write_sarif_notification(JsonWriter& json, std::string_view level, std::string_view text);
// One of the rules of a tool.
void write_sarif_rule(JsonWriter& json, std::string_view id, std::string_view title,
                      std::string_view text);

}  // namespace fathom::report
