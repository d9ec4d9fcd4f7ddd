// What the functions of a module must know of its other forms: which records, imported
// functions and functions of its own there are.
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/core.h"

namespace fathom::core {

struct Declarations {
  struct RecordField {
    Atom name;
    AstId value;  // or none
  };
  struct Record {
    std::vector<RecordField> fields;
  };

  std::unordered_map<Atom, Record> records;
  std::unordered_map<uint64_t, Atom> imports;  // by function_key: the module
  std::unordered_set<uint64_t> functions;      // function_keys

  // That it is imported or the module's own.
  bool has(uint64_t key) const { return functions.contains(key) || imports.contains(key); }
};

inline uint64_t function_key(Atom name, uint32_t arity) {
  return uint64_t{name.id()} << 32 | arity;
}

struct DeclaredFunction {
  Atom name;
  uint32_t arity = 0;
  AstId origin = kNoNode;
};

// Collects the declarations of the module's unit. Attributes, files and the functions,
// without their bodies, go into the module.
Declarations declare(std::span<const DeclaredFunction> functions, Module& module);

}  // namespace fathom::core
