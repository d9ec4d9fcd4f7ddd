#include "core/declarations.h"

#include <algorithm>

#include "syntax/abstract.h"

namespace fathom::core {
namespace {

// Calls f(name, arity) for the f/1 of a list.
template <class F>
void for_each_name(Term list, F&& f) {
  if (!list.is_list()) return;
  for (const Term item : list.list()) {
    if (item.is_tuple(2) && item[0].is_atom() && item[1].is_small()) {
      f(item[0].atom(), static_cast<uint32_t>(item[1].small()));
    }
  }
}

bool has_export_all(Term options) {
  if (options.is_atom()) return options.atom().text() == "export_all";
  if (!options.is_list()) return false;
  for (const Term option : options.list()) {
    if (option.is_atom() && option.atom().text() == "export_all") return true;
  }
  return false;
}

class Collector {
 public:
  explicit Collector(Module& module) : unit_(module.unit()), ast_(unit_.ast), module_(module) {}

  Declarations run(std::span<const DeclaredFunction> functions) {
    for (const AstId form : ast_.forms()) {
      if (ast_.kind(form) == NodeKind::RecordDecl) record(form);
      if (ast_.kind(form) == NodeKind::Attribute) attribute(form);
    }
    for (const DeclaredFunction& f : functions) function(f);
    files();
    return std::move(result_);
  }

 private:
  void function(const DeclaredFunction& declared) {
    const uint64_t key = function_key(declared.name, declared.arity);
    if (!result_.functions.insert(key).second) return;
    Function& f = module_.functions.emplace_back();
    f.name = declared.name;
    f.arity = declared.arity;
    f.origin = declared.origin;
    f.exported = export_all_ || exports_.contains(key);
  }

  void record(AstId form) {
    const auto declared = ast_.get<fathom::node::RecordDecl>(form);
    Declarations::Record record;
    for (const AstId field : ast_.list(declared.fields)) {
      const auto f = ast_.get<fathom::node::RecordFieldDecl>(field);
      record.fields.push_back({ast_.get<fathom::node::Atom>(f.name).value, f.value});
    }
    result_.records.emplace(declared.name, std::move(record));
  }

  void attribute(AstId form) {
    const auto attribute = ast_.get<fathom::node::Attribute>(form);
    std::vector<Term> values;
    for (const AstId id : ast_.list(attribute.values)) {
      auto value = constant_value(unit_, id, module_.arena, NameArity::Pair);
      if (!value) return;
      values.push_back(*value);
    }
    if (attribute.name == atoms::export_ && values.size() == 1) {
      for_each_name(values[0], [this](Atom name, uint32_t arity) {
        exports_.insert(function_key(name, arity));
      });
    } else if (attribute.name == atoms::import && values.size() == 2 && values[0].is_atom()) {
      for_each_name(values[1], [&](Atom name, uint32_t arity) {
        result_.imports.emplace(function_key(name, arity), values[0].atom());
      });
    } else if (values.size() == 1) {
      if (attribute.name == atoms::compile) export_all_ |= has_export_all(values[0]);
      module_.attributes.emplace_back(attribute.name, values[0]);
    }
  }

  // A form has the highest id of its nodes. Forms that a parse transform has made may have
  // lower ids than those before them: the highest id so far is what counts.
  void files() {
    uint32_t next = 0;  // the first id that no form so far has
    for (const AstId form : ast_.forms()) {
      if (ast_.kind(form) == NodeKind::Attribute) {
        const auto attribute = ast_.get<fathom::node::Attribute>(form);
        const std::span<const AstId> values = ast_.list(attribute.values);
        if (attribute.name == atoms::file && !values.empty() &&
            ast_.is(values[0], NodeKind::String)) {
          const auto name = ast_.get<fathom::node::String>(values[0]).value;
          module_.files.push_back({AstId{next}, std::string(unit_.literals().strings[name])});
        }
      }
      next = std::max(next, static_cast<uint32_t>(form) + 1);
    }
  }

  const Unit& unit_;
  const Ast& ast_;
  Module& module_;
  Declarations result_;
  std::unordered_set<uint64_t> exports_;
  bool export_all_ = false;
};

}  // namespace

Declarations declare(std::span<const DeclaredFunction> functions, Module& module) {
  return Collector(module).run(functions);
}

}  // namespace fathom::core
