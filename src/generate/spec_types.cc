#include "generate/spec_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/term_arithmetic.h"
#include "symbolic/solver.h"

namespace fathom::generate {

using machine::Value;
using symbolic::Alternative;
using symbolic::TypeId;
using Kind = Alternative::Kind;

namespace {

std::optional<int64_t> number_in(const Unit& unit, NodeId node) {
  const Ast& ast = unit.ast;
  if (ast.is(node, NodeKind::Integer) && !(ast[node].flags & Node::kPooled)) {
    return ast.get<node::Integer>(node).value;
  }
  if (ast.is(node, NodeKind::Char)) return ast.get<node::Char>(node).value;
  TermArena arena;
  std::optional<Term> result;
  if (ast.is(node, NodeKind::UnaryOp)) {
    const auto op = ast.get<node::UnaryOp>(node);
    const auto a = number_in(unit, op.operand);
    if (a) result = compute(op.op, arena.integer(*a), arena);
  } else if (ast.is(node, NodeKind::BinaryOp)) {
    const auto op = ast.get<node::BinaryOp>(node);
    const auto a = number_in(unit, op.left);
    const auto b = number_in(unit, op.right);
    if (a && b) result = compute(op.op, arena.integer(*a), arena.integer(*b), arena);
  }
  return result && result->is_integer() ? result->to_int64() : std::nullopt;
}

Alternative integers(std::optional<int64_t> low, std::optional<int64_t> high) {
  return {.kind = Kind::Integer, .low = low, .high = high};
}
Alternative literal(Atom atom) { return {.kind = Kind::Literal, .literal = atom}; }
Alternative of_kind(Kind kind) { return {.kind = kind}; }
// Of so many bits, and any number of times `unit` more.
Alternative bits(int64_t least, int64_t unit) {
  return {.kind = Kind::Binary, .low = least, .high = unit};
}

using symbolic::kLastCharacter;

}  // namespace

void SpecTypes::add_all(TypeId type, Alternatives& to) {
  for (const Alternative& a : types_.alternatives(type)) to.push_back(a);
}

TypeId SpecTypes::read(Scope& scope, NodeId node) {
  // A type that was declared is a name, and may be recursive: it stays one type.
  if (scope.unit.ast.is(node, NodeKind::AnnotatedType)) {
    return read(scope, scope.unit.ast.get<node::AnnotatedType>(node).type);
  }
  if (scope.unit.ast.is(node, NodeKind::UserType)) {
    const auto t = scope.unit.ast.get<node::UserType>(node);
    return declared(scope, scope.unit, t.name, scope.unit.ast.list(t.arguments));
  }
  Alternatives alternatives;
  add(scope, node, alternatives);
  return types_.of(std::move(alternatives));
}

// Read once for each list of arguments.
TypeId SpecTypes::declared(Scope& scope, const Unit& unit, Atom name,
                           std::span<const NodeId> arguments) {
  std::string key = fmt::format("{}:{}", unit.module.text(), name.text());
  for (const NodeId argument : arguments) {
    key += fmt::format(",{}", static_cast<uint32_t>(read(scope, argument)));
  }
  const auto it = declared_.find(key);
  if (it != declared_.end()) return it->second;
  const TypeId id = declared_[key] = types_.declare();
  Alternatives alternatives;
  add_declared(scope, unit, name, arguments, alternatives);
  const bool is_any =
      std::ranges::any_of(alternatives, [](const Alternative& a) { return a.kind == Kind::Any; });
  if (is_any) alternatives = {Alternative{}};
  types_.define(id, std::move(alternatives));
  return id;
}

void SpecTypes::add(Scope& scope, NodeId node, Alternatives& to) {
  constexpr int kDeepest = 100;
  if (scope.depth > kDeepest) return to.push_back(Alternative{});
  ++scope.depth;
  const Ast& ast = scope.unit.ast;
  switch (ast.kind(node)) {
    case NodeKind::Atom:
      to.push_back(literal(ast.get<node::Atom>(node).value));
      break;
    case NodeKind::Type: {
      const auto t = ast.get<node::Type>(node);
      add_predefined(scope, t.name, ast.list(t.arguments), to);
      break;
    }
    case NodeKind::AnyType: {
      const bool is_tuple = ast.get<node::AnyType>(node).name.text() == "tuple";
      to.push_back(of_kind(is_tuple ? Kind::Tuple : Kind::Map));
      break;
    }
    case NodeKind::UserType:
    case NodeKind::AnnotatedType:
      add_all(read(scope, node), to);
      break;
    case NodeKind::RemoteType: {
      const auto t = ast.get<node::RemoteType>(node);
      if (!ast.is(t.module, NodeKind::Atom) || !ast.is(t.name, NodeKind::Atom)) {
        to.push_back(Alternative{});
        break;
      }
      add_remote(scope, ast.get<node::Atom>(t.module).value, ast.get<node::Atom>(t.name).value,
                 ast.list(t.arguments), to);
      break;
    }
    case NodeKind::Var: {
      const Atom name = ast.get<node::Var>(node).name;
      const auto known = scope.variables.find(name);
      const auto constraint = scope.constraints.find(name);
      if (known != scope.variables.end()) {
        add_all(known->second, to);
      } else if (constraint != scope.constraints.end()) {
        const NodeId type = constraint->second;
        scope.variables[name] = TypeId::Any;  // one that refers to itself
        const TypeId id = scope.variables[name] = read(scope, type);
        add_all(id, to);
      } else {
        to.push_back(Alternative{});
      }
      break;
    }
    default:
      if (const auto n = number_in(scope.unit, node)) {
        to.push_back(integers(n, n));
      } else {
        to.push_back(Alternative{});
      }
  }
  --scope.depth;
}

void SpecTypes::add_predefined(Scope& scope, Atom name, std::span<const NodeId> arguments,
                               Alternatives& to) {
  const std::string_view t = name.text();
  const auto list_of = [&](Alternative element, bool nonempty) {
    to.push_back(
        {.kind = Kind::List, .nonempty = nonempty, .parts = {types_.of({std::move(element)})}});
  };
  if (t == "integer") return to.push_back(integers({}, {}));
  if (t == "non_neg_integer") return to.push_back(integers(0, {}));
  if (t == "pos_integer") return to.push_back(integers(1, {}));
  if (t == "neg_integer") return to.push_back(integers({}, -1));
  if (t == "char") return to.push_back(integers(0, kLastCharacter));
  if (t == "byte" || t == "arity") return to.push_back(integers(0, 255));
  if (t == "float") return to.push_back(of_kind(Kind::Float));
  if (t == "number") {
    to.push_back(integers({}, {}));
    return to.push_back(of_kind(Kind::Float));
  }
  if (t == "atom" || t == "module" || t == "node") return to.push_back(of_kind(Kind::Atom));
  if (t == "boolean") {
    to.push_back(literal(atoms::true_));
    return to.push_back(literal(atoms::false_));
  }
  if (t == "timeout") {
    to.push_back(integers(0, {}));
    return to.push_back(literal(Atom::intern("infinity")));
  }
  if (t == "string") return list_of(integers(0, kLastCharacter), false);
  if (t == "nonempty_string") return list_of(integers(0, kLastCharacter), true);
  if (t == "nil") return to.push_back(of_kind(Kind::Nil));
  if (t == "bitstring") return to.push_back(of_kind(Kind::Binary));
  if (t == "nonempty_bitstring") return to.push_back(bits(1, 1));
  if (t == "nonempty_binary") return to.push_back(bits(8, 8));
  if (t == "binary") {
    const auto size = arguments.size() == 2 ? number_in(scope.unit, arguments[0]) : 0;
    const auto unit = arguments.size() == 2 ? number_in(scope.unit, arguments[1]) : 8;
    const bool is_right = size && unit && *size >= 0 && *unit >= 0;
    return to.push_back(is_right ? bits(*size, *unit) : of_kind(Kind::Binary));
  }
  if (t == "iodata" || t == "iolist") {
    list_of(integers(0, 255), false);
    if (t == "iodata") to.push_back(bits(0, 8));
    return;
  }
  if (t == "union") {
    for (const NodeId argument : arguments) add(scope, argument, to);
    return;
  }
  if (t == "range" && arguments.size() == 2) {
    return to.push_back(
        integers(number_in(scope.unit, arguments[0]), number_in(scope.unit, arguments[1])));
  }
  if (t == "none" || t == "no_return") return;
  if (t == "pid" || t == "port" || t == "reference" || t == "identifier") {
    has_identifiers_ = true;
    if (t == "pid" || t == "identifier") to.push_back(of_kind(Kind::Pid));
    if (t == "reference" || t == "identifier") to.push_back(of_kind(Kind::Reference));
    return;
  }
  add_collection(scope, name, arguments, to);
}

void SpecTypes::add_collection(Scope& scope, Atom name, std::span<const NodeId> arguments,
                               Alternatives& to) {
  const std::string_view t = name.text();
  const bool nonempty = t.starts_with("nonempty_");
  if (t.ends_with("improper_list")) return add_improper_list(scope, t, arguments, to);
  if (t == "list" || t == "nonempty_list") {
    const TypeId element = arguments.empty() ? TypeId::Any : read(scope, arguments[0]);
    return to.push_back({.kind = Kind::List, .nonempty = nonempty, .parts = {element}});
  }
  if (t == "tuple") {
    Alternative tuple{.kind = Kind::TupleOf};
    for (const NodeId argument : arguments) tuple.parts.push_back(read(scope, argument));
    return to.push_back(std::move(tuple));
  }
  if (t == "mfa") {
    const TypeId atom = types_.of({of_kind(Kind::Atom)});
    return to.push_back(
        {.kind = Kind::TupleOf, .parts = {atom, atom, types_.of({integers(0, 255)})}});
  }
  if (t == "map") return add_map(scope, arguments, to);
  if (t == "record") return add_record(scope, arguments, to);
  if (t == "fun" || t == "function") {
    Alternative fun{.kind = Kind::Fun};
    const Ast& ast = scope.unit.ast;
    if (arguments.size() == 2) {
      if (ast.is(arguments[0], NodeKind::Type)) {
        const auto product = ast.get<node::Type>(arguments[0]);
        fun.arity = static_cast<int>(ast.list(product.arguments).size());
      }
      fun.parts = {read(scope, arguments[1])};
    }
    return to.push_back(std::move(fun));
  }
  to.push_back(Alternative{});
}

void SpecTypes::add_improper_list(Scope& scope, std::string_view name,
                                  std::span<const NodeId> arguments, Alternatives& to) {
  const bool has_types = arguments.size() == 2;
  const TypeId element = has_types ? read(scope, arguments[0]) : TypeId::Any;
  const TypeId end = has_types ? read(scope, arguments[1]) : TypeId::Any;
  const bool is_proper = name != "nonempty_improper_list";
  // What may follow a cell: more cells, or the end.
  const TypeId rest = types_.declare();
  Alternatives after = {{.kind = Kind::Cons, .parts = {element, rest}}};
  if (is_proper) after.push_back(of_kind(Kind::Nil));
  add_all(end, after);
  const bool is_any =
      std::ranges::any_of(after, [](const Alternative& a) { return a.kind == Kind::Any; });
  types_.define(rest, is_any ? Alternatives{Alternative{}} : std::move(after));
  if (!name.starts_with("nonempty_")) to.push_back(of_kind(Kind::Nil));
  to.push_back({.kind = Kind::Cons, .parts = {element, rest}});
}

// A type that is one of these; itself, if it is the only one: it may still be in the making.
TypeId SpecTypes::either(std::span<const TypeId> types) {
  if (types.size() == 1) return types[0];
  Alternatives all;
  for (const TypeId type : types) add_all(type, all);
  return types_.of(std::move(all));
}

void SpecTypes::add_map(Scope& scope, std::span<const NodeId> fields, Alternatives& to) {
  const Ast& ast = scope.unit.ast;
  Alternative map{.kind = Kind::MapOf};
  std::vector<TypeId> other_keys;
  std::vector<TypeId> other_values;
  for (const NodeId field : fields) {
    if (!ast.is(field, NodeKind::Type)) return to.push_back(of_kind(Kind::Map));
    const auto f = ast.get<node::Type>(field);
    const auto parts = ast.list(f.arguments);
    const auto number = parts.size() == 2 ? number_in(scope.unit, parts[0]) : std::nullopt;
    if (parts.size() != 2) return to.push_back(of_kind(Kind::Map));
    if (!number && !ast.is(parts[0], NodeKind::Atom)) {
      other_keys.push_back(read(scope, parts[0]));
      other_values.push_back(read(scope, parts[1]));
      continue;
    }
    map.keys.push_back(number ? Value::small(*number) : Value(ast.get<node::Atom>(parts[0]).value));
    map.parts.push_back(read(scope, parts[1]));
    map.required.push_back(f.name.text() == "map_field_exact");
  }
  if (!other_keys.empty()) {
    map.parts.push_back(either(other_keys));
    map.parts.push_back(either(other_values));
  }
  to.push_back(std::move(map));
}

void SpecTypes::add_record(Scope& scope, std::span<const NodeId> arguments, Alternatives& to) {
  const Ast& ast = scope.unit.ast;
  const Atom name = ast.get<node::Atom>(arguments[0]).value;
  for (const NodeId form : ast.forms()) {
    if (!ast.is(form, NodeKind::RecordDecl)) continue;
    const auto record = ast.get<node::RecordDecl>(form);
    if (record.name != name) continue;
    Alternative tuple{.kind = Kind::TupleOf, .parts = {types_.of({literal(name)})}};
    for (const NodeId field : ast.list(record.fields)) {
      const auto declared = ast.get<node::RecordFieldDecl>(field);
      const Atom field_name = ast.get<node::Atom>(declared.name).value;
      NodeId type = declared.type;
      // #record{field :: Type}: of that field only the values of the type.
      for (const NodeId argument : arguments.subspan(1)) {
        const auto refined = ast.list(ast.get<node::Type>(argument).arguments);
        if (refined.size() == 2 && ast.get<node::Atom>(refined[0]).value == field_name) {
          type = refined[1];
        }
      }
      tuple.parts.push_back(exists(type) ? read(scope, type) : TypeId::Any);
    }
    return to.push_back(std::move(tuple));
  }
  to.push_back(Alternative{});
}

void SpecTypes::add_declared(Scope& scope, const Unit& unit, Atom name,
                             std::span<const NodeId> arguments, Alternatives& to) {
  for (const NodeId form : unit.ast.forms()) {
    if (!unit.ast.is(form, NodeKind::TypeDecl)) continue;
    const auto declaration = unit.ast.get<node::TypeDecl>(form);
    const auto parameters = unit.ast.list(declaration.parameters);
    if (declaration.name != name || parameters.size() != arguments.size()) continue;
    Scope inner{.unit = unit, .depth = scope.depth};
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (!unit.ast.is(parameters[i], NodeKind::Var)) continue;
      inner.variables[unit.ast.get<node::Var>(parameters[i]).name] = read(scope, arguments[i]);
    }
    return add(inner, declaration.type, to);
  }
  unknown_types_.insert(fmt::format("{}:{}/{}", unit.module.text(), name.text(), arguments.size()));
  to.push_back(Alternative{});
}

// A type of another module. Of a library the types are read only here.
void SpecTypes::add_remote(Scope& scope, Atom module, Atom name, std::span<const NodeId> arguments,
                           Alternatives& to) {
  const Unit* unit = unit_of(module);
  if (!unit) {
    unknown_types_.insert(fmt::format("{}:{}/{}", module.text(), name.text(), arguments.size()));
    return to.push_back(Alternative{});
  }
  add_all(declared(scope, *unit, name, arguments), to);
}

const Unit* SpecTypes::unit_of(Atom module) {
  if (const auto it = units_.find(module); it != units_.end()) return it->second.get();
  std::shared_ptr<const Unit>& known = units_[module];
  Diagnostics ignored;  // whoever runs the module is told
  const auto source = session_.project().find_module(std::string(module.text()), ignored);
  if (!source) return nullptr;
  auto unit = std::make_shared<Unit>(session_.reader().make_unit());
  if (session_.reader().read(source->path, *source->options, *unit, ignored)) {
    known = std::move(unit);
  }
  return known.get();
}

std::vector<std::vector<TypeId>> SpecTypes::signatures(const Unit& unit, Atom function,
                                                       uint32_t arity) {
  const Ast& ast = unit.ast;
  std::vector<std::vector<TypeId>> result;
  for (const NodeId form : ast.forms()) {
    if (!ast.is(form, NodeKind::Spec)) continue;
    const auto spec = ast.get<node::Spec>(form);
    if (spec.name != function || spec.arity != arity || spec.attribute.text() != "spec") continue;
    for (NodeId signature : ast.list(spec.signatures)) {
      Scope scope{.unit = unit};
      if (ast.is(signature, NodeKind::BoundedFun)) {
        const auto bounded = ast.get<node::BoundedFun>(signature);
        for (const NodeId c : ast.list(bounded.constraints)) {
          const auto constraint = ast.get<node::Constraint>(c);
          if (!ast.is(constraint.variable, NodeKind::Var)) continue;
          scope.constraints[ast.get<node::Var>(constraint.variable).name] = constraint.type;
        }
        signature = bounded.function;
      }
      if (!ast.is(signature, NodeKind::Type)) continue;
      const auto parts = ast.list(ast.get<node::Type>(signature).arguments);
      if (parts.empty() || !ast.is(parts[0], NodeKind::Type)) continue;
      std::vector<TypeId> parameters;
      for (const NodeId p : ast.list(ast.get<node::Type>(parts[0]).arguments)) {
        parameters.push_back(read(scope, p));
      }
      if (parameters.size() == arity) result.push_back(std::move(parameters));
    }
  }
  return result;
}

}  // namespace fathom::generate
