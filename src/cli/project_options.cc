#include "project_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/atom.h"
#include "base/term.h"
#include "base/term_print.h"
#include "syntax/app_dir.h"
#include "syntax/consult.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

// fathom.config or rebar.config, whichever is nearest; empty: there is none.
std::string config_file() {
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error; at = at.parent_path()) {
    for (const char* name : {"fathom.config", "rebar.config"}) {
      if (is_plain_file((at / name).string())) return (at / name).string();
    }
    if (at == at.parent_path()) break;
  }
  return {};
}

std::optional<std::string> text_of_value(Term value) {
  if (value.is_binary()) return std::string(value.bits().text());
  if (value.is_cons()) {
    if (auto text = string_text(value)) return text;
    return std::nullopt;
  }
  return value.is_nil() ? std::nullopt : std::optional(printed(value));
}

std::string option_name(Term name) {
  std::string text = "--" + std::string(name.atom().text());
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

bool is_test_choice(std::string_view name) {
  return name == "--test" || name == "-t" || name == "--eunit" || name == "--ct";
}

// What options with a short name are called in full.
std::string_view in_full(std::string_view name) {
  if (name == "-o") return "--output";
  return name == "-f" ? "--function" : name;
}

// With --name or --name=value.
bool is_given(const std::vector<std::string>& arguments, std::string_view name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    const std::string_view own = in_full(std::string_view(argument).substr(0, argument.find('=')));
    return own == name || (is_test_choice(name) && is_test_choice(own));
  });
}

// False: it is not an option.
bool add_option(Term item, const std::vector<std::string>& given, OwnOptions& options) {
  std::vector<std::string>& out = options.arguments;
  const bool has_value = item.is_tuple(2) && item[0].is_atom();
  if (!has_value && !item.is_atom()) return false;
  const std::string name = option_name(has_value ? item[0] : item);
  options.names.push_back(name);
  if (is_given(given, name)) return true;
  if (!has_value) {
    out.push_back(name);
    return true;
  }
  std::vector<Term> values{item[1]};
  if (item[1].is_list() && !text_of_value(item[1])) {
    values.clear();
    for (const Term each : item[1].list()) values.push_back(each);
  }
  for (const Term value : values) {
    const auto text = text_of_value(value);
    if (!text) return false;
    if (*text == "false") continue;
    out.push_back(name);
    if (*text != "true") out.push_back(*text);
  }
  return true;
}

bool is_section(Term term) { return term.is_tuple(2) && term[0].is_atom() && term[1].is_list(); }

// The sections of a file: those under `fathom`, and in a file of our own the others.
std::vector<Term> sections_of(std::span<const Term> terms, bool is_own) {
  std::vector<Term> sections;
  for (const Term term : terms) {
    if (is_section(term) && term[0].atom().text() == "fathom") {
      for (const Term each : term[1].list()) sections.push_back(each);
    } else if (is_own) {
      sections.push_back(term);
    }
  }
  return sections;
}

}  // namespace

Result<OwnOptions> project_options(const std::vector<std::string>& arguments,
                                   std::span<const std::string_view> commands) {
  OwnOptions options;
  if (!is_given(arguments, "--no-project")) options.file = config_file();
  if (options.file.empty()) return options;
  TermArena arena;
  const auto terms = consult_file(options.file, arena);
  const bool is_own = options.file.ends_with("fathom.config");
  if (!terms && is_own) return Error{terms.error().message};
  if (!terms) return options;  // whoever reads the project says so
  for (const Term section : sections_of(*terms, is_own)) {
    if (!is_section(section)) {
      return Error{fmt::format("{}: this should be {{check, […]}} or {{test, […]}}: {}",
                               options.file, printed(section))};
    }
    const std::string_view name = section[0].atom().text();
    if (std::ranges::find(commands, name) == commands.end()) {
      return Error{
          fmt::format("{}: there is no command {}: {}", options.file, name, printed(section))};
    }
    if (name != arguments[0]) continue;
    for (const Term item : section[1].list()) {
      if (add_option(item, arguments, options)) continue;
      return Error{
          fmt::format("{}: not an option of {}: {}", options.file, arguments[0], printed(item))};
    }
  }
  return options;
}

}  // namespace fathom
