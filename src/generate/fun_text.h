// Inputs as Erlang text.
#pragma once

#include <optional>
#include <string>

#include "symbolic/store.h"

namespace fathom::generate {

// Of a value under the store's solution; an unknown fun is written as the table of its calls.
std::string input_text(symbolic::Store& store, machine::Value value);
// As ~p writes it, on one line. `is_literal` becomes false if that does not read back.
std::string literal_text(machine::Value value, bool& is_literal);

// Whether one unknown fun, or a reference, is in two places: written down twice they are two.
bool has_twice(symbolic::Store& store, std::span<const machine::Value> values);

}  // namespace fathom::generate
