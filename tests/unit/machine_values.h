// For tests of the machine's values: a heap, a table of exports, and values from
// and to text.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "base/term_print.h"
#include "code/code.h"
#include "values/convert.h"
#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

class TestExports {
 public:
  const Export* operator()(Atom module, Atom function, uint32_t arity) {
    std::unique_ptr<Export>& entry = table_[{module, function, arity}];
    if (!entry) entry = std::make_unique<Export>(Export{module, function, arity, nullptr, nullptr});
    return entry.get();
  }
  ExportLookup lookup() {
    return [this](Atom m, Atom f, uint32_t a) { return (*this)(m, f, a); };
  }

 private:
  std::map<std::tuple<Atom, Atom, uint32_t>, std::unique_ptr<Export>> table_;
};

inline std::string shown(Value value) {
  TermArena arena;
  return written(to_term(value, arena));
}

}  // namespace fathom::machine
