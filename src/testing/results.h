// What came of tests: plain data, for whoever reports it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/place.h"
#include "machine/frame.h"

namespace fathom::testing {

// Skipped: EUnit or Common Test did not run it, or not to its end: because of something else that
// failed, or because the suite says so (TestResult::is_left_out). Unknown: Fathom could not run it
// to its end. Warning: not a test, but what a suite does after its tests has failed
// (end_per_suite, end_per_group), which is no failure of theirs.
enum class Status : uint8_t { Passed, Failed, Skipped, Unknown, Warning };

inline std::string_view status_name(Status status) {
  switch (status) {
    case Status::Passed:
      return "passed";
    case Status::Failed:
      return "failed";
    case Status::Skipped:
      return "skipped";
    case Status::Unknown:
      return "unknown";
    case Status::Warning:
      return "warning";
  }
  return "";
}

using machine::Frame;

// Why a test did not pass.
struct Failure {
  // The macro of an assertion ("assertEqual"), the class of an exception ("error",
  // "exit", "throw"), or what happened to the test: "deadlock", "timeout", "time limit",
  // "reduction limit",
  // "killed", "halt", "generator", "fixture", "description", "unsupported", "limit".
  std::string kind;
  std::string message;  // one line
  Place place = {};
  // Of assertions; empty where there is none. Erlang terms on one line.
  std::string expression = {};
  std::string comment = {};
  std::string expected = {};
  std::string got = {};
  bool is_equality = false;       // expected and got are both terms, and differ
  std::string details = {};       // further lines: where processes wait
  std::vector<Frame> stack = {};  // innermost first, without EUnit's own
};

struct TestResult {
  std::string module;
  std::string function;             // that EUnit called, name_test or name_test_; a case of a suite
  uint32_t line = 0;                // of a generated test, if EUnit was given one
  std::vector<std::string> titles;  // of the groups around it, then its own
  bool is_group = false;            // not one test: what could not be run is a group of them
  bool is_left_out = false;         // skipped by choice of its suite, which is not a failure
  Status status = Status::Passed;
  double seconds = 0;  // on the machine
  Place place;
  std::string output;  // what the test wrote
  std::optional<Failure> failure;

  // m:f_test, m:f_test_:12 for a generated test, and the titles in quotes.
  std::string name() const;
  std::string title() const;  // the titles, in one line
};

struct Counts {
  size_t passed = 0;
  size_t failed = 0;
  size_t skipped = 0;
  size_t unknown = 0;
  size_t left_out = 0;  // of those that are skipped

  void add(const TestResult& test);
  bool has_findings() const { return failed + skipped > left_out; }
  size_t total() const { return passed + failed + skipped + unknown; }
};

}  // namespace fathom::testing
