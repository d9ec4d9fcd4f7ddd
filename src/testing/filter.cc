#include "testing/filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::testing {
namespace {

std::string glob_regex(std::string_view glob) {
  std::string text;
  for (const char c : glob) {
    if (c == '*') {
      text += ".*";
    } else if (c == '?') {
      text += '.';
    } else {
      if (std::string_view("\\^$.|()[]{}+").find(c) != std::string_view::npos) text += '\\';
      text += c;
    }
  }
  return text;
}

}  // namespace

Result<void> Filter::add(const std::string& pattern) {
  const bool is_regex = pattern.size() > 1 && pattern.front() == '/' && pattern.back() == '/';
  const std::string text = is_regex ? pattern.substr(1, pattern.size() - 2) : glob_regex(pattern);
  try {
    patterns_.push_back(
        {std::regex(text), is_regex, !is_regex && pattern.find(':') != std::string::npos});
  } catch (const std::regex_error& error) {
    return Error{fmt::format("`{}` is no regular expression: {}", pattern, error.what())};
  }
  return {};
}

bool Filter::wants_function(std::string_view module, std::string_view function) const {
  const std::string name = fmt::format("{}:{}", module, function);
  const auto matches = [&](const Pattern& p) {
    if (p.is_search) return std::regex_search(name, p.regex);
    if (p.is_name) return std::regex_match(name, p.regex);
    return std::regex_match(module.begin(), module.end(), p.regex) ||
           std::regex_match(function.begin(), function.end(), p.regex);
  };
  return patterns_.empty() || std::any_of(patterns_.begin(), patterns_.end(), matches);
}

bool Filter::may_want_titles() const {
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [](const Pattern& p) { return !p.is_name; });
}

bool Filter::wants(const TestResult& test) const {
  if (wants_function(test.module, test.function)) return true;
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const Pattern& p) {
    return !p.is_name &&
           std::any_of(test.titles.begin(), test.titles.end(), [&](const std::string& title) {
             return p.is_search ? std::regex_search(title, p.regex)
                                : std::regex_match(title, p.regex);
           });
  });
}

}  // namespace fathom::testing
