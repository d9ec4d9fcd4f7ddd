#include "testing/find_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::testing {
namespace {

constexpr std::string_view kTestSuffix = "_test";
constexpr std::string_view kGeneratorSuffix = "_test_";
constexpr std::string_view kModuleSuffix = "_tests";
constexpr std::string_view kSuiteSuffix = "_SUITE";

std::string module_name(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

std::vector<TestFunction> test_functions(const core::Module& module, const Filter& filter) {
  std::vector<TestFunction> tests;
  for (const core::Function& f : module.functions) {
    const std::string_view name = f.name.text();
    const bool is_generator = is_generator_name(name);
    if (!f.exported || f.arity != 0 || !is_test_name(name)) continue;
    if (filter.wants_function(module.name().text(), name) ||
        (is_generator && filter.may_want_titles())) {
      tests.push_back({f.name, is_generator});
    }
  }
  return tests;
}

bool is_suite(const core::Module& module) {
  if (!module.name().text().ends_with(kSuiteSuffix)) return false;
  const auto is_all = [](const core::Function& f) {
    return f.exported && f.arity == 0 && f.name.text() == "all";
  };
  return std::any_of(module.functions.begin(), module.functions.end(), is_all);
}

// Of eunit_tests in a rebar.config. A module brings that of its tests.
bool is_meant(const EunitTarget& target, const SourceModule& module, std::string_view function) {
  if (!target.application.empty()) return module.app == target.application;
  if (!target.dir.empty()) {
    return ("/" + module.path).find("/" + target.dir + "/") != std::string::npos;
  }
  const std::string name = module_name(module.path);
  if (!target.function.empty()) return name == target.module && function == target.function;
  return name == target.module || name == target.module + std::string(kModuleSuffix);
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

bool is_test_name(std::string_view function) {
  return function.ends_with(kTestSuffix) || is_generator_name(function);
}

FoundTests find_tests(session::Session& session, const Filter& filter) {
  FoundTests tests;
  // What is asked for on the command line counts more than what a configuration asks for.
  const std::vector<EunitTarget> targets =
      filter.empty() ? session.project().eunit_tests() : std::vector<EunitTarget>();
  session::Library& library = session.library();
  for (const SourceModule& source : candidates(session.project(), library.diagnostics)) {
    const Atom name = Atom::intern(module_name(source.path));
    const auto found = library.find(name);
    if (!found || !*found) {
      tests.broken.push_back(source.path);
      continue;
    }
    std::vector<TestFunction> functions = test_functions(*(*found)->core, filter);
    std::erase_if(functions, [&](const TestFunction& f) {
      const auto wants = [&](const EunitTarget& target) {
        return is_meant(target, source, f.name.text());
      };
      return !targets.empty() && std::none_of(targets.begin(), targets.end(), wants);
    });
    if (!functions.empty()) {
      tests.modules.push_back({name, source.path, std::move(functions)});
    }
    if (is_suite(*(*found)->core)) tests.modules.push_back({name, source.path, {}, true});
  }
  return tests;
}

}  // namespace fathom::testing
