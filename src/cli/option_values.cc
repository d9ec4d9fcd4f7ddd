#include "option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "syntax/consult.h"
#include "syntax/otp.h"

namespace fathom {
namespace {

// Empty: the text is not a number; nor are "nan" and what is too large to be one.
std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_macro_name(const std::string& name) {
  const auto is_part = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '@' || c >= 0x80;
  };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(), is_part);
}

bool is_term(const std::string& text) {
  TermArena arena;
  const auto terms = consult("", text + " .", arena);
  return terms && terms->size() == 1;
}

}  // namespace

std::string number_fault(const std::string& text) {
  const std::optional<double> value = number(text);
  if (!value) return fmt::format("`{}` is not a number", text);
  return *value < 0 ? fmt::format("{} is less than 0", text) : "";
}

std::string whole_number_fault(const std::string& text) {
  if (std::string fault = number_fault(text); !fault.empty()) return fault;
  const bool is_whole = text.find_first_not_of("0123456789") == std::string::npos;
  return is_whole ? "" : fmt::format("`{}` is not a whole number", text);
}

std::string positive_fault(const std::string& text) {
  const std::optional<double> value = number(text);
  if (!value) return fmt::format("`{}` is not a number", text);
  return *value <= 0 ? fmt::format("{} is not more than 0", text) : "";
}

std::string macro_fault(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (!is_macro_name(name)) return fmt::format("`{}` is not the name of a macro", name);
  if (equals == std::string::npos || is_term(text.substr(equals + 1))) return "";
  return fmt::format("`{}` is not an Erlang term, which the value of {} should be",
                     text.substr(equals + 1), name);
}

std::string term_fault(const std::string& text) {
  return is_term(text) ? "" : fmt::format("`{}` is not an Erlang term", text);
}

std::string otp_fault(const std::string& directory) {
  OtpSearch search;
  search.root = directory;
  const OtpInstallation found = OtpInstallation::find(search);
  return found.found() ? "" : found.problem();
}

std::string picture_fault(const std::string& file) {
  if (file.ends_with(".dot") || file.ends_with(".svg")) return "";
  return fmt::format("{}: a picture is written to FILE.dot or FILE.svg", file);
}

std::string svg_fault(const std::string& file) {
  return file.ends_with(".svg") ? "" : fmt::format("{}: the picture is written to FILE.svg", file);
}

}  // namespace fathom
