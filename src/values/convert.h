// Between the values of a machine and the terms of the world outside it
// (base/term.h): literals of source, results to be printed, the abstract format
// for parse transforms, External Term Format. O(size), without recursion; what is
// shared within a value is not shared in the term.
#pragma once

#include <functional>

#include "base/result.h"
#include "base/term.h"
#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

// The entry of fun M:F/A in the machine's table.
using ExportLookup = std::function<const Mfa*(Atom module, Atom function, uint32_t arity)>;

// The code of a fun by its module, its index there and its number (fun_number); null: it is not
// there.
using FunLookup = std::function<const LocalFunction*(Atom module, uint32_t index, uint32_t number)>;

// Funs that are not local ones stay what they are written as, and so do all without `funs`.
Value to_value(Term term, Heap& heap, const ExportLookup& exports, const FunLookup& funs = {});
// The number that the text of a fun ends with. OTP's depends on the module's code,
// ours on the fun's name.
uint32_t fun_number(const LocalFunction& code);
// What a report calls the process with a pid of that number; empty: as Erlang prints the pid.
using PidNames = std::function<std::string(uint64_t number)>;
// Funs, pids, ports and references become opaque terms with the text that Erlang
// prints for them.
Term to_term(Value value, TermArena& arena, const PidNames& pid_names = {});

}  // namespace fathom::machine
