// Whether a program still does what it is to do, by running it.
#pragma once

#include <string>
#include <vector>

#include "reduce/show_values.h"
#include "reduce/text_slice.h"

namespace fathom::reduce {

class Oracle {
 public:
  virtual ~Oracle() = default;
  // The modules show the values of the criteria (show_values.h).
  virtual bool accepts(const Modules& modules) = 0;
};

// The texts, showing the values of their criteria. An error: they cannot be shown.
Result<TextSlice> showing(session::Session& session, const TextSlice& texts);

// On some calls the slice shows the values of the criteria that the original shows; it may show
// more where that has failed, was cut off, or left processes behind.
class ValueOracle : public Oracle {
 public:
  ValueOracle(Runner runner, const Modules& original);

  bool accepts(const Modules& modules) override;

  size_t call_count() const { return runner_.call_count(); }
  // Values of the original, on all calls.
  size_t value_count() const;
  // That has ended the first of the calls, in the original, that has not ended by itself; or empty.
  std::string limit() const;
  // What was different in the last program that was not accepted.
  struct Difference {
    size_t call = 0;
    size_t criterion = 0;
    size_t index = 0;      // of the value
    std::string expected;  // empty: there is none
    std::string seen;
  };
  const Difference& difference() const { return difference_; }

 private:
  Runner runner_;
  std::vector<CallValues> expected_;
  Difference difference_;
};

// Of calls without a value: whether they might have come to the criterion.
std::string not_reached(const ValueOracle& oracle);

}  // namespace fathom::reduce
