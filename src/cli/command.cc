#include "command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "option_values.h"
#include "syntax/app_dir.h"

namespace fathom {

void CommonOptions::add_to(Command& command, const std::vector<std::string>& formats) {
  command.begin_group("Program");
  command.add_option("-I", include_dirs, "Add DIR to the include path")
      .value_name("DIR")
      .one_value();
  command.add_option("-D", macros, "Define a macro; its value is a term, `true` if there is none")
      .value_name("NAME[=VALUE]")
      .check(macro_fault)
      .one_value();
  command.add_option("--pa", first_code_dirs, "Add DIR to the front of the code path (also -pa)")
      .value_name("DIR")
      .one_value();
  command.add_option("--pz", last_code_dirs, "Add DIR to the end of the code path (also -pz)")
      .value_name("DIR")
      .one_value();
  command.add_flag("--tests", tests, "Read a project's tests too, with TEST defined");
  command.add_flag("--no-project", no_project,
                   "Read files with -I and -D alone, as erlc does, wherever they lie");
  command.add_option("--otp", otp_root, "The Erlang/OTP to use, if not the one on PATH")
      .value_name("DIR")
      .check(otp_fault);
  command.add_option("--otp-release", otp_release, "Read the language of this release of OTP")
      .value_name("N")
      .between(17, 99);
  command.begin_group("Output");
  command.add_option("--format", format, "How to show the result").one_of(formats).with_default();
  command.add_option("-o,--output", output, "Write the result to FILE instead of stdout")
      .value_name("FILE");
  command.add_option("--color", color, "Color messages")
      .one_of({"auto", "always", "never"})
      .with_default();
  command.add_flag("--quiet", quiet, "Print errors and the result only");
}

session::SessionOptions CommonOptions::session_options() const {
  session::SessionOptions result;
  ProjectOptions& options = result.project;
  options = ProjectOptions::from_environment();
  options.include_dirs = include_dirs;
  for (const std::string& macro : macros) options.macros.push_back(parse_macro_argument(macro));
  options.code_path.first = first_code_dirs;
  options.code_path.last = last_code_dirs;
  options.tests = tests;
  options.ignore_projects = no_project;
  if (!otp_root.empty()) options.otp.root = otp_root;
  return result;
}

std::vector<std::string> or_project_here(const std::vector<std::string>& paths) {
  if (!paths.empty()) return paths;
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::path up = ".";
  for (fs::path at = fs::current_path(ignored); !ignored; at = at.parent_path()) {
    for (const char* file : {"rebar.config", "erlang.mk", "Emakefile"}) {
      if (fs::exists(at / file, ignored)) return {up.string()};
    }
    if (at == at.parent_path()) break;
    up = up == "." ? fs::path("..") : up / "..";
  }
  if (fs::is_directory("src", ignored) || app_at(".")) return {"."};
  return {};
}

Output::~Output() {
  if (file_ && file_ != stdout) std::fclose(file_);
}

Result<void> Output::open(const std::string& path) {
  path_ = path.empty() ? "standard output" : path;
  file_ = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (!file_) return Error{fmt::format("{}: {}", path, std::strerror(errno))};
  return {};
}

void Output::write(std::string_view text) {
  if (!failed_ && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failed_ = true;
}

Result<void> Output::close() {
  if (std::fflush(file_) != 0) failed_ = true;
  const int reason = errno;
  if (failed_) return Error{fmt::format("{}: {}", path_, std::strerror(reason))};
  return {};
}

void end_command(int exit_code) { std::exit(exit_code); }

Messages::Messages(const CommonOptions& options) : quiet_(options.quiet) {
  const bool terminal = isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  color_ = options.color == "always" || (options.color == "auto" && terminal);
}

void Messages::print(Diagnostics& diagnostics, const SourceMap& sources) {
  for (const Diagnostic& d : diagnostics.all()) {
    if (quiet_ && d.severity != Severity::Error) continue;
    const std::string text = render(d, sources, {color_});
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  if (const size_t more = diagnostics.suppressed_errors())
    note(fmt::format("{} more errors are not shown", more));
  if (const size_t more = diagnostics.suppressed_warnings())
    note(fmt::format("{} more warnings are not shown", more));
}

bool Messages::print_new(session::Session& session) {
  Diagnostics diagnostics = session.take_diagnostics();
  print(diagnostics, session.sources());
  return !diagnostics.has_errors();
}

void Messages::explain_missing(session::Session& session) {
  for (const std::string& name : session.project().missing_dependencies()) {
    note(fmt::format("note: the dependency {} is not there; `rebar3 compile` fetches it", name));
  }
  for (const std::string& root : session.project().roots_with_hooks()) {
    note(
        fmt::format("note: the hooks in {} are not run; what they generate is there after "
                    "`rebar3 compile`",
                    path_in(root, "rebar.config")));
  }
}

void Messages::error(std::string_view text) {
  Diagnostic d;
  d.message = text;
  const std::string line = render(d, SourceMap(), {color_});
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void Messages::note_text(std::string_view note) {
  if (!quiet_) text(note);
}

void Messages::text(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void Messages::note(std::string_view text) {
  if (!quiet_) fmt::print(stderr, "{}\n", text);
}

}  // namespace fathom
