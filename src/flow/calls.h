// Who calls and starts whom.
#pragma once

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "flow/facts.h"

namespace fathom::flow {

class Engine;

// How a function is invoked at a site: called, or started as a process.
struct Invocation {
  SiteId site{};
  CallKind kind{};
  ObjectId process{};        // that is started, if it is a Spawn
  bool is_doubtful = false;  // what is unknown may be no fun at all, and then nothing is called
};

class Calls {
 public:
  explicit Calls(Engine& engine) : engine_(engine) {}

  InstanceId instance(const FunctionCode& code, ContextId context);
  // From the outside: its arguments are unknown, a process of its own runs it; if it is open,
  // its result escapes. After kMostCallers entries, the others share one process.
  static constexpr size_t kMostCallers = 20;
  void enter(const FunctionCode& code, bool is_open);

  void function(const Invocation& how, const FunctionCode& code, std::span<const Slot> arguments);
  void named(const Invocation& how, const FunctionName& name, std::span<const Slot> arguments);
  // Whether its effect counts instead of its code.
  bool is_modelled(const FunctionName& name);
  // Of modules and names that are known only as values.
  void dynamic(const Invocation& how, Slot module, Slot name, const std::vector<Slot>& arguments);
  void value(const Invocation& how, Slot fun, const std::vector<Slot>& arguments);
  // With the arguments in a list.
  void value_with_list(const Invocation& how, Slot fun, Slot list);
  void dynamic_with_list(const Invocation& how, Slot module, Slot name, Slot list);

  // The author's exported functions that a computed module and name may mean.
  std::vector<FunctionName> computed_names(const Object& module, const Object& name);

  // Code that is not known calls the fun.
  void from_outside(ObjectId fun);
  // It has come by the atom, which may be the name of a function.
  void named_outside(Atom name);
  // A service of that name is used: what it may call in the author's modules.
  void callbacks_of_service(Atom name);

 private:
  struct ListLevel {
    Slot cells;    // what is left of the list
    Slot element;  // of it, the first
  };

  void connect(const Invocation& how, InstanceId callee, std::span<const Slot> arguments);
  void fun(const Invocation& how, ObjectId fun, std::span<const Slot> arguments);
  SiteId site_in(const Invocation& how);
  void leave_result(const Instance& callee);
  void leave_to_outside(const Instance& callee);
  ObjectId error_tuple(const Invocation& how, std::string_view name, ObjectId what);
  void bad_fun(const Invocation& how, ObjectId what);
  void bad_arity(const Invocation& how, ObjectId fun, std::span<const Slot> arguments);
  std::optional<FunctionCode> code_of(const Object& fun);
  bool is_for_debugging(const Site& site) const;
  void unknown(const Invocation& how, std::span<const Slot> arguments, std::string what);
  void become_known(Slot processes);
  void each_plain(Slot slot, std::function<void(ObjectId)> f);
  void callbacks(const Invocation& how, Atom name, std::span<const Slot> arguments);
  void named_with_list(const Invocation& how, Atom module, Atom name, Slot list);
  ListLevel level(Slot list, size_t index);
  // Once, if the list may have so many elements; f(arguments).
  void when_length(Slot list, size_t length, std::function<void(std::span<const Slot>)> f);
  ContextId context(const Invocation& how, const FunctionCode& code);
  // The author's exported functions of that name.
  std::span<const FunctionName> own_exports(Atom name);

  Engine& engine_;
  std::unordered_map<uint64_t, InstanceId> instances_;  // by the entry node and the context
  std::unordered_set<uint64_t> connected_;              // site and callee
  std::unordered_set<uint64_t> called_from_outside_;
  std::unordered_map<Slot, std::vector<ListLevel>> lists_;
  std::unordered_map<Atom, std::vector<FunctionName>> own_exports_;
};

}  // namespace fathom::flow
