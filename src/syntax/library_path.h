// The code path: which directory is the application `foo`, as code:lib_dir/1
// would say, and which file holds the module `m`.
//
// A path is a list of applications; where two have one name, the first counts.
// In OTP's order, with a project's applications put where rebar3 puts them:
//   -pa             the last one given comes first, as in erl
//   the project     its own applications (apps/*), checkouts, dependencies
//   kernel, stdlib  of OTP: the boot script puts them before ERL_LIBS
//   ERL_LIBS        in order; of each entry the newest version of each library
//   OTP             the newest version of each library
//   -pz             in order
// A directory given to -pa counts if it exists; .../foo-1.2/ebin makes foo the
// directory above, any other directory is itself the library of its name. The
// current directory, which is on erl's path too, names no library there.
//
// Nothing is looked at before the first question. Modules are indexed application by
// application (one listing for each ebin and src), until the one that is asked for is found:
// most programs need those of kernel and stdlib only, and of erts, which come next, since
// nothing behind them can replace a preloaded module. Not done: archives (.ez), and changes
// on disk after the first question.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "syntax/app_dir.h"
#include "syntax/otp.h"
#include "syntax/reader.h"

namespace fathom {

struct CodePathOptions {
  std::vector<std::string> first;  // -pa, in the order of the command line
  std::vector<std::string> last;   // -pz
  std::string erl_libs;            // directories separated by colons
};

class CodePath final : public LibraryPath {
 public:
  CodePath(CodePathOptions options, std::shared_ptr<const OtpInstallation> otp,
           std::vector<AppDir> project = {});

  // "" if there is no such application.
  std::string library_dir(const std::string& application) override;

  // The file that has the module: ebin/NAME.beam of the first application that
  // has it, or NAME.erl in or below its src where it is not compiled. "" if none.
  std::string find_module(const std::string& module);

  // The whole path, names repeated where they are.
  const std::vector<AppDir>& applications();

 private:
  void scan();
  void index(const AppDir& app);

  CodePathOptions options_;
  std::shared_ptr<const OtpInstallation> otp_;
  std::vector<AppDir> project_;
  bool scanned_ = false;
  std::vector<AppDir> path_;
  std::unordered_map<std::string, std::string> dirs_;
  std::vector<AppDir> index_order_;
  size_t indexed_ = 0;  // so many of those
  std::unordered_map<std::string, std::string> modules_;
};

}  // namespace fathom
