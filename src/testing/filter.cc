#include "testing/filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "natives/re_pattern.h"

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

bool Filter::Pattern::matches(std::string_view text) const {
  const uint32_t whole = is_search ? 0 : PCRE2_ANCHORED | PCRE2_ENDANCHORED;
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);
  const int found = pcre2_match(regex->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                0, whole, data, nullptr);
  pcre2_match_data_free(data);
  return found >= 0;
}

Result<void> Filter::add(const std::string& pattern) {
  const bool is_regex = pattern.size() > 1 && pattern.front() == '/' && pattern.back() == '/';
  machine::ReSource source;
  source.text = is_regex ? pattern.substr(1, pattern.size() - 2) : glob_regex(pattern);
  source.options = PCRE2_UTF | PCRE2_DOTALL;
  auto regex = machine::re_pattern(source);
  if (!regex->code) {
    return Error{fmt::format("`{}` is not a regular expression: {}", pattern, regex->error)};
  }
  patterns_.push_back(
      {std::move(regex), is_regex, !is_regex && pattern.find(':') != std::string::npos});
  return {};
}

bool Filter::wants_function(std::string_view module, std::string_view function) const {
  const std::string name = fmt::format("{}:{}", module, function);
  const auto matches = [&](const Pattern& p) {
    if (p.is_search || p.is_name) return p.matches(name);
    return p.matches(module) || p.matches(function);
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
    return !p.is_name && std::any_of(test.titles.begin(), test.titles.end(),
                                     [&](const std::string& title) { return p.matches(title); });
  });
}

}  // namespace fathom::testing
