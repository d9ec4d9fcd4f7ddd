// What fathom gen has found, in its formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "generate/options.h"

namespace fathom::report {

struct GeneratedFunction {
  generate::GenerateOptions options;
  generate::Suite suite;
};

struct GeneratedSuites {
  std::vector<GeneratedFunction> functions;
  std::vector<std::string> errors;  // functions for which nothing could be done
  double seconds = 0;
  size_t existing_tests = 0;  // that were run before (--complete)
  size_t existing_failed = 0;
};

// `clean`: everything is covered, or what is not is unreachable within the bounds; `bug`:
// exceptions were asked for and found; else `unknown`.
std::string gen_verdict(const GeneratedSuites& suites);

// How a module of tests begins, by which one knows that it may be written anew.
inline constexpr std::string_view kGeneratedHeader = "%% Made by fathom gen";

std::string gen_text(const GeneratedSuites& suites, const SourceMap& sources);
std::string gen_json(const GeneratedSuites& suites, const SourceMap& sources);
// A module of that name with the tests of all functions.
std::string gen_eunit(const GeneratedSuites& suites, const std::string& module,
                      const SourceMap& sources);

}  // namespace fathom::report
