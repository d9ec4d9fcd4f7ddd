#include "machine/assertion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "machine/outcome_text.h"
#include "values/convert.h"
#include "values/lists.h"

namespace fathom::machine {
namespace {

// The value of a key in a list of pairs, or none().
Value find(Value pairs, std::string_view key) {
  for (; pairs.is_cons(); pairs = pairs.tail()) {
    const Value pair = pairs.head();
    if (pair.is_tuple(2) && pair.element(0) == atom(key)) return pair.element(1);
  }
  return Value::none();
}

std::string text_or_empty(Value chars) { return chars.is_none() ? "" : text_of(chars); }

std::string exception_text(Value exception, const Printer& print) {
  return fmt::format("{}:{}", print(exception.element(0)), print(exception.element(1)));
}

// "{ error , badarg , [...] }", as assertException has it, to "error:badarg".
std::string exception_pattern(std::string pattern) {
  constexpr std::string_view kBegin = "{ ";
  constexpr std::string_view kEnd = " , [...] }";
  if (!pattern.starts_with(kBegin) || !pattern.ends_with(kEnd)) return pattern;
  pattern = pattern.substr(kBegin.size(), pattern.size() - kBegin.size() - kEnd.size());
  const size_t comma = pattern.find(" , ");
  if (comma == std::string::npos) return pattern;
  return pattern.replace(comma, 3, " : ");
}

// At the blanks that are not in quotes.
std::vector<std::string_view> split_tokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  size_t begin = 0;
  char quote = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (quote != 0 && i < text.size()) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ' ') {
      if (i > begin) tokens.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return tokens;
}

bool is_word(std::string_view token) {
  return std::isalnum(static_cast<unsigned char>(token[0])) != 0 || token[0] == '_' ||
         token[0] == '\'';
}

bool has_blank_between(std::string_view left, std::string_view right) {
  // Words before a bracket that do not call.
  constexpr std::array<std::string_view, 16> kOperators = {
      "when", "and", "or",  "andalso", "orelse", "not",  "of",  "case",
      "if",   "div", "rem", "bnot",    "xor",    "band", "bor", "begin"};
  const auto is_one_of = [](std::string_view token, std::string_view characters) {
    return token.size() == 1 && characters.find(token[0]) != characters.npos;
  };
  if (is_one_of(left, "([{#:?") || is_one_of(right, ")]},;:")) return false;
  if (left == "<<" || right == ">>") return false;
  if (!is_one_of(right, "({#")) return true;
  return !is_word(left) ||
         std::find(kOperators.begin(), kOperators.end(), left) != kOperators.end();
}

void explain(Assertion& failure, Value info, const Printer& print) {
  const auto term = [&](std::string_view key) {
    const Value value = find(info, key);
    return value.is_none() ? std::string() : print(value);
  };
  const std::string pattern = text_or_empty(find(info, "pattern"));
  const bool is_negative = failure.kind == "assertNotMatch" || failure.kind == "assertNotEqual" ||
                           failure.kind == "assertNotException";
  if (const Value raised = find(info, "unexpected_exception"); is_exception(raised)) {
    failure.expected = tidy_tokens(exception_pattern(pattern));
    failure.got = exception_text(raised, print);
  } else if (const Value value = find(info, "unexpected_success"); !value.is_none()) {
    failure.expected = tidy_tokens(exception_pattern(pattern));
    failure.got = "no exception, but the value " + print(value);
  } else if (!find(info, "status").is_none()) {
    failure.expected = "status " + term("expected_status");
    failure.got = "status " + term("status");
  } else if (!find(info, "output").is_none()) {
    failure.expected = term("expected_output");
    failure.got = term("output");
  } else {
    failure.expected = pattern.empty() ? term("expected") : tidy_tokens(pattern);
    failure.got = term("value");
    failure.is_equality = failure.kind == "assertEqual";
    if (const std::string other = term("not_boolean"); !other.empty()) failure.got = other;
  }
  if (failure.kind == "assertNotEqual") failure.expected = failure.got;
  if (is_negative) failure.expected = "anything but " + failure.expected;
}

}  // namespace

bool is_exception(Value value) {
  return value.is_tuple(3) && value.element(0).is_atom() && value.element(2).is_list();
}

std::string text_of(Value chars) {
  if (chars.is_binary()) {
    const BytesOf bytes(chars);
    return std::string(bytes.text());
  }
  TermArena arena;
  const Term term = to_term(chars, arena);
  return string_text(term).value_or(value_text(chars));
}

std::string tidy_tokens(std::string_view text) {
  const std::vector<std::string_view> tokens = split_tokens(text);
  std::string out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0 && has_blank_between(tokens[i - 1], tokens[i])) out += ' ';
    out += tokens[i];
  }
  return out;
}

std::optional<Assertion> read_assertion(Value reason, const Printer& print) {
  if (!reason.is_tuple(2) || !reason.element(0).is_atom()) return std::nullopt;
  const Value info = reason.element(1);
  const Value module = find(info, "module");
  const Value line = find(info, "line");
  if (!module.is_atom() || !line.is_small() || line.small() < 0) return std::nullopt;
  Assertion assertion;
  assertion.module = module.atom();
  assertion.line = static_cast<uint32_t>(line.small());
  assertion.kind = reason.element(0).atom().text();
  if (const size_t suffix = assertion.kind.rfind("_failed"); suffix != std::string::npos) {
    assertion.kind.resize(suffix);
  }
  assertion.expression = text_or_empty(find(info, "expression"));
  if (assertion.expression.empty()) assertion.expression = text_or_empty(find(info, "command"));
  assertion.expression = tidy_tokens(assertion.expression);
  assertion.comment = text_or_empty(find(info, "comment"));
  explain(assertion, info, print);
  if (const Value raised = find(info, "unexpected_exception"); is_exception(raised)) {
    assertion.raised = raised;
  }
  return assertion;
}

}  // namespace fathom::machine
