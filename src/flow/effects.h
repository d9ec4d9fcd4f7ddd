// What functions do with their arguments, for those whose code is not analysed: native functions,
// and some of OTP's whose code would tell nothing more (writing, logging, files).
//
// effects.def has one line for each, in a small language:
//
//   EFFECT("erlang", "hd", 1, "= head($1)")
//   EFFECT("erlang", "send_after", 3, "send($2, $3); = ref")
//
// Actions in sequence, then the result. An expression stands for a set of values:
//
//   $N                      an argument
//   'ok'  7  nil  integer  float  number  atom  boolean  bits  string  pid  port  unknown
//   arithmetic(A, …)        an integer; a float too, if one of A may be a float
//   ref                     a reference that this call makes; the same wherever it stands
//   self                    the processes that make the call
//   {A, B}  list(A)         a tuple, a list, that this call makes; list(A, B): the end of it is B
//   replaced(T, N, A)       a tuple that this call makes: like T, with A at the place N
//   A | B                   either
//   head(A) tail(A) elem(A) of a list: the head and the tail of its cells, all its elements
//   tails(A)                A, its tail, the tail of that, and so on
//   part(A)  part(A, N)     the elements of a tuple; those at these places
//   deep(A)                 A and all that is in it, at any depth
//   captured(A)             what funs have captured
//   funs(A)                 those of A that are funs, or may be; where it is not known, a call of
//                           them may be one of what has escaped, and says nothing
//   pids(A)                 those of A that are known to be processes
//   value(M, K) values(M) keys(M) with(M, K, V)   of a map
//   map(K, V)               a map that this call makes, of these keys and values
//   call(F, A, …)           what the fun returns for these arguments; apply(F, L), apply(M, N, L)
//                           have them in a list; invoke(M, N, A, …) is M:N(A, …)
//   spawn(F) spawn(M, N, L) a process that this call starts, with the function
//   registered(N)           the processes of that name
//   exported(M, N, A)       whether a module that is loaded has a function
//   contents(T)             the objects of a table; table(N): one that this call makes
//   reasons(P)  mailbox(P)  of the exits of these processes; their messages
//   kept(S, K)              what `keep` has stored there
//
// Actions: send(D, A) a message; signal(D, A) one that the system sends ('DOWN'); raise(C, A) an
// exception; register(N, P); store(T, A) into a table; rename(T, N) a table; keep(S, K, A) under a
// key of a space; owner(R) makes a reference an alias of the caller; escape(A) to code that is not
// known; link(P); end(P, R): the processes may exit with the reason.
//
// A function that is not in the table and has no code does everything to its arguments: they
// escape, and its result is unknown.
//
// The rows are text so that they can be read and written as such; each is parsed when it is
// first used. A test parses all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/atom.h"
#include "base/result.h"

namespace fathom::flow {

enum class EffectOp : uint8_t {
#define OP(Id, Word, Least, Most) Id,
#include "flow/effect_ops.def"
#undef OP
};

struct EffectTerm {
  EffectOp op{};
  Atom atom = {};      // of a Literal
  int64_t number = 0;  // of a Number; which argument
  std::vector<EffectTerm> operands = {};
};

struct Effect {
  std::vector<EffectTerm> actions;
  std::vector<EffectTerm> result;  // one, or none: it does not return
};

Result<Effect> parse_effect(std::string_view text);

struct EffectRow {
  std::string_view module;
  std::string_view name;
  uint32_t arity;
  std::string_view text;
};
std::vector<EffectRow> effect_rows();

// Null if it has none. The effect lives as long as the program.
const Effect* effect_of(Atom module, Atom name, uint32_t arity);

// Whether what is modelled of the module is native: then its rows say what it raises.
bool is_native(Atom module);

}  // namespace fathom::flow
