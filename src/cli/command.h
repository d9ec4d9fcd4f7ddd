// What the commands have in common. A command is a function that adds itself to
// the command line and, when chosen, returns the exit code:
// 0 clean, 1 could not run, 2 findings.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "command_line.h"
#include "session/session.h"

namespace fathom {

enum ExitCode : int { kClean = 0, kCouldNotRun = 1, kFindings = 2 };

// Options that every command understands.
struct CommonOptions {
  std::string format = "text";
  std::string output;          // empty: stdout
  std::string color = "auto";  // of messages
  bool quiet = false;

  // The source options: -I, -D, -pa, -pz, --otp.
  std::vector<std::string> include_dirs;
  std::vector<std::string> macros;
  std::vector<std::string> first_code_dirs;
  std::vector<std::string> last_code_dirs;
  std::string otp_root;
  uint32_t otp_release = 0;  // 0: that of the installed OTP
  bool tests = false;
  bool no_project = false;

  void add_to(Command& command, const std::vector<std::string>& formats);
  // Without paths and mocks, which not every command has.
  session::SessionOptions session_options() const;
};

// The paths or, if there are none, the project around the current directory: a rebar.config,
// erlang.mk or Emakefile here or above, or a folder `src` here. Empty: there is none.
std::vector<std::string> or_project_here(const std::vector<std::string>& paths);
inline constexpr std::string_view kNoProject =
    "no PATH is given, and there is no project around this folder (rebar.config, erlang.mk, "
    "Emakefile, or a folder src)";

// Where a command's result goes. Buffered; a failure to write is an error in the
// end, not a silently short file.
class Output {
 public:
  Output() = default;
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  // stdout if the path is empty.
  Result<void> open(const std::string& path);
  void write(std::string_view text);
  Result<void> close();

 private:
  FILE* file_ = nullptr;
  std::string path_;
  bool failed_ = false;
};

// Messages on stderr.
class Messages {
 public:
  explicit Messages(const CommonOptions& options);
  void print(Diagnostics& diagnostics, const SourceMap& sources);
  // What a session has found wrong since it was last asked. False if there were errors.
  bool print_new(session::Session& session);
  // What may be the reason that modules could not be read.
  void explain_missing(session::Session& session);
  void error(std::string_view text);
  void note(std::string_view text);       // not with --quiet
  void text(std::string_view text);       // as it is
  void note_text(std::string_view text);  // as it is, and not with --quiet

 private:
  bool color_;
  bool quiet_;
};

// Ends the process with what the command has come to, and everything that it holds as it is:
// the system takes back at once what would be taken apart piece by piece, after a long search
// for as long as a limit of time may be exceeded. All results must have been written.
[[noreturn]] void end_command(int exit_code);

void add_parse_command(CommandLine& command_line);
void add_check_command(CommandLine& command_line);
void add_run_command(CommandLine& command_line);
void add_test_command(CommandLine& command_line);
void add_natives_command(CommandLine& command_line);
void add_graph_command(CommandLine& command_line);
void add_slice_command(CommandLine& command_line);
void add_cover_command(CommandLine& command_line);
void add_gen_command(CommandLine& command_line);

}  // namespace fathom
