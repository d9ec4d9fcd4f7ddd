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
// Only data is read. A rebar.config.script is a program, and gets a warning that
// it was not run. platform_define's regular expressions are PCRE in rebar3 and
// ECMAScript here: alike in all that such expressions are made of (classes,
// groups, anchors, lookahead); one that is not understood gets a warning.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/reader.h"

namespace fathom {

struct SourceDir {
  std::string path;  // relative to the application
  bool recursive = true;

  bool operator==(const SourceDir&) const = default;
};

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
  std::vector<std::string> deps;  // names
  std::string base_dir;           // empty: "_build"
  std::string checkouts_dir;      // empty: "_checkouts"

  // What could not be honoured. Not yet reported to anyone: a configuration may
  // be read only to see whether a file belongs to it.
  std::vector<Diagnostic> problems;

  // Adds what `upper`, which takes precedence, says.
  void overlay(const RebarConfig& upper);
  void prepare_tests();
  std::vector<std::string> src_dir_names() const;  // with the default
};

struct RebarProfile {
  bool tests = false;
  std::string platform;  // see OtpInstallation::platform
};

// Reads DIR/rebar.config; an empty configuration if there is none.
RebarConfig read_rebar_config(const std::string& dir, const RebarProfile& profile);

// Later definitions replace earlier ones of the same name, in their place.
void add_macro(std::vector<MacroDefinition>& macros, MacroDefinition macro);

}  // namespace fathom
