// The code of a machine: its modules, and the exports that tie them together.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/hash.h"
#include "base/result.h"
#include "code/code_mode.h"
#include "code/module.h"
#include "values/heap.h"

namespace fathom::machine {

class CodeTable {
 public:
  // `unmodelled`: what is run in place of a native function that is not there.
  CodeTable(Heap& heap, Native unmodelled, CodeMode mode)
      : heap_(heap), unmodelled_(unmodelled), mode_(mode) {}

  CodeMode mode() const { return mode_; }

  // The entry of a function, made if nobody has mentioned it yet.
  Export* find_export(Atom module, Atom name, uint32_t arity);
  void set_native(const NativeEntry& entry);
  // The function is an event (event.h).
  void set_visible(const VisibleNative& native);
  // Functions of a mock take the place of those of the same name, whatever is loaded
  // later. What it does not define stays as it is.
  LoadedModule* load_mock(std::shared_ptr<const Unit> unit,
                          std::shared_ptr<const core::Module> core);
  // The entry of a function that has native code, even if a mock hides it; else null.
  Export* find_native(Atom module, Atom name, uint32_t arity);
  // Null if there is no mock of that name.
  LoadedModule* find_mock(Atom name);

  LoadedModule* find_module(Atom name);
  // A module that is there already is replaced: its functions are found no more, but
  // who runs them goes on. With parts, `core` is their outline.
  LoadedModule* load(std::shared_ptr<const Unit> unit, std::shared_ptr<const core::Module> core,
                     std::shared_ptr<core::Parts> parts = nullptr);
  // For who loads and deletes code during a run, and takes that back: which module is current and
  // which one is old, in places that stay where they are; null: none.
  LoadedModule*& current_module(Atom name) { return current_[name]; }
  LoadedModule*& old_module(Atom name) { return old_[name]; }
  // The entries of a module's functions, those that were only mentioned too.
  std::vector<Export*> exports_of(Atom module);
  // A module whose functions nobody finds yet.
  LoadedModule* add(std::shared_ptr<const Unit> unit, std::shared_ptr<const core::Module> core) {
    return &add_whole_module(std::move(unit), std::move(core));
  }
  // The code of a fun by its index and number (fun_number), of the newest module that has it; null:
  // none has, or its function was never called.
  const Function* find_fun(Atom module, uint32_t index, uint32_t number) const;
  // Makes sure that the Core of the function is there, if it is in a part of its module.
  Result<void> read(Function& function);

  // Those that are loaded, in the order in which that happened.
  template <class F>
  void for_each_module(F&& f) const {
    for (const LoadedModule& module : modules_) {
      const auto it = current_.find(module.name);
      if (it != current_.end() && it->second == &module) f(module);
    }
  }

  // `label`: of all that it consists of, if this is where it is made.
  Value literal(LoadedModule& module, core::LiteralId id, Label label = kNoLabel);
  // A literal that the compiler itself makes.
  Value binary_literal(std::string_view bytes);
  // The function whose code holds the address.
  const Function* function_at(const uint64_t* pc) const {
    Known& known = known_[reinterpret_cast<uintptr_t>(pc) / sizeof(uint64_t) % known_.size()];
    if (known.pc != pc) known = {pc, find_function(pc)};
    return known.function;
  }
  void add_code(Function* function);

  Heap& heap() { return heap_; }

 private:
  // Without functions.
  LoadedModule& add_module(std::shared_ptr<const Unit> unit,
                           std::shared_ptr<const core::Module> core);
  LoadedModule& add_whole_module(std::shared_ptr<const Unit> unit,
                                 std::shared_ptr<const core::Module> core);
  const Function* find_function(const uint64_t* pc) const;

  struct Key {
    Atom module;
    Atom name;
    uint32_t arity;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return hash_words(uint64_t{k.module.id()} << 32 | k.name.id(), k.arity);
    }
  };

  Heap& heap_;
  Native unmodelled_;
  CodeMode mode_;
  std::deque<Export> exports_;
  std::unordered_map<Key, Export*, KeyHash> by_name_;
  std::deque<LoadedModule> modules_;
  std::unordered_map<Atom, LoadedModule*> current_;
  std::unordered_map<Atom, LoadedModule*> old_;
  std::unordered_map<Atom, LoadedModule*> mocks_;
  std::unordered_map<const Export*, Export*> hidden_;  // native functions, by their mock's entry
  std::map<const uint64_t*, Function*> code_;          // by first word
  // What function_at() was asked of late: by address. Code that is there stays there.
  struct Known {
    const uint64_t* pc = nullptr;
    const Function* function = nullptr;
  };
  mutable std::array<Known, 64> known_;
};

}  // namespace fathom::machine
