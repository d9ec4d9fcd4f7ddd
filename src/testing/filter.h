// Which tests are wanted. A pattern is
//   - a glob (* any text, ? any character) for a whole name: `MODULE:FUNCTION` if there
//     is a colon in it, else the name of a module, of a function, or a title;
//   - a regular expression (as in Erlang's re) between slashes, found anywhere in
//     `MODULE:FUNCTION` or in a title.
// A test is wanted if one of the patterns matches, or if there are none. Titles are known
// only when a generator has run: so with a pattern that may be about a title all
// generators run, and what does not match is left out of the report.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "testing/results.h"

namespace fathom::machine {
struct RePattern;
}

namespace fathom::testing {

class Filter {
 public:
  // An error if it is a regular expression that is none.
  Result<void> add(const std::string& pattern);

  bool empty() const { return patterns_.empty(); }
  bool wants_function(std::string_view module, std::string_view function) const;
  // Whether tests of a generator may be wanted for their titles.
  bool may_want_titles() const;
  bool wants(const TestResult& test) const;

 private:
  struct Pattern {
    std::shared_ptr<const machine::RePattern> regex;
    bool is_search = false;  // found anywhere
    bool is_name = false;    // never a title

    bool matches(std::string_view text) const;
  };
  std::vector<Pattern> patterns_;
};

}  // namespace fathom::testing
