// A session: one program, put together once for whoever works on it - a command, and later a
// server or an editor.
//
// It holds the project, the reader, the modules that were read (library.h), the mocks, and
// makes machines that have all of them. Everything that is read or lowered is read and lowered
// once, and shared by all machines of the session; a file that changes on disk afterwards
// is seen by the next session. A machine must not outlive its session.
//
// A session prints nothing and ends nothing: what is wrong with the program is among the
// diagnostics, which the caller takes whenever it wants to show them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "machine/machine.h"
#include "session/library.h"
#include "syntax/project.h"
#include "syntax/reader.h"

namespace fathom::session {

struct SessionOptions {
  ProjectOptions project = {};
  std::vector<std::string> paths = {};   // files (.erl, .beam), directories, projects
  std::vector<std::string> mocks = {};   // files of modules that take the place of others
  Reading libraries = Reading::InParts;  // what an analysis looks at must be whole
};

// An expression, as a module with one function that returns its value.
struct Expression {
  machine::ModuleSource::Found code;
  Atom module;
  Atom function;

  void load_into(machine::Machine& m) const { m.code().load(code.unit, code.core); }
};

class Session {
 public:
  explicit Session(const SessionOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Project& project() { return project_; }
  Reader& reader() { return reader_; }
  Library& library() { return library_; }
  const SourceMap& sources() const { return reader_.sources(); }

  // What was found wrong since the last call.
  Diagnostics take_diagnostics();
  // What parse transforms wrote since the last call.
  std::string take_output() { return library_.take_output(); }

  // As in the shell; it may end with a full stop. Empty if it has errors, which are then
  // among the diagnostics.
  std::optional<Expression> read_expression(std::string_view text);

  // A machine that has the mocks. The construction of the session must not have found errors.
  std::unique_ptr<machine::Machine> make_machine(const machine::Limits& limits,
                                                 machine::Mode mode = {});

 private:
  void read_mocks(const std::vector<std::string>& paths, const ProjectOptions& options);
  void add_mock(const SourceModule& module);

  Reader reader_;
  Project project_;
  Library library_;
  std::vector<machine::ModuleSource::Found> mocks_;
};

}  // namespace fathom::session
