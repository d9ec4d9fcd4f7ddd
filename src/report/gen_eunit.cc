// The tests of fathom gen as an EUnit module.
//
// The name of a test is made of its call alone, so that it is the same whenever the test is; what
// a test covers is a comment.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <set>

#include "base/term_print.h"
#include "report/gen_items.h"

namespace fathom::report {
namespace {

using generate::TestCase;

std::string atom_text(const std::string& name) {
  std::string text;
  append_atom(text, Atom::intern(name));
  return text;
}

// Letters and digits of a text, the rest as underscores; not too long.
std::string slug(const std::string& text) {
  constexpr size_t kLongest = 40;
  std::string result;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (result.size() > kLongest) result.resize(kLongest);
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

// On one line.
std::string comment_text(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

bool is_empty(const std::string& argument) {
  return argument == "[]" || argument == "{}" || argument == "<<>>" || argument == "#{}";
}

std::string test_name(const GeneratedFunction& f, const TestCase& test,
                      std::set<std::string>& names) {
  std::string arguments;
  for (const std::string& argument : test.arguments) {
    const std::string part = slug(argument);
    arguments += "_" + (!part.empty() ? part : is_empty(argument) ? "empty" : "symbols");
  }
  for (const std::string& message : test.messages) {
    const std::string part = slug(message);
    arguments += "_got_" + (!part.empty() ? part : is_empty(message) ? "empty" : "symbols");
  }
  std::string name = slug(std::string(f.options.function.text())) + arguments;
  if (std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "f_" + name;
  std::string unique = name;
  for (int i = 2; !names.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

// Maps stand in patterns with := only, and what is not a literal in none.
bool is_pattern(const TestCase& test) {
  return test.is_literal && test.value.find("#{") == std::string::npos;
}

std::string assertion(const GeneratedFunction& f, const TestCase& test) {
  std::string call = call_of(f.options, test);
  const std::string reason = is_pattern(test) ? test.value : "_";
  switch (test.outcome) {
    case TestCase::Outcome::Value:
      if (!test.is_literal) return call;
      return fmt::format("?assertEqual({}, {})", test.value, call);
    case TestCase::Outcome::Error:
      return fmt::format("?assertError({}, {})", reason, call);
    case TestCase::Outcome::Exit:
      return fmt::format("?assertExit({}, {})", reason, call);
    case TestCase::Outcome::Throw:
      break;
  }
  return fmt::format("?assertThrow({}, {})", reason, call);
}

// With messages first. Of a function with effects each test has a process of its own, so that none
// finds what one before has left: messages, a name, a dictionary.
std::string test_text(const GeneratedFunction& f, const TestCase& test, const std::string& name) {
  std::vector<std::string> lines;
  lines.reserve(test.messages.size() + 1);
  for (const std::string& message : test.messages) lines.push_back("self() ! " + message);
  lines.push_back(assertion(f, test));
  if (lines.size() == 1 && !f.suite.has_effects)
    return fmt::format("{}_test() ->\n    {}.\n", name, lines[0]);
  return fmt::format("{}_test_() ->\n    {{spawn, fun() ->\n        {}\n    end}}.\n", name,
                     fmt::join(lines, ",\n        "));
}

// What it is there for: the first few things that no other test covers.
void add_reasons(std::string& text, const generate::Suite& suite, const TestCase& test) {
  constexpr size_t kShown = 4;
  const size_t shown = test.only.size() > kShown ? kShown - 1 : test.only.size();
  for (size_t i = 0; i < shown; ++i) {
    text += fmt::format("%% The only test of {}.\n", stable_item_text(suite.items[test.only[i]]));
  }
  if (shown < test.only.size()) {
    text += fmt::format("%% And of {} more.\n", test.only.size() - shown);
  }
}

}  // namespace

std::string gen_eunit(const GeneratedSuites& suites, const std::string& module, const SourceMap&) {
  std::string text = fmt::format(
      "{}: what these functions do now. A test that fails after a change shows\n"
      "%% what the change has changed.\n"
      "-module({}).\n"
      "-compile([nowarn_deprecated_function, nowarn_removed]).\n"
      "-include_lib(\"eunit/include/eunit.hrl\").\n",
      kGeneratedHeader, atom_text(module));
  std::set<std::string> names;
  for (const GeneratedFunction& f : suites.functions) {
    text += fmt::format("\n%% ---- {}\n", name_of(f.options));
    for (const uint32_t item : f.suite.uncovered) {
      text +=
          fmt::format("%% Not covered: {}.\n", comment_text(stable_item_text(f.suite.items[item])));
    }
    for (const generate::WrongPrediction& wrong : f.suite.wrong) {
      text += fmt::format("%% No test, since the prediction was wrong: {}\n",
                          comment_text(wrong_text(wrong)));
    }
    for (const TestCase& test : f.suite.tests) {
      text += "\n";
      add_reasons(text, f.suite, test);
      if (test.is_finding && !test.place.empty()) {
        text += fmt::format("%% Raised at {}.\n", test.place);
      }
      text += test_text(f, test, test_name(f, test, names));
    }
  }
  return text;
}

}  // namespace fathom::report
