#include "testing/failures.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "machine/assertion.h"
#include "machine/outcome_text.h"
#include "machine/undefined.h"
#include "values/lists.h"

namespace fathom::testing {

using machine::atom;
using machine::is_exception;
using machine::Value;
using machine::value_text;

namespace {

// Cut where one line is full.
std::string one_line(std::string text) {
  constexpr size_t kMost = 200;
  std::replace(text.begin(), text.end(), '\n', ' ');
  if (text.size() <= kMost) return text;
  size_t end = kMost;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// A text as it is.
std::string readable_term(Value term) {
  const std::string text = value_text(term);
  return text.size() > 2 && text.front() == '"' && text.back() == '"' ? machine::text_of(term)
                                                                      : text;
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

}  // namespace

std::vector<Frame> stack_frames(Value trace) {
  std::vector<Frame> frames;
  for (; trace.is_cons(); trace = trace.tail()) {
    // EUnit ends a trace with an entry of its own shape.
    if (!trace.head().is_tuple(4)) break;
    const machine::StackFrame frame = machine::stack_frame(trace.head());
    if (frame.module.starts_with("eunit_") || frame.module.starts_with("fathom_")) break;
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
    if (frame.module.starts_with("fathom_") || frame.line <= 0) continue;
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
  if (reason.is_tuple(2) && reason.element(0) == atom("test_case_failed")) {
    failure.kind = "ct:fail";
    failure.message = one_line("ct:fail: " + readable_term(reason.element(1)));
    return failure;
  }
  failure.details = machine::explain_undefined(places.machine(), reason, exception.element(2));
  const auto assertion = machine::read_assertion(reason, value_text);
  if (!assertion) return failure;
  failure.kind = assertion->kind;
  failure.place = assertion_place(assertion->module, assertion->line, exception.element(2), places);
  // The fun that the macro consists of tells nothing.
  if (!failure.stack.empty() && failure.stack[0].line == failure.place.line) {
    failure.stack.erase(failure.stack.begin());
  }
  failure.expression = assertion->expression;
  failure.comment = assertion->comment;
  failure.expected = assertion->expected;
  failure.got = assertion->got;
  failure.is_equality = assertion->is_equality;
  if (!assertion->raised.is_none()) failure.stack = stack_frames(assertion->raised.element(2));
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
    failure.message = one_line(fmt::format("the generator ({}) did not return tests but {}",
                                           function(what.element(0)), value_text(what.element(1))));
  } else if (cause.element(0) == atom("bad_test")) {
    failure.message = one_line("this is not a test: " + value_text(what));
  } else if (cause.element(0) == atom("no_such_function")) {
    failure.message = "there is no function " + function(what);
  } else if (cause.element(0) == atom("module_not_found")) {
    failure.message = "there is no module " + value_text(what);
  } else if (cause.element(0).is_tuple(2) &&
             cause.element(0).element(0) == atom("bad_instantiator") &&
             cause.element(0).element(1).is_tuple(2)) {
    const Value bad = cause.element(0).element(1);
    failure.kind = "fixture";
    failure.message = one_line(fmt::format("the instantiator ({}) did not return tests but {}",
                                           function(bad.element(0)), value_text(bad.element(1))));
  }
  return failure;
}

}  // namespace fathom::testing
