// What a failed assertion says.
//
// The macros of assert.hrl and eunit.hrl raise {MACRO, INFO}, INFO being a list of pairs;
// which pairs there are depends on the macro and on the release. Whatever has that shape
// and names a module and a line is an assertion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "values/value.h"

namespace fathom::machine {

// How terms are to be written.
using Printer = std::function<std::string(Value)>;

struct Assertion {
  std::string kind;  // the macro: "assertEqual"
  Atom module = {};
  uint32_t line = 0;
  // Empty where there is none. Erlang terms on one line.
  std::string expression;
  std::string comment;
  std::string expected;
  std::string got;
  bool is_equality = false;      // expected and got are both terms, and differ
  Value raised = Value::none();  // {Class, Reason, Trace} that was not expected
};

// Nothing: the reason is not one.
std::optional<Assertion> read_assertion(Value reason, const Printer& print);

// {Class, Reason, Trace}.
bool is_exception(Value value);
// The text of a list of characters or of a binary; of anything else as ~p prints it.
std::string text_of(Value chars);
// The tokens that ?? makes of an expression, closer to how one would write it.
std::string tidy_tokens(std::string_view tokens);

}  // namespace fathom::machine
