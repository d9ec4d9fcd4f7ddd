// The debug info of a .beam file, form by form:
//   {debug_info_v1, erl_abstract_code, {Forms, Options}}
//
// Forms are decoded one by one, so that the terms of a form lie where those of the last one
// were. Those that nobody asked for are passed over in their bytes, which costs a tenth of
// reading them; a function that was passed over can be read later.
//
// What does not look like that is not read here, and read_beam.cc says what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "syntax/beam_file.h"
#include "syntax/unit.h"

namespace fathom {

// Specs, types and documentation are a third of many modules, and code does without them.
enum class TypeForms : uint8_t { Read, Skipped };

// A function that was passed over.
struct FunctionForm {
  Atom name;
  uint32_t arity = 0;
  size_t at = 0;              // in the bytes
  uint32_t nodes_before = 0;  // so many nodes of the tree come from forms before it
};

class DebugForms {
 public:
  // Empty if the file has no such debug info.
  static std::optional<DebugForms> find(const BeamFile& beam);

  // False, of all of these: it is not as expected, and the unit is not to be used.

  bool read(TypeForms types, Unit& unit, Literals& literals) const;
  // Neither types nor functions, of which it tells where they are.
  bool read_outline(Unit& unit, Literals& literals, std::vector<FunctionForm>& functions) const;

  // Adds the function to the unit's forms.
  Result<NodeId> read_function(const FunctionForm& function, Unit& unit, Literals& literals) const;

 private:
  explicit DebugForms(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string bytes_;  // inflated
};

}  // namespace fathom
