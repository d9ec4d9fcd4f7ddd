// The modules that machines run: those of the project first, then whatever the code path has.
//
// A module is read and lowered when a machine first asks for it; what was read is immutable,
// and shared by all machines that ask later. That a module cannot be read, or is not there, is
// remembered too. Parse transforms run on what was read in the same way.
//
// Modules of the project are read as a whole, others function by function (core/parts.h)
// unless somebody wants all of them.
#pragma once

#include <string>
#include <unordered_map>

#include "base/diagnostic.h"
#include "core/program.h"
#include "machine/machine.h"
#include "session/parse_transform.h"
#include "syntax/project.h"
#include "syntax/reader.h"

namespace fathom::session {

using machine::ModuleSource;

enum class Reading : uint8_t { InParts, Whole };

class Library : public ModuleSource {
 public:
  // Both must outlive it. `reading`: of modules that are not of the project.
  Library(Reader& reader, Project& project, Reading reading = Reading::InParts);

  // Adds a file, directory or project: its modules come before all others.
  void add(const std::string& path);

  Result<std::optional<Found>> find(Atom module) override;

  std::vector<Application> applications() override;
  std::string file_of(Atom module) override;
  Result<std::optional<Found>> find_in(const std::string& dir, Atom module) override;
  std::string root_dir() override { return project_.otp().root(); }
  uint32_t otp_release() override { return project_.otp().release(); }
  Result<Found> read_code(Atom file, std::string bytes) override;

  // Runs the parse transforms of a unit that was read from source. False if that has
  // errors.
  bool transform(Unit& unit, const CompileOptions& options, Diagnostics& diagnostics);

  // A module that is to stand in for another one of its name (CodeTable::load_mock).
  Result<Found> read_mock(const SourceModule& module);

  // A module from text that is in no file, under the name that it gives itself.
  Result<Found> from_text(const std::string& name, std::string text, Diagnostics& diagnostics);

  // A module of the project with another text, read with the same options. The library keeps its
  // own of that name.
  Result<Found> with_text(Atom module, std::string text, Diagnostics& diagnostics);

  // What parse transforms wrote since the last call.
  std::string take_output() { return transforms_.take_output(); }

  // The modules, and parts of modules, read so far, under one numbering of their nodes.
  const core::Program& program() const { return program_; }
  // How many files were read so far.
  size_t files_read() const { return files_.size(); }

  // What was found wrong in the modules read so far.
  Diagnostics diagnostics;

 private:
  // What parse transforms run on: as in the compiler, a module of the project does not
  // hide one that OTP's compiler itself consists of.
  struct TransformCode : ModuleSource {
    explicit TransformCode(Library& l) : library(l) {}
    Result<std::optional<Found>> find(Atom module) override;
    Library& library;
  };

  Result<std::optional<Found>> look_for(const std::string& name);
  // What a path is read with depends on the path alone (Project), so it is the key.
  Result<Found> read(const std::string& path, const CompileOptions& options, Reading reading);
  Result<Found> read_now(const std::string& path, const CompileOptions& options, Reading reading);
  Result<Found> read_whole(const std::string& path, const CompileOptions& options);
  void index_project();
  void run_suites();
  CompileOptions loose_options();  // of what belongs to no project
  Result<Found> lower_unit(std::unique_ptr<Unit> unit);

  Reader& reader_;
  Project& project_;
  Reading reading_;
  bool runs_suites_ = false;  // Common Test's modules are Fathom's own
  core::Program program_;
  TransformCode transform_code_{*this};
  ParseTransforms transforms_{transform_code_};
  std::unordered_map<std::string, SourceModule> own_;  // of the project, by name
  std::unordered_map<Atom, Result<std::optional<Found>>> modules_;
  std::unordered_map<std::string, Result<Found>> files_;  // by path
};

}  // namespace fathom::session
