#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "command.h"
#include "option_values.h"

namespace fathom {
namespace {

using Texts = std::vector<std::string>;

// erl and erlc write -pa DIR and -DNAME; the library knows long options with two
// dashes only.
std::vector<std::string> erl_style_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {  // the library wants them in reverse
    std::string argument = argv[i];
    if (argument == "-pa" || argument == "-pz") argument.insert(0, "-");
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string command = "fathom";
  const auto chosen = app->get_subcommands();
  if (!chosen.empty()) command += " " + chosen[0]->get_name();
  return std::string("error: ") + error.what() + "\nTry `" + command + " --help`.\n";
}

}  // namespace

// ---- Option -----------------------------------------------------------------

Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Option& Option::between(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::positive() { return check(positive_fault); }

Option& Option::check(std::string (*fault)(const std::string& text)) {
  option_->check(fault);
  return *this;
}

Option& Option::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::with_default() {
  option_->capture_default_str();
  return *this;
}

Option& Option::one_value() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::values(int count) {
  option_->expected(count)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  return *this;
}

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

// ---- Command ----------------------------------------------------------------

template <class T>
Option Command::add_option(const std::string& names, T& value, const std::string& help) {
  const bool is_argument = names[0] != '-';
  Option option(
      command_->add_option(names, value, help)->group(is_argument ? "Arguments" : group_));
  if constexpr (!std::is_constructible_v<T, const char*> && !std::is_same_v<T, Texts>) {
    option.check(std::is_floating_point_v<T> ? number_fault : whole_number_fault);
  }
  return option;
}
// NOLINTBEGIN(bugprone-macro-parentheses): T is a type.
#define FATHOM_OPTION(T) \
  template Option Command::add_option<T>(const std::string&, T&, const std::string&);
// NOLINTEND(bugprone-macro-parentheses)
FATHOM_OPTION(std::string)
FATHOM_OPTION(Texts)
FATHOM_OPTION(uint32_t)
FATHOM_OPTION(uint64_t)
FATHOM_OPTION(int64_t)
FATHOM_OPTION(double)
FATHOM_OPTION(std::optional<uint32_t>)
FATHOM_OPTION(std::optional<uint64_t>)
#undef FATHOM_OPTION

Option Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return Option(command_->add_flag(names, value, help)->group(group_));
}

Option Command::add_flag(const std::string& names, std::string& value, const std::string& help) {
  return Option(command_->add_flag(names, value, help)->group(group_));
}

bool Command::has(const std::string& option) const { return command_->count(option) > 0; }

void Command::when_chosen(std::function<int()> run) {
  command_->callback([run = std::move(run), exit_code = exit_code_] { *exit_code = run(); });
}

// ---- CommandLine ------------------------------------------------------------

CommandLine::CommandLine()
    : app_(std::make_unique<CLI::App>("Fathom reads Erlang programs and tells what they can do.",
                                      "fathom")) {
  app_->set_version_flag("--version", "fathom " FATHOM_VERSION);
  app_->require_subcommand(1);
  app_->failure_message(failure_text);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const std::string& name, const std::string& help) {
  return {app_->add_subcommand(name, help), &exit_code_};
}

void CommandLine::set_origin(std::string file, std::vector<std::string> options) {
  origin_ = std::move(file);
  origin_options_ = std::move(options);
}

int CommandLine::run(int argc, char** argv) {
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app_->get_subcommands(is_named).empty()) {
    std::fprintf(stderr, "error: there is no command `%s`\nTry `fathom --help`.\n", argv[1]);
    return kCouldNotRun;
  }
  for (const std::string& option : origin_options_) {
    if (app_->get_subcommand(argv[1])->get_option_no_throw(option)) continue;
    std::fprintf(stderr, "error: %s: %s has no option %s\nTry `fathom %s --help`.\n",
                 origin_.c_str(), argv[1], option.c_str(), argv[1]);
    return kCouldNotRun;
  }
  try {
    app_->parse(erl_style_arguments(argc, argv));
  } catch (const CLI::ParseError& error) {
    const std::string_view text = error.what();
    const auto own = std::ranges::find_if(
        origin_options_, [&](const std::string& name) { return text.find(name) != text.npos; });
    if (own != origin_options_.end()) {
      std::fprintf(stderr, "%s: %s stands here\n", origin_.c_str(), own->c_str());
    }
    return app_->exit(error) == 0 ? kClean : kCouldNotRun;
  }
  return exit_code_;
}

}  // namespace fathom
