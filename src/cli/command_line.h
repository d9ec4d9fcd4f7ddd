// The command line: commands, their options and arguments.
//
// CLI11 parses it, and takes seconds to compile; so only command_line.cc sees it, and the
// commands say through these classes what they understand. Option and Command are references,
// valid as long as their CommandLine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fathom {

class Option {
 public:
  Option& one_of(const std::vector<std::string>& values);
  Option& between(int least, int most);
  Option& positive();
  // What is wrong with a value; empty: nothing (option_values.h). Numbers are never negative.
  Option& check(std::string (*fault)(const std::string& text));
  Option& value_name(const std::string& name);  // in the help
  Option& with_default();                       // the help shows it
  Option& one_value();                          // each time that it is given; it may be repeated
  Option& values(int count);                    // so many, one after the other
  Option& required();
  Option& excludes(const Option& other);

 private:
  friend class Command;
  explicit Option(CLI::Option* option) : option_(option) {}

  CLI::Option* option_;
};

class Command {
 public:
  // Names are "-o,--output"; one without a dash is that of an argument. The value is set when
  // the command line is parsed, and keeps its default if the option is not given.
  // T: std::string, std::vector<std::string>, uint32_t, uint64_t, int64_t, double, and
  // std::optional of the unsigned ones.
  template <class T>
  Option add_option(const std::string& names, T& value, const std::string& help);
  Option add_flag(const std::string& names, bool& value, const std::string& help);
  // With --flag=VALUE its value is that, and "true" otherwise.
  Option add_flag(const std::string& names, std::string& value, const std::string& help);

  // The help shows the options that are added from now on under this heading.
  void begin_group(const std::string& heading) { group_ = heading; }

  bool has(const std::string& option) const;  // on the command line
  // Called if this is the command; it returns the exit code.
  void when_chosen(std::function<int()> run);

 private:
  friend class CommandLine;
  Command(CLI::App* command, int* exit_code) : command_(command), exit_code_(exit_code) {}

  CLI::App* command_;
  int* exit_code_;
  std::string group_ = "Options";
};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add_command(const std::string& name, const std::string& help);
  // Where some of the arguments come from, so that messages can say it: a file, and the names of
  // its options.
  void set_origin(std::string file, std::vector<std::string> options);
  // Runs the chosen command, or shows help or what is wrong. The exit code.
  int run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::string origin_;
  std::vector<std::string> origin_options_;
  int exit_code_ = 0;
};

}  // namespace fathom
