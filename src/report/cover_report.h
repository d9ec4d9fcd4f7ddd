// Reports of coverage: a table on a terminal, JSON (docs/json.md), and what other tools read:
// LCOV's tracefile and Cobertura's XML.
//
// LCOV and Cobertura know lines, functions and branches: what they are told is the criteria of
// these names. A line's branches are its items of `branch`; those with the same place and construct
// form a block.
#pragma once

#include <map>
#include <string>

#include "base/json.h"
#include "cover/coverage.h"

namespace fathom::report {

struct CoverTextOptions {
  bool color = false;
  bool verbose = false;  // name what is missing
};

std::string cover_text(const cover::Coverage& coverage, const CoverTextOptions& options);

// The value of "coverage": totals by criterion, and "modules".
void write_coverage(JsonWriter& json, const cover::Coverage& coverage);

std::string lcov(const cover::Coverage& coverage);
std::string cobertura(const cover::Coverage& coverage, int64_t timestamp, std::string_view version);

// Which tests are enough, and what each one adds: as text, and the value of "suite".
std::string suite_text(const cover::Coverage& coverage);
void write_suite(JsonWriter& json, const cover::Coverage& coverage);

// What is covered in one and not in the other, by criterion and place; empty: nothing differs.
std::string cover_changes_text(const cover::Coverage& now, const cover::Coverage& before);

}  // namespace fathom::report
