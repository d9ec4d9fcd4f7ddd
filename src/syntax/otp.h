// The installed Erlang/OTP: where it lies, which release it is, which libraries
// it has. Found by looking, without starting it: a start of the emulator takes
// longer than Fathom takes to read a hundred modules.
//
// The search, first hit counts:
//   1. what the user said (an option, or FATHOM_OTP_ROOT): then nothing else is
//      tried, for a silent fallback to another release would be worse than none;
//   2. each `erl` on PATH, with links resolved: the directory above its own (or
//      lib/erlang beside it), or the ROOTDIR that the start script names. Covers
//      make install, Debian, kerl and what asdf and mise install;
//   3. an `erl` that is none of these is a version manager's shim: only the
//      manager knows what it stands for, so it is run once, with a time limit;
//   4. the usual prefixes.
//
// A directory is an OTP if it has `lib` and either `releases` (installed) or
// OTP_VERSION (built in its source tree).
//
// No OTP is not a failure: Fathom reads modules without one, and takes the newest
// release it knows. `problem` then says what was searched.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "syntax/app_dir.h"

namespace fathom {

inline constexpr uint32_t kDefaultOtpRelease = 28;

struct OtpSearch {
  std::string root;                   // step 1; empty: go on searching
  std::string path;                   // PATH
  std::vector<std::string> prefixes;  // step 4
  // Step 3; 0: never run anything.
  uint32_t run_limit_ms = 10'000;

  static OtpSearch from_environment();
};

class OtpInstallation {
 public:
  static OtpInstallation find(const OtpSearch& search);

  bool found() const { return !root_.empty(); }
  // Why there is none, in words for the user; empty if there is one.
  const std::string& problem() const { return problem_; }

  const std::string& root() const { return root_; }
  std::string lib_dir() const { return path_in(root_, "lib"); }
  uint32_t release() const { return release_; }
  const std::string& version() const { return version_; }  // "25.2.3"
  // What rebar3 matches platform_define against: "25.2.3-x86_64-pc-linux-gnu-64".
  std::string platform() const;

  // The newest version of each library, in the order of the code path (see
  // libraries_in). The directory is listed on the first call.
  const std::vector<AppDir>& libraries() const;

 private:
  std::string root_;
  std::string problem_;
  uint32_t release_ = kDefaultOtpRelease;
  std::string version_ = std::to_string(kDefaultOtpRelease);
  mutable std::shared_ptr<const std::vector<AppDir>> libraries_;
};

}  // namespace fathom
