#include "code/code_table.h"

#include "values/convert.h"

namespace fathom::machine {

Export* CodeTable::find_export(Atom module, Atom name, uint32_t arity) {
  Export*& entry = by_name_[{module, name, arity}];
  if (!entry) entry = &exports_.emplace_back(Export{{module, name, arity}});
  return entry;
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
  for (uint32_t i = 0; i < core->functions.size(); ++i) {
    const core::Function& f = core->functions[i];
    Function& function = module.functions.emplace_back();
    function.module = module.name;
    function.name = f.name;
    function.arity = f.arity;
    function.captures = f.captures;
    function.index = i;
    function.owner = &module;
  }
  module.unit = std::move(unit);
  module.core = std::move(core);
  return module;
}

LoadedModule* CodeTable::load(std::shared_ptr<const Unit> unit,
                              std::shared_ptr<const core::Module> core) {
  LoadedModule& module = add_module(std::move(unit), std::move(core));
  for (Function& function : module.functions) {
    if (!module.core->functions[function.index].exported) continue;
    Export* target = find_export(module.name, function.name, function.arity);
    if (!target->mocked) target->function = &function;
  }
  current_[module.name] = &module;
  return &module;
}

LoadedModule* CodeTable::load_mock(std::shared_ptr<const Unit> unit,
                                   std::shared_ptr<const core::Module> core) {
  LoadedModule& module = add_module(std::move(unit), std::move(core));
  for (Function& function : module.functions) {
    if (!module.core->functions[function.index].exported) continue;
    Export* target = find_export(module.name, function.name, function.arity);
    if (target->native) hidden_[target] = &exports_.emplace_back(*target);
    target->native = nullptr;
    target->function = &function;
    target->mocked = true;
  }
  mocks_[module.name] = &module;
  return &module;
}

Value CodeTable::literal(LoadedModule& module, core::LiteralId id) {
  Value& value = module.literals[static_cast<size_t>(id)];
  if (!value.is_none()) return value;
  heap_.begin_permanent();
  value = to_value((*module.core)[id], heap_,
                   [this](Atom m, Atom f, uint32_t arity) { return find_export(m, f, arity); });
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
