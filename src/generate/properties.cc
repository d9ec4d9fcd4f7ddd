// A type becomes an expression of proper_types. One that contains itself becomes a function of the
// size, which offers only the alternatives without it when the size is used up.
#include "generate/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/term_print.h"
#include "generate/spec_types.h"
#include "values/convert.h"

namespace fathom::generate {

using symbolic::Alternative;
using symbolic::TypeId;
using symbolic::Types;
using Kind = Alternative::Kind;

namespace {

std::string atom_text(Atom atom) {
  std::string text;
  append_atom(text, atom);
  return text;
}

class GeneratorTexts {
 public:
  explicit GeneratorTexts(const Types& types) : types_(types) {}

  // `size`: the expression for what is left of it, in a function of a type that contains itself.
  std::string of(TypeId id, const std::string& size = {}) {
    if (is_recursive(id)) {
      const size_t number = numbers_.emplace(id, numbers_.size() + 1).first->second;
      if (written_.insert(id).second) write(id, number);
      return size.empty() ? fmt::format("?SIZED(Size, type_{}(Size))", number)
                          : fmt::format("?LAZY(type_{}({}))", number, size);
    }
    return one_of(alternatives(id), size);
  }
  // The functions that the expressions need.
  std::string functions() const { return functions_; }

 private:
  std::vector<Alternative> alternatives(TypeId id) const {
    return {types_.alternatives(id).begin(), types_.alternatives(id).end()};
  }

  bool is_recursive(TypeId id) const {
    std::set<TypeId> seen;
    std::vector<TypeId> open = {id};
    while (!open.empty()) {
      const TypeId next = open.back();
      open.pop_back();
      for (const Alternative& a : types_.alternatives(next)) {
        for (const TypeId part : a.parts) {
          if (part == id) return true;
          if (seen.insert(part).second) open.push_back(part);
        }
      }
    }
    return false;
  }

  bool contains(const Alternative& a, TypeId id) const {
    std::set<TypeId> seen(a.parts.begin(), a.parts.end());
    std::vector<TypeId> open(a.parts.begin(), a.parts.end());
    while (!open.empty()) {
      const TypeId next = open.back();
      open.pop_back();
      if (next == id) return true;
      for (const Alternative& inner : types_.alternatives(next)) {
        for (const TypeId part : inner.parts) {
          if (seen.insert(part).second) open.push_back(part);
        }
      }
    }
    return false;
  }

  void write(TypeId id, size_t number) {
    std::vector<Alternative> simple = alternatives(id);
    std::erase_if(simple, [&](const Alternative& a) { return contains(a, id); });
    const std::string last = simple.empty() ? "exactly([])" : one_of(simple, "0");
    const std::string any = one_of(alternatives(id), "Size div 2");
    functions_ += fmt::format("\ntype_{0}(0) -> {1};\ntype_{0}(Size) -> {2}.\n", number, last, any);
  }

  std::string one_of(const std::vector<Alternative>& alternatives, const std::string& size) {
    if (alternatives.size() == 1) return of(alternatives[0], size);
    std::string text = "oneof([";
    for (size_t i = 0; i < alternatives.size(); ++i) {
      text += (i == 0 ? "" : ", ") + of(alternatives[i], size);
    }
    return text + "])";
  }

  std::string of(const Alternative& a, const std::string& size) {
    switch (a.kind) {
      case Kind::Any:
        return "any()";
      case Kind::Integer:
        return fmt::format("integer({}, {})", a.low ? std::to_string(*a.low) : "inf",
                           a.high ? std::to_string(*a.high) : "inf");
      case Kind::Float:
        return "float()";
      case Kind::Atom:
        return "atom()";
      case Kind::Literal:
        return fmt::format("exactly({})", atom_text(a.literal));
      case Kind::Nil:
        return "exactly([])";
      case Kind::List: {
        const std::string list = fmt::format("list({})", of(a.parts[0], size));
        return a.nonempty ? fmt::format("non_empty({})", list) : list;
      }
      case Kind::Tuple:
        return "tuple()";
      case Kind::TupleOf:
        return tuple_of(a.parts, size);
      case Kind::Map:
        return "?LET(Pairs, list({any(), any()}), maps:from_list(Pairs))";
      case Kind::MapOf:
        return map_of(a, size);
      case Kind::Cons:
        return fmt::format("nonempty_improper_list({}, {})", of(a.parts[0], size),
                           of(a.parts[1], size));
      case Kind::Binary:
        return a.high && *a.low > 0
                   ? fmt::format("?SUCHTHAT(B, bitstring(), bit_size(B) >= {})", *a.low)
               : a.high ? "binary()"
                        : "bitstring()";
      case Kind::Pid:
        return "exactly(self())";
      case Kind::Reference:
        return "exactly(make_ref())";
      case Kind::Fun:
        break;
    }
    return fmt::format("function({}, {})", std::max(a.arity, 0),
                       a.parts.empty() ? "any()" : of(a.parts[0], size));
  }

  std::string tuple_of(const std::vector<TypeId>& parts, const std::string& size) {
    std::string text = "{";
    for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + of(parts[i], size);
    return text + "}";
  }

  // Keys that need not be there are, every other time.
  std::string map_of(const Alternative& a, const std::string& size) {
    std::string pairs;
    if (a.is_open()) {
      // First: of the same key the last one counts.
      pairs = fmt::format("list({{{}, {}}})", of(a.other_keys(), size), of(a.other_values(), size));
    }
    for (size_t i = 0; i < a.keys.size(); ++i) {
      TermArena arena;
      const std::string pair = fmt::format(
          "{{{}, {}}}", printed(machine::to_term(a.keys[i], arena)), of(a.parts[i], size));
      pairs += (pairs.empty() ? "" : ", ") +
               (a.required[i] ? "[" + pair + "]" : fmt::format("oneof([[], [{}]])", pair));
    }
    return fmt::format("?LET(Pairs, [{}], maps:from_list(lists:append(Pairs)))", pairs);
  }

  const Types& types_;
  std::map<TypeId, size_t> numbers_;
  std::set<TypeId> written_;
  std::string functions_;
};

std::string joined(uint32_t count) {
  std::string text;
  for (uint32_t i = 1; i <= count; ++i) text += fmt::format("{}A{}", i == 1 ? "" : ", ", i);
  return text;
}

}  // namespace

Result<PropertyModule> property_module(session::Session& session,
                                       std::span<const GenerateOptions> functions,
                                       const std::string& module) {
  Types types;
  SpecTypes specs(session, types);
  GeneratorTexts texts(types);
  PropertyModule result;
  std::string properties;
  for (const GenerateOptions& f : functions) {
    const std::string name = fmt::format("{}:{}/{}", f.module.text(), f.function.text(), f.arity);
    const auto found = session.library().find(f.module);
    if (!found || !*found) return Error{fmt::format("there is no module {}", f.module.text())};
    const auto signatures = specs.signatures(*(*found)->unit, f.function, f.arity);
    if (signatures.empty()) {
      result.without_spec.push_back(name);
      continue;
    }
    std::string inputs;
    for (const std::vector<TypeId>& signature : signatures) {
      std::string arguments;
      for (const TypeId type : signature)
        arguments += (arguments.empty() ? "" : ", ") + texts.of(type);
      inputs += (inputs.empty() ? "" : ", ") + fmt::format("{{{}}}", arguments);
    }
    if (signatures.size() > 1) inputs = fmt::format("oneof([{}])", inputs);
    properties += fmt::format(
        "\n%% {0} raises no exception for what its spec allows.\n"
        "prop_{1}_{2}() ->\n    ?FORALL({{{3}}}, {4},\n            begin\n"
        "                _Result = {5}:{6}({3}),\n                true\n            end).\n",
        name, f.function.text(), f.arity, joined(f.arity), inputs, atom_text(f.module),
        atom_text(f.function));
  }
  result.text = fmt::format(
      "%% Made by fathom gen --property: arguments as the specs have them, for PropEr. Replace "
      "`true`\n"
      "%% by what should hold of the results.\n"
      "-module({}).\n-compile([export_all, nowarn_export_all]).\n"
      "-include_lib(\"proper/include/proper.hrl\").\n{}{}",
      module, properties, texts.functions());
  return result;
}

}  // namespace fathom::generate
