#include "testing/failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "machine/bifs/arguments.h"
#include "machine/convert.h"
#include "machine/outcome_text.h"

namespace fathom::testing {

using machine::atom;
using machine::Value;
using machine::value_text;

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

bool is_exception(Value value) {
  return value.is_tuple(3) && value.element(0).is_atom() && value.element(2).is_list();
}

std::string exception_text(Value exception) {
  return fmt::format("{}:{}", value_text(exception.element(0)), value_text(exception.element(1)));
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

// Cut where one line is full.
std::string one_line(std::string text) {
  constexpr size_t kMost = 200;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= kMost) return text;
  size_t end = kMost;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

void explain(Failure& failure, Value info) {
  const auto term = [&](std::string_view key) {
    const Value value = find(info, key);
    return value.is_none() ? std::string() : value_text(value);
  };
  const std::string pattern = text_or_empty(find(info, "pattern"));
  const bool is_negative = failure.kind == "assertNotMatch" || failure.kind == "assertNotEqual" ||
                           failure.kind == "assertNotException";
  if (const Value raised = find(info, "unexpected_exception"); is_exception(raised)) {
    failure.expected = tidy_tokens(exception_pattern(pattern));
    failure.got = exception_text(raised);
  } else if (const Value value = find(info, "unexpected_success"); !value.is_none()) {
    failure.expected = tidy_tokens(exception_pattern(pattern));
    failure.got = "no exception, but the value " + value_text(value);
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

// The macros are calls of a fun, which stands on top of the trace.
Place assertion_place(Atom module, uint32_t line, Value trace, const Places& places) {
  const Value top = trace.is_cons() ? trace.head() : Value::none();
  if (!top.is_tuple(4) || !top.element(0).is_atom(module) || !top.element(1).is_atom() ||
      !top.element(2).is_small()) {
    return places.line(module, line);
  }
  return places.assertion(module, line, top.element(1).atom(),
                          static_cast<uint32_t>(top.element(2).small()));
}

// `name` is "f/1". A fun is called by the function in which it is written.
std::string readable_function(std::string_view module, std::string_view name) {
  const size_t end = name.find("-fun-");
  if (!name.starts_with("'-") || end == name.npos) return fmt::format("{}:{}", module, name);
  return fmt::format("a fun in {}:{}", module, name.substr(2, end - 2));
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

}  // namespace

std::string text_of(Value chars) {
  if (chars.is_binary()) {
    const machine::BytesOf bytes(chars);
    return std::string(bytes.text());
  }
  TermArena arena;
  const Term term = machine::to_term(chars, arena);
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

std::vector<Frame> stack_frames(Value trace) {
  std::vector<Frame> frames;
  for (; trace.is_cons(); trace = trace.tail()) {
    // EUnit ends a trace with an entry of its own shape.
    if (!trace.head().is_tuple(4)) break;
    const machine::StackFrame frame = machine::stack_frame(trace.head());
    if (frame.module.starts_with("eunit_") || frame.module == "fathom_eunit") break;
    frames.push_back({readable_function(frame.module, frame.function), frame.file,
                      static_cast<uint32_t>(frame.line)});
  }
  return frames;
}

Place place_of_trace(Value trace, const Places& places) {
  for (; trace.is_cons(); trace = trace.tail()) {
    const Value entry = trace.head();
    if (!entry.is_tuple(4) || !entry.element(0).is_atom()) continue;
    if (!places.has_text(entry.element(0).atom())) continue;
    const machine::StackFrame frame = machine::stack_frame(entry);
    if (frame.module == "fathom_eunit" || frame.line <= 0) continue;
    return places.line(entry.element(0).atom(), frame.file, static_cast<uint32_t>(frame.line));
  }
  return {};
}

Failure exception_failure(Value exception, const Places& places) {
  Failure failure;
  if (!is_exception(exception)) {
    failure.kind = "error";
    failure.message = one_line(value_text(exception));
    return failure;
  }
  const Value reason = exception.element(1);
  failure.kind = value_text(exception.element(0));
  failure.stack = stack_frames(exception.element(2));
  failure.place = place_of_trace(exception.element(2), places);
  failure.message = one_line(fmt::format("exception {}: {}", failure.kind, value_text(reason)));
  if (!reason.is_tuple(2) || !reason.element(0).is_atom()) return failure;
  const Value info = reason.element(1);
  const Value module = find(info, "module");
  const Value line = find(info, "line");
  if (!module.is_atom() || !line.is_small() || line.small() < 0) return failure;

  failure.kind = reason.element(0).atom().text();
  if (const size_t suffix = failure.kind.rfind("_failed"); suffix != std::string::npos) {
    failure.kind.resize(suffix);
  }
  failure.place = assertion_place(module.atom(), static_cast<uint32_t>(line.small()),
                                  exception.element(2), places);
  // The fun that the macro consists of tells nothing.
  if (!failure.stack.empty() && failure.stack[0].line == failure.place.line) {
    failure.stack.erase(failure.stack.begin());
  }
  failure.expression = text_or_empty(find(info, "expression"));
  if (failure.expression.empty()) failure.expression = text_or_empty(find(info, "command"));
  failure.expression = tidy_tokens(failure.expression);
  failure.comment = text_or_empty(find(info, "comment"));
  explain(failure, info);
  if (const Value raised = find(info, "unexpected_exception"); is_exception(raised)) {
    failure.stack = stack_frames(raised.element(2));
  }
  failure.message =
      one_line(fmt::format("{}: expected {}, got {}", failure.kind, failure.expected, failure.got));
  return failure;
}

Failure abort_failure(Value cause, const Places& places) {
  Failure failure;
  failure.kind = "description";
  failure.message = one_line("EUnit: " + value_text(cause));
  if (!cause.is_tuple(2)) return failure;
  const Value what = cause.element(1);
  const auto function = [](Value mfa) {
    if (!mfa.is_tuple(3)) return value_text(mfa);
    return readable_function(
        value_text(mfa.element(0)),
        fmt::format("{}/{}", value_text(mfa.element(1)), value_text(mfa.element(2))));
  };
  const auto failed = [&](std::string_view kind, std::string_view subject, Value exception) {
    failure = exception_failure(exception, places);
    failure.message = one_line(fmt::format("{} failed: {}", subject, failure.message));
    failure.kind = kind;
  };
  if (cause.element(0) == atom("setup_failed")) {
    failed("fixture", "the setup", what);
  } else if (cause.element(0) == atom("cleanup_failed")) {
    failed("fixture", "the cleanup", what);
  } else if (cause.element(0) == atom("instantiation_failed")) {
    failed("fixture", "the instantiator", what);
  } else if (cause.element(0) == atom("generator_failed") && what.is_tuple(2)) {
    failed("generator", "the generator", what.element(1));
  } else if (cause.element(0) == atom("bad_generator") && what.is_tuple(2)) {
    failure.kind = "generator";
    failure.message = one_line(fmt::format("the generator ({}) returns no tests but {}",
                                           function(what.element(0)), value_text(what.element(1))));
  } else if (cause.element(0) == atom("bad_test")) {
    failure.message = one_line("this describes no test: " + value_text(what));
  } else if (cause.element(0) == atom("no_such_function")) {
    failure.message = "there is no function " + function(what);
  } else if (cause.element(0) == atom("module_not_found")) {
    failure.message = "there is no module " + value_text(what);
  } else if (cause.element(0).is_tuple(2) &&
             cause.element(0).element(0) == atom("bad_instantiator") &&
             cause.element(0).element(1).is_tuple(2)) {
    const Value bad = cause.element(0).element(1);
    failure.kind = "fixture";
    failure.message = one_line(fmt::format("the instantiator ({}) returns no tests but {}",
                                           function(bad.element(0)), value_text(bad.element(1))));
  }
  return failure;
}

}  // namespace fathom::testing
