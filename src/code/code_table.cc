#include "code/code_table.h"

#include <algorithm>

#include "values/convert.h"

namespace fathom::machine {

Export* CodeTable::find_export(Atom module, Atom name, uint32_t arity) {
  Export*& entry = by_name_[{module, name, arity}];
  if (!entry) entry = &exports_.emplace_back(Export{{module, name, arity}});
  return entry;
}

std::vector<Export*> CodeTable::exports_of(Atom module) {
  std::vector<Export*> found;
  for (Export& entry : exports_) {
    if (entry.module == module) found.push_back(&entry);
  }
  return found;
}

void CodeTable::set_native(const NativeEntry& entry) {
  Export* target = find_export(Atom::intern(entry.module), Atom::intern(entry.name), entry.arity);
  target->native = entry.code ? entry.code : unmodelled_;
  // What is not modelled must know who calls it.
  target->may_call = entry.may_call || !entry.code;
  target->missing = entry.missing;
}

void CodeTable::set_visible(const VisibleNative& native) {
  Export* target =
      find_export(Atom::intern(native.module), Atom::intern(native.name), native.arity);
  target->event = native.kind;
  target->access = native.access;
}

LoadedModule* CodeTable::find_module(Atom name) {
  const auto it = current_.find(name);
  return it == current_.end() ? nullptr : it->second;
}

Export* CodeTable::find_native(Atom module, Atom name, uint32_t arity) {
  Export* target = find_export(module, name, arity);
  const auto it = hidden_.find(target);
  if (it != hidden_.end()) return it->second;
  return target->native ? target : nullptr;
}

LoadedModule* CodeTable::find_mock(Atom name) {
  const auto it = mocks_.find(name);
  return it == mocks_.end() ? nullptr : it->second;
}

LoadedModule& CodeTable::add_module(std::shared_ptr<const Unit> unit,
                                    std::shared_ptr<const core::Module> core) {
  LoadedModule& module = modules_.emplace_back();
  module.name = core->name();
  module.literals.assign(core->literals.size(), Value::none());
  module.functions.reserve(core->functions.size());
  module.unit = std::move(unit);
  module.core = std::move(core);
  return module;
}

namespace {

// Whether -compile({inline, [Name/Arity, …]}) has it.
bool is_inlined(const core::Module& module, const core::Function& function) {
  static const Atom compile = Atom::intern("compile");
  static const Atom inlined = Atom::intern("inline");
  const auto names_it = [&](Term name) {
    return name.is_tuple(2) && name[0].is_atom(function.name) && name[1].is_small() &&
           name[1].small() == function.arity;
  };
  const auto option_has_it = [&](Term option) {
    if (!option.is_tuple(2) || !option[0].is_atom(inlined)) return false;
    const Term names = option[1];
    return names_it(names) ||
           (names.is_cons() && std::ranges::any_of(names.chunk().items, names_it));
  };
  return std::ranges::any_of(module.attributes, [&](const auto& attribute) {
    const auto& [name, value] = attribute;
    if (name != compile) return false;
    return option_has_it(value) ||
           (value.is_cons() && std::ranges::any_of(value.chunk().items, option_has_it));
  });
}

void add_function(LoadedModule& module, core::FunctionId id, uint32_t index) {
  const core::Function& f = (*module.core)[id];
  Function& function = module.own_functions.emplace_back();
  function.module = module.name;
  function.name = f.name;
  function.arity = f.arity;
  function.captures = f.captures;
  function.index = index;
  function.owner = &module;
  function.id = id;
  function.is_inlined = is_inlined(*module.core, f);
  module.functions.push_back(&function);
}

}  // namespace

LoadedModule& CodeTable::add_whole_module(std::shared_ptr<const Unit> unit,
                                          std::shared_ptr<const core::Module> core) {
  LoadedModule& module = add_module(std::move(unit), std::move(core));
  for (uint32_t i = 0; i < module.core->functions.size(); ++i) {
    add_function(module, core::FunctionId{i}, i);
  }
  return module;
}

// What was lifted out of a function gets its index plus multiples of their number in the module:
// so indices are unique and do not depend on what is read first.
Result<void> CodeTable::read(Function& function) {
  LoadedModule& module = *function.owner;
  if (!module.parts) return {};
  auto read = module.parts->read(function.id);
  if (!read) return read.error();
  LoadedModule& part = add_module(std::move(read->unit), std::move(read->core));
  part.functions.push_back(&function);
  uint32_t index = function.index;
  for (uint32_t i = 1; i < part.core->functions.size(); ++i) {
    const core::Function& f = part.core->functions[i];
    if (core::exists(f.body)) {
      index += static_cast<uint32_t>(module.functions.size());
      add_function(part, core::FunctionId{i}, index);
    } else {
      const core::FunctionId other = *module.core->find(f.name, f.arity);
      part.functions.push_back(module.functions[static_cast<size_t>(other)]);
    }
  }
  function.owner = &part;
  function.id = core::FunctionId{0};
  return {};
}

const Function* CodeTable::find_fun(Atom name, uint32_t index, uint32_t number) const {
  for (auto module = modules_.rbegin(); module != modules_.rend(); ++module) {
    if (module->name != name) continue;
    for (const Function& function : module->own_functions) {
      if (function.index == index && fun_number(function) == number) return &function;
    }
  }
  return nullptr;
}

LoadedModule* CodeTable::load(std::shared_ptr<const Unit> unit,
                              std::shared_ptr<const core::Module> core,
                              std::shared_ptr<core::Parts> parts) {
  LoadedModule& module = add_whole_module(std::move(unit), std::move(core));
  module.parts = std::move(parts);
  for (Function& function : module.own_functions) {
    if (!(*module.core)[function.id].exported) continue;
    Export* target = find_export(module.name, function.name, function.arity);
    if (!target->mocked) target->function = &function;
  }
  current_[module.name] = &module;
  return &module;
}

LoadedModule* CodeTable::load_mock(std::shared_ptr<const Unit> unit,
                                   std::shared_ptr<const core::Module> core) {
  LoadedModule& module = add_whole_module(std::move(unit), std::move(core));
  for (Function& function : module.own_functions) {
    if (!(*module.core)[function.id].exported) continue;
    Export* target = find_export(module.name, function.name, function.arity);
    if (target->native) hidden_[target] = &exports_.emplace_back(*target);
    target->native = nullptr;
    target->function = &function;
    target->mocked = true;
  }
  mocks_[module.name] = &module;
  return &module;
}

Value CodeTable::literal(LoadedModule& module, core::LiteralId id, Label label) {
  Value& value = module.literals[static_cast<size_t>(id)];
  if (!value.is_none()) return value;
  heap_.begin_permanent();
  const uint64_t* const since = heap_.top();
  value = to_value((*module.core)[id], heap_,
                   [this](Atom m, Atom f, uint32_t arity) { return find_export(m, f, arity); });
  if (heap_.is_labelled()) heap_.label_new(since, label);
  heap_.end_permanent();
  return value;
}

Value CodeTable::binary_literal(std::string_view bytes) {
  heap_.begin_permanent();
  const Value value = heap_.binary(bytes);
  heap_.end_permanent();
  return value;
}

void CodeTable::add_code(Function* function) { code_[function->code.data()] = function; }

const Function* CodeTable::find_function(const uint64_t* pc) const {
  auto it = code_.upper_bound(pc);
  if (it == code_.begin()) return nullptr;
  --it;
  const Function* f = it->second;
  return pc < f->code.data() + f->code.size() ? f : nullptr;
}

}  // namespace fathom::machine
