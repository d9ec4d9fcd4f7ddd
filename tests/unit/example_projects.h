// The example projects with their tests, for tests that run all of them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "session/library.h"

namespace fathom {

struct Example {
  std::string_view name;
  std::string_view tests;  // a list of EUnit's tests
};
inline constexpr Example kExamples[] = {
    {"cache", "[cache_tests:cache_test_()]"},
    {"handshake", "[handshake_tests:lossy_test_(), handshake_tests:nobody_answers_test_()]"},
    {"pipeline", "[pipeline_tests:pipeline_test_()]"},
    {"pool", "[pool_tests:pool_test_(), pool_tests:size_test_()]"},
    {"registry", "[registry_tests:registry_test_()]"},
};

// Runs tests of EUnit one after another.
inline constexpr std::string_view kRunner = R"(-module(call). -export([test/0]).
test() -> run({}).
run([]) -> ok;
run([Test | Tests]) -> run(Test), run(Tests);
run({{foreach, Start, Stop, Tests}}) -> [run({{setup, Start, Stop, T}}) || T <- Tests];
run({{setup, Start, Stop, Tests}}) ->
    Value = Start(),
    try run(instance(Tests, Value)) after Stop(Value) end;
run({{setup, Start, Tests}}) -> run(instance(Tests, Start()));
run({{spawn, Tests}}) -> run(Tests);
run({{inorder, Tests}}) -> run(Tests);
run({{timeout, _, Tests}}) -> run(Tests);
run({{Line, Test}}) when is_integer(Line) -> run(Test);
run({{_, Line, Test}}) when is_integer(Line) -> run(Test);
run({{_, Test}}) -> run(Test);
run(Test) when is_function(Test, 0) -> catch Test();
run(_) -> ok.
instance(Tests, Value) when is_function(Tests, 1) -> Tests(Value);
instance(Tests, _) -> Tests.
)";

// Adds the modules of a folder; their names.
inline std::vector<Atom> add_modules(session::Library& library,
                                     const std::filesystem::path& project) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(project)) {
    if (entry.path().extension() == ".erl") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<Atom> names;
  for (const std::string& path : paths) {
    library.add(path);
    names.push_back(Atom::intern(std::filesystem::path(path).stem().string()));
  }
  return names;
}

}  // namespace fathom
