#include "testing/find_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::testing {
namespace {

constexpr std::string_view kTestSuffix = "_test";
constexpr std::string_view kGeneratorSuffix = "_test_";
constexpr std::string_view kModuleSuffix = "_tests";

std::string module_name(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::vector<TestFunction> test_functions(const core::Module& module, const Filter& filter) {
  std::vector<TestFunction> tests;
  for (const core::Function& f : module.functions) {
    const std::string_view name = f.name.text();
    const bool is_generator = is_generator_name(name);
    if (!f.exported || f.arity != 0 || !(is_generator || name.ends_with(kTestSuffix))) continue;
    if (filter.wants_function(module.name().text(), name) ||
        (is_generator && filter.may_want_titles())) {
      tests.push_back({f.name, is_generator});
    }
  }
  return tests;
}

// In the order of the command line; modules of tests that nobody named after those that
// they belong to.
std::vector<SourceModule> candidates(Project& project, Diagnostics& diagnostics) {
  std::vector<SourceModule> all;
  std::vector<std::string> names;
  const auto has = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const SourceModule& module : project.modules()) names.push_back(module_name(module.path));
  all.reserve(names.size());
  for (const SourceModule& module : project.modules()) {
    all.push_back(module);
    const std::string name = module_name(module.path);
    const std::string tests = name + std::string(kModuleSuffix);
    if (name.ends_with(kModuleSuffix) || has(tests)) continue;
    if (auto found = project.find_module(tests, diagnostics)) {
      names.push_back(tests);
      all.push_back(std::move(*found));
    }
  }
  return all;
}

}  // namespace

bool is_generator_name(std::string_view function) { return function.ends_with(kGeneratorSuffix); }

FoundTests find_tests(session::Session& session, const Filter& filter) {
  FoundTests tests;
  session::Library& library = session.library();
  for (const SourceModule& source : candidates(session.project(), library.diagnostics)) {
    const Atom name = Atom::intern(module_name(source.path));
    const auto found = library.find(name);
    if (!found || !*found) {
      tests.broken.push_back(source.path);
      continue;
    }
    std::vector<TestFunction> functions = test_functions(*(*found)->core, filter);
    if (!functions.empty()) tests.modules.push_back({name, source.path, std::move(functions)});
  }
  return tests;
}

}  // namespace fathom::testing
