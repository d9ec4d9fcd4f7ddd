// What all processes of a machine share and can change, beside ETS: each in a
// struct of its own. What is a value is an immutable map that a change replaces, so
// keeping the word that was there before is enough to go back. Changes
// are made through the machine's journal.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "machine/timers.h"
#include "machine/transit.h"
#include "machine/zlib_streams.h"
#include "values/value.h"

namespace fathom::machine {

// persistent_term: key => value; no map until it is first asked for.
struct PersistentTerms {
  Value map;
};

// The environment as the program sees it, names and values as binaries; none() until
// it is first asked for, then a copy of Fathom's own.
struct Environment {
  Value map = Value::none();
};

// Arrays of atomics and counters, by the number of their reference. Nothing tells
// when a reference is gone, so they stay.
struct AtomicArray {
  bool is_signed = true;
  bool is_counters = false;  // made by counters:new(_, [write_concurrency])
  std::vector<uint64_t> words;
};
struct Atomics {
  std::map<uint64_t, AtomicArray> arrays;
};

// Registered names: atom => pid; no map until the first one. A name that a service which only
// answers (services.h) has lost, and nobody has, is there with `undefined`.
struct Names {
  Value map = Value::none();
};

// Aliases of processes: reference => pid; no map until the first one.
struct Aliases {
  Value map = Value::none();
};

// Processes that have ended: pid => {Lineage, TrappedExits, Links}. Kept where the
// machine is observed, of those that trapped exits, and of all where all signals take time or some
// are on their way; no map until the first one.
struct EndedProcesses {
  Value map = Value::none();
};

// ets:match_spec_compile/1: number of a reference => the specification; none() until the
// first one. Like arrays of atomics they stay.
struct MatchSpecs {
  Value map = Value::none();
};

// Files as the program sees them; no maps until they are first needed.
struct Files {
  Value open = Value::none();         // reference => {key, position, flags, path on the disk}
  Value nodes = Value::none();        // key => what was made or changed (natives/overlay.h)
  Value buffers = Value::none();      // reference => what it holds, a binary
  Value current_dir = Value::none();  // a binary; none(): Fathom's own
};

// The code path as the program has changed it, a list of strings; none(): not at all.
struct CodeDirectories {
  Value list = Value::none();
};

// What erlang:system_flag/2 and erlang:system_monitor/2 were given: name => value; no map until the
// first one.
struct SystemFlags {
  Value map = Value::none();
};

// What is traced (tracing.h); no maps until something is.
struct Tracing {
  Value processes = Value::none();  // pid => {flags, tracer}
  Value functions = Value::none();  // {Module, Name, Arity} => what is told of its calls
  Value created = Value::none();    // {flags, tracer} of processes to come
  Value sent = Value::none();       // the match specification of messages that are sent,
  Value received = Value::none();   // and of those that are received
};

struct SharedState {
  Timers timers;
  Transit transit;
  Names names;
  Aliases aliases;
  EndedProcesses ended;
  PersistentTerms persistent_terms;
  Environment environment;
  Atomics atomics;
  MatchSpecs match_specs;
  ZlibStreams zlib;
  Files files;
  CodeDirectories code_directories;
  SystemFlags system_flags;
  Tracing tracing;
  int64_t last_now = 0;  // what erlang:now/0 said

  template <class Visitor>
  void visit_values(Visitor&& visit) {
    timers.visit_values(visit);
    transit.visit_values(visit);
    visit(names.map);
    visit(aliases.map);
    visit(ended.map);
    visit(persistent_terms.map);
    visit(environment.map);
    visit(match_specs.map);
    visit(tracing.processes);
    visit(tracing.functions);
    visit(tracing.created);
    visit(tracing.sent);
    visit(tracing.received);
    visit(files.open);
    visit(files.nodes);
    visit(files.buffers);
    visit(files.current_dir);
    visit(code_directories.list);
    visit(system_flags.map);
  }
};

}  // namespace fathom::machine
