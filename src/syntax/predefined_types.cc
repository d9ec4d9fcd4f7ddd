#include "syntax/predefined_types.h"

#include <string_view>
#include <unordered_map>

namespace fathom {
namespace {

constexpr std::string_view kArity0[] = {"any",
                                        "arity",
                                        "atom",
                                        "binary",
                                        "bitstring",
                                        "bool",
                                        "boolean",
                                        "byte",
                                        "char",
                                        "dynamic",
                                        "float",
                                        "function",
                                        "identifier",
                                        "integer",
                                        "iodata",
                                        "iolist",
                                        "list",
                                        "map",
                                        "maybe_improper_list",
                                        "mfa",
                                        "module",
                                        "neg_integer",
                                        "nil",
                                        "no_return",
                                        "node",
                                        "non_neg_integer",
                                        "none",
                                        "nonempty_binary",
                                        "nonempty_bitstring",
                                        "nonempty_list",
                                        "nonempty_maybe_improper_list",
                                        "nonempty_string",
                                        "number",
                                        "pid",
                                        "port",
                                        "pos_integer",
                                        "reference",
                                        "string",
                                        "term",
                                        "timeout",
                                        "tuple"};
constexpr std::string_view kArity1[] = {"list", "nonempty_list"};
constexpr std::string_view kArity2[] = {"maybe_improper_list", "nonempty_improper_list",
                                        "nonempty_maybe_improper_list"};

// Bit n: predefined with n arguments.
std::unordered_map<Atom, unsigned> make_table() {
  std::unordered_map<Atom, unsigned> table;
  for (const auto name : kArity0) table[Atom::intern(name)] |= 1u;
  for (const auto name : kArity1) table[Atom::intern(name)] |= 2u;
  for (const auto name : kArity2) table[Atom::intern(name)] |= 4u;
  return table;
}

}  // namespace

bool is_predefined_type(Atom name, size_t arity) {
  static const auto table = make_table();
  const auto found = table.find(name);
  return found != table.end() && arity <= 2 && (found->second >> arity & 1) != 0;
}

}  // namespace fathom
