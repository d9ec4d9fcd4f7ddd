// The modules of a run, under one numbering of their nodes: flow graphs, coverage, slices and
// traces speak of a node in one 32-bit word, whatever module it is in.
//
// Modules are added when they are first needed; each gets the ids that follow those of the
// module before it. So a module keeps its ids while the program grows, ids are dense, and the
// same modules added in the same order have the same ids. Modules of libraries are added
// function by function, as those are called (parts.h). That order, and that of several threads
// that add modules, is not determined: what outlives the program (a file, a report) names a
// node by its module and its place.
//
// From a module's own NodeId to the global one is an addition (Module::global); the way back is
// a binary search over the modules. A module belongs to one program, is immutable from then
// on, and may be used by several machines. Safe for several threads. Replaced and mocked
// modules stay: nodes of theirs may have been recorded.
//
// Limit: 2^32 nodes; a module beyond is refused.
#pragma once

#include <deque>
#include <memory>
#include <shared_mutex>

#include "base/place.h"
#include "base/result.h"
#include "core/core.h"

namespace fathom::core {

struct ProgramModule {
  std::shared_ptr<const Unit> unit;
  std::shared_ptr<const Module> core;
};

class Program {
 public:
  // `core` is lowered from `unit`.
  Result<ProgramModule> add(std::shared_ptr<const Unit> unit, std::unique_ptr<Module> core);

  size_t id_count() const;
  size_t module_count() const;
  // The modules in the order of their ids.
  const ProgramModule& module(size_t index) const;

  // The module of a node, and its id there. The node, or part of constant data, must exist.
  struct Local {
    const Module* module;
    NodeId id;
  };
  Local local(GlobalNodeId node) const;

  Place place_of(GlobalNodeId node) const;
  const Function& function_of(GlobalNodeId node) const;

 private:
  mutable std::shared_mutex mutex_;
  std::deque<ProgramModule> modules_;  // in the order of their bases; they stay where they are
  uint32_t next_base_ = 0;
};

}  // namespace fathom::core
