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

// With --name or --name=value.
bool is_given(const std::vector<std::string>& arguments, std::string_view name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    const std::string_view own = std::string_view(argument).substr(0, argument.find('='));
    return own == name || (is_test_choice(name) && is_test_choice(own));
  });
}

// False: it is not an option.
bool add_option(Term item, const std::vector<std::string>& given, std::vector<std::string>& out) {
  const bool has_value = item.is_tuple(2) && item[0].is_atom();
  if (!has_value && !item.is_atom()) return false;
  const std::string name = option_name(has_value ? item[0] : item);
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

}  // namespace

Result<std::vector<std::string>> project_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> options;
  const bool has_options = arguments[0] == "check" || arguments[0] == "test";
  const std::string file = has_options && !is_given(arguments, "--no-project") ? config_file() : "";
  if (file.empty()) return options;
  TermArena arena;
  const auto terms = consult_file(file, arena);
  const bool is_own = file.ends_with("fathom.config");
  if (!terms && is_own) return Error{terms.error().message};
  if (!terms) return options;  // whoever reads the project says so
  std::vector<Term> sections = *terms;
  if (!is_own) {
    sections.clear();
    for (const Term term : *terms) {
      const bool is_ours =
          term.is_tuple(2) && term[0].is_atom() && term[0].atom().text() == "fathom";
      if (!is_ours || !term[1].is_list()) continue;
      for (const Term each : term[1].list()) sections.push_back(each);
    }
  }
  for (const Term section : sections) {
    const bool is_section = section.is_tuple(2) && section[0].is_atom() && section[1].is_list();
    if (!is_section) {
      return Error{fmt::format("{}: this should be {{check, […]}} or {{test, […]}}: {}", file,
                               printed(section))};
    }
    if (section[0].atom().text() != arguments[0]) continue;
    for (const Term item : section[1].list()) {
      if (add_option(item, arguments, options)) continue;
      return Error{fmt::format("{}: not an option of {}: {}", file, arguments[0], printed(item))};
    }
  }
  return options;
}

}  // namespace fathom
