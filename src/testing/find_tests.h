// Which EUnit tests the modules of a project have: the exported functions NAME_test/0 and
// the generators NAME_test_/0, in the order of the source. A module that was asked for
// brings the module of its tests, MODULE_tests, if the project has one.
//
// Cost: every module is read and lowered, once for all machines that run it later.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "session/library.h"
#include "testing/filter.h"

namespace fathom::testing {

// The modules of a library, each read once however many machines ask for it.
class ModuleCache : public machine::ModuleSource {
 public:
  explicit ModuleCache(session::Library& library) : library_(library) {}
  Result<std::optional<Found>> find(Atom module) override;
  std::vector<Application> applications() override { return library_.applications(); }
  std::string file_of(Atom module) override { return library_.file_of(module); }
  Result<std::optional<Found>> find_in(const std::string& dir, Atom module) override {
    return library_.find_in(dir, module);
  }
  std::string root_dir() override { return library_.root_dir(); }

 private:
  session::Library& library_;
  std::unordered_map<Atom, Result<std::optional<Found>>> found_;
};

struct TestFunction {
  Atom name;
  bool is_generator = false;
};

struct TestModule {
  Atom name;
  std::string path;
  std::vector<TestFunction> functions;  // those that the filter may want
};

struct FoundTests {
  std::vector<TestModule> modules;  // with at least one test
  std::vector<std::string> broken;  // paths of those that cannot be read
};

FoundTests find_tests(Project& project, ModuleCache& modules, const Filter& filter,
                      Diagnostics& diagnostics);

}  // namespace fathom::testing
