// For tests of the machine at work: a machine that has a module from text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"
#include "machine_values.h"
#include "natives/families.h"
#include "session/library.h"

namespace fathom::machine {

class TestMachine {
 public:
  // `functions`: exported all, as module t.
  explicit TestMachine(std::string_view functions, Limits limits = {}, Mode mode = {})
      : library_(reader_, project_), machine_(library_, native_table(), limits, mode) {
    const std::string text = "-module(t). -compile(export_all).\n" + std::string(functions);
    Diagnostics diagnostics;
    auto found = library_.from_text("t.erl", text, diagnostics);
    EXPECT_TRUE(found) << (found ? "" : found.error().message);
    EXPECT_FALSE(diagnostics.has_errors());
    if (found) machine_.code().load(std::move(found->unit), std::move(found->core));
  }

  Machine& operator*() { return machine_; }
  Machine* operator->() { return &machine_; }

  // t:name() is what the first process is to do.
  Process& start(std::string_view name) {
    return machine_.start(Atom::intern("t"), Atom::intern(name), {});
  }
  std::string run(std::string_view name) {
    return shown(machine_.run(Atom::intern("t"), Atom::intern(name), {}));
  }

  static std::string shown(const Outcome& outcome) {
    switch (outcome.kind) {
      case Outcome::Kind::Value:
        return machine::shown(outcome.value);
      case Outcome::Kind::Exception:
        return machine::shown(outcome.exception_class) + ":" + machine::shown(outcome.value);
      case Outcome::Kind::Halt:
        return "halt";
      case Outcome::Kind::Unsupported:
      case Outcome::Kind::Limit:
      case Outcome::Kind::Deadlock:
        return outcome.message;
    }
    return "";
  }

 private:
  Reader reader_;
  Project project_{ProjectOptions::from_environment()};
  session::Library library_;
  Machine machine_;
};

// One that has started t:main(), to be searched.
inline std::shared_ptr<Machine> started(std::string_view functions) {
  const auto m = std::make_shared<TestMachine>(functions, Limits{}, kSearchMode);
  m->start("main");
  return {m, &**m};
}

}  // namespace fathom::machine
