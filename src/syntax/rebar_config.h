// What a rebar.config says about reading the sources: the part of rebar3's
// options that decides which files belong to an application and how their
// preprocessor sees the world. Merged as rebar3 (3.2x) merges:
//   default profile < test profile < eunit_compile_opts
// and, with overlay(), the project's root < an application's own file. Of two
// definitions of one macro the later counts (rebar3 would refuse them).
//
// Where tests are wanted, TEST and EUNIT are defined, and the directory `test` is
// an extra source directory, not searched recursively, unless a file says
// otherwise: what `rebar3 eunit` does. prepare_tests() adds this, last.
//
// A rebar.config.script is a program: whoever reads may give something that runs it; else, and
// where it fails, it gets a warning that it was not run. What overrides say of other applications
// is kept, for their configurations to be changed by it. platform_define's regular expressions are
// PCRE in rebar3 and ECMAScript here: alike in all that such expressions are made of (classes,
// groups, anchors, lookahead); one that is not understood gets a warning.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "syntax/reader.h"

namespace fathom {

struct SourceDir {
  std::string path;  // relative to the application
  bool recursive = true;

  bool operator==(const SourceDir&) const = default;
};

// One of eunit_tests: the tests of a module, a function of one, or those of an application or a
// directory. What is empty is not asked for.
struct EunitTarget {
  std::string module;
  std::string function;
  std::string application;
  std::string dir;

  bool operator==(const EunitTarget&) const = default;
};

struct RebarOverride;

struct RebarConfig {
  std::vector<std::string> include_dirs;  // {i, D}, as written
  std::vector<MacroDefinition> macros;
  std::vector<std::string> parse_transforms;
  // Empty: "src", and none.
  std::vector<SourceDir> src_dirs;
  std::vector<SourceDir> extra_src_dirs;
  // Empty: "apps/*", "lib/*" and ".".
  std::vector<std::string> project_app_dirs;
  std::vector<std::string> excluded_apps;
  std::vector<std::string> deps;         // names
  std::string base_dir;                  // empty: "_build"
  std::string checkouts_dir;             // empty: "_checkouts"
  std::vector<EunitTarget> eunit_tests;  // empty: all
  std::vector<RebarOverride> overrides;
  std::string application;  // that erlang.mk builds; empty: its resource file tells
  bool has_hooks = false;   // commands that rebar3 runs before it compiles

  // What could not be honoured. Not yet reported to anyone: a configuration may
  // be read only to see whether a file belongs to it.
  std::vector<Diagnostic> problems;

  // Adds what `upper`, which takes precedence, says.
  void overlay(const RebarConfig& upper);
  // What the override says of an application's own configuration.
  void apply(const RebarOverride& change);
  void prepare_tests();
  std::vector<std::string> src_dir_names() const;  // with the default
};

// {add | del | override, App, Config}; without App: of all other applications.
struct RebarOverride {
  enum class Kind : uint8_t { Add, Delete, Override };
  Kind kind = Kind::Add;
  std::string application;
  RebarConfig config;
};

// Runs a rebar.config.script: the text of the terms that it evaluates to.
using ScriptRunner = std::function<Result<std::string>(const std::string& script)>;

struct RebarProfile {
  bool tests = false;
  std::string platform;  // see OtpInstallation::platform
  ScriptRunner run_script = {};
};

// Reads DIR/rebar.config; an empty configuration if there is none.
RebarConfig read_rebar_config(const std::string& dir, const RebarProfile& profile);

// The same of a project that has none: what its Emakefile or, with erlang.mk, its Makefile says
// (options of the compiler; an Emakefile's directories).
RebarConfig read_make_config(const std::string& dir, const RebarProfile& profile);

// Later definitions replace earlier ones of the same name, in their place.
void add_macro(std::vector<MacroDefinition>& macros, MacroDefinition macro);

}  // namespace fathom
