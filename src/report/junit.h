// JUnit's XML, as rebar3 and other runners write it and CI systems read it: a suite for each
// module, and the counts of both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace fathom::report {

struct JunitCase {
  enum class Outcome : uint8_t { Passed, Failure, Error, Skipped };

  std::string name;
  std::string file;   // empty: unknown
  uint32_t line = 0;  // 0: unknown
  double seconds = 0;
  Outcome outcome = Outcome::Passed;
  // Unless it has passed.
  std::string type;
  std::string message;
  std::string text;
  std::string output;  // what the test wrote
};

class JunitDocument {
 public:
  // Those of a module must come together.
  void add(std::string_view module, const JunitCase& test);
  void write(const Sink& sink, double seconds) const;

 private:
  struct Counts {
    size_t tests = 0;
    size_t failures = 0;
    size_t errors = 0;
    size_t skipped = 0;

    void add(JunitCase::Outcome outcome);
    std::string attributes(double seconds) const;
  };
  struct Suite {
    std::string module;
    Counts counts;
    double seconds = 0;
    std::string cases;
  };

  Counts counts_;
  std::vector<Suite> suites_;
};

}  // namespace fathom::report
