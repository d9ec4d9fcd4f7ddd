// What the analysis finds, as plain data: which functions are reached in which contexts, who calls
// and starts whom, who sends what to whom, where control can go.
#pragma once

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "flow/code.h"
#include "flow/contexts.h"
#include "flow/object.h"

namespace fathom::flow {

enum class InstanceId : uint32_t {};
enum class SiteId : uint32_t {};

// Exceptions by their class: three slots that follow each other. One more has the classes as values
// of the program, `error` in erlang:raise(error, …), for those who ask where values were built.
enum class ExceptionClass : uint8_t { Error, Exit, Throw };
inline constexpr size_t kExceptionClasses = 3;
inline constexpr size_t kRaisedClass = kExceptionClasses;
inline constexpr size_t kExceptionSlots = kExceptionClasses + 1;
constexpr Slot of_class(Slot exceptions, ExceptionClass c) {
  return exceptions + static_cast<size_t>(c);
}

// A function in a context.
struct Instance {
  FunctionCode code;
  ContextId context{};
  Cloning cloning{};
  Slot variables = kNoSlot;  // those of the function, by VarId
  Slot result = kNoSlot;
  Slot self = kNoSlot;        // the processes that run it
  Slot exceptions = kNoSlot;  // that leave it

  const core::Function& function() const { return (*code.module)[code.function]; }
};

// A node in an instance that calls, starts or sends something.
struct Site {
  InstanceId instance{};
  core::NodeId node{};
  core::GlobalNodeId global{};
  Slot handler = kNoSlot;  // where its exceptions go
  Slot result = kNoSlot;
  Slot self = kNoSlot;  // the processes that run it, if not those of the instance
};

enum class CallKind : uint8_t { FirstOrder, HigherOrder, Spawn };

struct CallEdge {
  SiteId site{};
  InstanceId callee{};
  CallKind kind{};
};

// A function that has no code here, called: a native one, or one of effects.def.
struct ExternalCall {
  SiteId site{};
  FunctionName name;
  CallKind kind{};
};

struct Send {
  SiteId site{};
  Slot receivers = kNoSlot;  // processes
  Slot message = kNoSlot;
  bool is_signal = false;   // the system sends it: 'DOWN', 'EXIT'
  bool is_outside = false;  // it is not known where it goes: to what has escaped, too
};

// What the clauses of a case or receive take.
struct DispatchFacts {
  InstanceId instance{};
  core::NodeId node{};
  Slot message = kNoSlot;  // of a receive
  struct Clause {
    core::NodeId node{};
    bool is_reached = false;
    Slot taken = kNoSlot;  // of the message; or none
  };
  std::vector<Clause> clauses;
};

struct TryFacts {
  InstanceId instance{};
  core::NodeId node{};
  Slot exceptions = kNoSlot;
};

// Something that the analysis could not follow, and what follows from that.
struct UnknownFact {
  core::GlobalNodeId node{};
  std::string what;
  bool operator==(const UnknownFact&) const = default;
};

// The processes that were given a name, as it is written.
struct NameFacts {
  Atom name;
  Slot processes = kNoSlot;
};

// A process that an entry runs in.
struct RootFacts {
  ObjectId process{};
  InstanceId entry{};
};

struct AnalysisOptions {
  // Constants in the author's code are known by the nodes that have them, and values of the
  // author's that have escaped, with what libraries have made for them, are told apart also where
  // something unknown is: so each set says where its values were built; and guards are analysed. It
  // takes longer.
  bool knows_origins = false;
  // Whoever calls an open entry may also use all names, tables and dictionaries, and be sent
  // messages: then nothing is unreachable because only the caller could lead there.
  bool callers_do_anything = false;
};

struct Facts {
  std::vector<Instance> instances;
  std::vector<Site> sites;
  std::vector<CallEdge> calls;
  std::vector<ExternalCall> external_calls;
  std::vector<Send> sends;
  std::vector<DispatchFacts> dispatches;
  std::vector<TryFacts> tries;
  std::vector<UnknownFact> unknowns;
  // Calls and sends of which it is not known where they go: to any function, or any process, that
  // code outside of the analysis may have come by.
  std::unordered_set<core::GlobalNodeId> outside_calls;
  std::unordered_set<core::GlobalNodeId> outside_sends;
  std::unordered_set<core::GlobalNodeId> outside_callees;  // their Entry nodes
  std::vector<NameFacts> names;
  std::vector<RootFacts> roots;
  std::unordered_set<uint64_t> regions;  // that control may enter: instance and RegionId

  const Instance& operator[](InstanceId id) const { return instances[static_cast<size_t>(id)]; }
  const Site& operator[](SiteId id) const { return sites[static_cast<size_t>(id)]; }
  Slot self_of(const Site& site) const {
    return exists(site.self) ? site.self : (*this)[site.instance].self;
  }
};

constexpr uint64_t region_key(InstanceId instance, core::RegionId region) {
  return uint64_t{static_cast<uint32_t>(instance)} << 32 | static_cast<uint32_t>(region);
}

}  // namespace fathom::flow
