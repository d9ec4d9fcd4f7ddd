// The programs of the differential tests. These are Erlang scripts that write modules of hundreds
// of expressions; here the machine runs the scripts' own functions, so that the same modules are
// made.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// One in `every` of what there is, from the one numbered `first` on. The samples with `first` from
// 0 to `every` - 1 make up all of it.
struct Sample {
  size_t every = 1;
  size_t first = 0;

  bool has(size_t number) const { return number % every == first; }
};

// The value, which must be a binary, of an expression in which script:F is a function of the script
// of that name; `Some(List)` is the sample of a list.
std::string script_value(std::string_view script, std::string_view expression, Sample sample = {});

}  // namespace fathom
