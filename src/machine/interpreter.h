// How instructions are written.
//
// Each is a function of the machine's state at a step: pc (its own first word), fp
// (the registers), hp (the next free word of the heap). It ends by calling the
// next one in tail position, which the compiler turns into a jump, so state stays
// in machine registers from one to the next. Where it does not (sanitizers, no
// optimisation), each returns to a loop instead: see DISPATCH.
//
// A function that has objects with destructors, or gives away the address of a local
// variable, or whose callee takes more arguments than there are registers for, makes
// no jump of its last call but a frame on the C++ stack. So instructions do such things
// in functions that return to them, and what is rare (errors above all) goes back to
// the loop by RESUME. small_stack.erl among the golden tests would notice.
//
// There are two interpreters: `plain` and, for values with labels (values/labels.h), `labelled`.
// Both are compiled from the same files, the second with FATHOM_LABELLED (src/CMakeLists.txt).
// What moves a word says so to the functions of label_moves.h, which do nothing in the plain one;
// so that costs nothing there.
#pragma once

#include "machine/machine.h"
#include "values/arithmetic.h"

#if defined(__OPTIMIZE__) && !defined(FATHOM_SANITIZED) && !defined(FATHOM_TRAMPOLINE)
#define FATHOM_TAIL_CALLS 1
#else
#define FATHOM_TAIL_CALLS 0
#endif

#ifdef FATHOM_LABELLED
#define FATHOM_INTERPRETER labelled
#else
#define FATHOM_INTERPRETER plain
#endif

namespace fathom::machine {

#define STEP                                                                                    \
  [[maybe_unused]] Machine &m, [[maybe_unused]] const uint64_t *pc, [[maybe_unused]] Value *fp, \
      [[maybe_unused]] uint64_t *hp
using InstructionCode = void (*)(Machine&, const uint64_t*, Value*, uint64_t*);

namespace FATHOM_INTERPRETER {
extern const InstructionCode kHandlers[kOps];
// Labelled code has a word in front of each instruction.
#ifdef FATHOM_LABELLED
inline constexpr size_t kWordsInFront = 1;
#else
inline constexpr size_t kWordsInFront = 0;
#endif
}  // namespace FATHOM_INTERPRETER

// Goes on by way of the loop, whatever was called to come here: what is rare ends so.
#define RESUME(next_pc)                      \
  do {                                       \
    m.state.next_step = {(next_pc), fp, hp}; \
    return;                                  \
  } while (false)

#if FATHOM_TAIL_CALLS
#define DISPATCH(next_pc)                            \
  do {                                               \
    const uint64_t* to_ = (next_pc);                 \
    return kHandlers[*to_ & 0xFFFF](m, to_, fp, hp); \
  } while (false)
#else
#define DISPATCH(next_pc) RESUME(next_pc)
#endif

#define NEXT(words) DISPATCH(pc + (words) + kWordsInFront)

// The parts of the instruction.
inline uint32_t op_a(const uint64_t* pc) { return Instruction(*pc).a(); }
inline uint32_t op_b(const uint64_t* pc) { return Instruction(*pc).b(); }
inline uint32_t op_c(const uint64_t* pc) { return Instruction(*pc).c(); }
inline FailWord fail_word(uint64_t word) { return std::bit_cast<FailWord>(word); }

// Of a call instruction, or a stub: its arguments lie where the frame begins.
inline bool is_tail_call(const uint64_t* pc) { return Instruction(*pc).op() >= Op::TailCall; }
// The Core node of the call instruction.
inline core::NodeId site_of(const uint64_t* pc) {
  return core::NodeId{static_cast<uint32_t>(pc[is_tail_call(pc) ? 2 : 3])};
}

// Goes to the fail place of the instruction, whose fail word is pc[word].
#define FAIL(word) DISPATCH(pc + fail_word(pc[word]).offset)

template <class T>
T* pointer_at(const uint64_t* word) {
  return reinterpret_cast<T*>(*word);
}
// Register number i of the packed ones that begin at `words`.
inline uint32_t packed_register(const uint64_t* words, size_t i) {
  return static_cast<uint32_t>(words[i / 4] >> (16 * (i % 4))) & 0xFFFF;
}

// The call that made a process's first frame.
extern const uint64_t kBaseSite[];

namespace FATHOM_INTERPRETER {

#define OP(Id, Name) void op_##Id(STEP);
#include "code/ops.def"
#undef OP

// ---- Rare steps (exceptions.cc, ops_calls.cc)

// With an exception pending: goes to the handler, or ends the run. `node`: who raised.
void raise_pending(STEP, core::NodeId node);
// An instruction with a fail word could not do what it should: in a guard it fails,
// else the exception that is pending is raised. `word`: which word is the fail word.
void fail_or_raise(STEP, size_t word);
// The same where the exception is {error, Reason} of a native function's call.
void native_failed(STEP, size_t fail, const Export* target, const Value* arguments);
void call_native(STEP, Export* target, uint32_t count);

}  // namespace FATHOM_INTERPRETER

// From the instruction at pc on, until the process stops; or beginning with a call of the native
// function there. By the interpreter that the machine's mode asks for.
void run_loop(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp);
void run_call(Machine& m, const uint64_t* pc, Value* fp, uint64_t* hp, const Export* target);
// What they do: each interpreter has it.
namespace plain {
void go_on(Machine& m);
void begin_with_call(STEP, const Export* target);
}  // namespace plain
namespace labelled {
void go_on(Machine& m);
void begin_with_call(STEP, const Export* target);
}  // namespace labelled

}  // namespace fathom::machine
