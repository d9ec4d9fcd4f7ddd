// From the PATHs of a command line to the modules to read, each with the options
// to read it under.
//
// A PATH is
//   - an .erl or a .beam file;
//   - the root of a project: a directory with a rebar.config, an Emakefile or an erlang.mk, with
//     applications in apps/*, with sources in src, or one that is itself an application (see
//     app_dir.h). Its modules are
//     the sources of its applications; with tests wanted, also those in the extra
//     source directories. An application without sources gives its .beam files;
//   - any other directory: all .erl files below it, or else all .beam files. Files
//     and directories that begin with a dot and directories called _build are
//     passed over. A directory that links lead to twice is visited once.
//
// However a file was come by, its options are those of where it lies: the
// innermost application directory around it, and the outermost project that has
// this application (as its own, as a checkout, as a dependency). `fathom parse
// src/foo.erl` therefore sees the headers and macros that rebar3 would show it. A
// file in no application gets the options of the nearest project root above it,
// and where there is none, what erlc would give it.
//
// The include path, in order: the project's root (or the current directory, which
// erlc searches too), -I, the {i,_} of erl_opts, the application's source
// directories, its include, the application itself. A relative {i,_} starts at
// the project's root, as in rebar3, or, where there is no such directory, at the
// application.
//
// Paths in options are relative to the current directory where they lie below it,
// else absolute. Modules are called by the PATH that led to them, come in the
// order of the PATHs and, within one, sorted; no file comes twice.
//
// Cost: for each directory with modules, a look at the directories above it, each
// of which is looked at once in a run. Not honoured of rebar3: see
// rebar_config.h; plugins and hooks; generated sources (.yrl, .xrl,
// .asn1, .proto) count when they have been generated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/library_path.h"
#include "syntax/otp.h"
#include "syntax/reader.h"
#include "syntax/rebar_config.h"

namespace fathom {

struct ProjectOptions {
  std::vector<std::string> include_dirs;  // -I
  std::vector<MacroDefinition> macros;    // -D; they win over the project's
  CodePathOptions code_path;              // -pa, -pz, ERL_LIBS
  OtpSearch otp;
  bool tests = false;  // also read the tests, with TEST and EUNIT defined
  ScriptRunner run_script = {};
  // Files are read with -I and -D alone, as erlc reads them, wherever they lie.
  bool ignore_projects = false;

  // With ERL_LIBS and the search for OTP as this process's environment has them.
  static ProjectOptions from_environment();
};

struct CompileOptions : ReadOptions {
  std::vector<std::string> parse_transforms;  // of erl_opts, in order
};

struct SourceModule {
  std::string path;                               // ends in .erl or .beam
  std::shared_ptr<const CompileOptions> options;  // shared by an application's modules
  bool is_test = false;  // lies in an extra source directory (test, by default)
  std::string app;       // "" if it belongs to no application
};

// The options of its modules refer to its code paths: it must outlive their use.
class Project {
 public:
  explicit Project(ProjectOptions options);
  ~Project();

  // Adds the modules of one PATH. Errors: no such file, a directory that cannot be
  // read or holds no module, a rebar.config that cannot be understood.
  void add(const std::string& path, Diagnostics& diagnostics);

  const std::vector<SourceModule>& modules() const { return modules_; }
  // A module that was not added: of the projects that were (their other applications,
  // what they depend on; with tests wanted, the extra source directories), else of the
  // code path, else a source beside one that was added and belongs to no project.
  std::optional<SourceModule> find_module(const std::string& name, Diagnostics& diagnostics);
  // The applications of the projects that modules were added of, and those of the code
  // path.
  std::vector<AppDir> applications();
  const OtpInstallation& otp() const { return *otp_; }
  // For what belongs to no project: the libraries of OTP, ERL_LIBS, -pa and -pz.
  CodePath& code_path();
  // Dependencies that the projects seen so far name and nobody has (rebar3 was not
  // run yet): the likely reason for an -include_lib that finds nothing.
  std::vector<std::string> missing_dependencies();
  // Roots of projects whose configuration has commands for rebar3 to run before it compiles: the
  // likely reason for a header or a module that is not there.
  std::vector<std::string> roots_with_hooks() const;
  // What the projects of the modules want to have tested with EUnit; empty: everything.
  std::vector<EunitTarget> eunit_tests() const;

 private:
  struct Application;
  struct Workspace;
  struct Home {  // of a file
    Workspace* workspace = nullptr;
    Application* application = nullptr;
  };
  class FileWalk;

  Workspace* workspace_at(const std::string& dir);
  std::unique_ptr<Workspace> open_workspace(const std::string& root, bool configured);
  void find_applications(Workspace& workspace, bool configured);
  std::string shown(const std::string& absolute) const;
  std::string find_test_module(const Workspace& workspace, const std::string& name) const;
  std::string find_neighbour(const std::string& name) const;
  const Home& home_of(const std::string& dir);
  void prepare(Home home, Diagnostics& diagnostics);
  std::shared_ptr<CompileOptions> make_options(Workspace& workspace, const Application& app);

  void add_file(const std::string& path, Diagnostics& diagnostics);
  void add_tree(const std::string& path, Diagnostics& diagnostics);
  void add_project(const std::string& path, Workspace& workspace, Diagnostics& diagnostics);
  void add_applications(const std::string& path, const std::string& absolute, Workspace& workspace,
                        const std::vector<Application*>& apps, Diagnostics& diagnostics);
  void add_module(const std::string& path, Home home, Diagnostics& diagnostics);

  ProjectOptions options_;
  std::shared_ptr<const OtpInstallation> otp_;
  std::string current_dir_;
  std::unique_ptr<Workspace> loose_;
  // By absolute directory; null where that is not a project's root.
  std::unordered_map<std::string, std::unique_ptr<Workspace>> workspaces_;
  std::vector<const Workspace*> used_;   // to which modules belong
  std::vector<std::string> loose_dirs_;  // of modules that belong to none
  std::unordered_map<std::string, Home> homes_;
  std::unordered_set<std::string> added_;  // absolute
  std::vector<SourceModule> modules_;
};

// What follows -D: NAME or NAME=VALUE.
MacroDefinition parse_macro_argument(std::string_view argument);

}  // namespace fathom
