// Labels of words on their way through the interpreter. Each function does nothing in the plain
// one: its text is there for both.
//
// The labels of a stack lie beside it as those of the heap do, at a distance that is known while
// its process runs (InterpreterState::label_distance). A register that holds no immediate has a
// label that means nothing: see values/labels.h.
#pragma once

#include "machine/interpreter.h"

namespace fathom::machine::FATHOM_INTERPRETER {

#ifdef FATHOM_LABELLED
inline constexpr bool kLabelled = true;
#else
inline constexpr bool kLabelled = false;
#endif

// That of what the instruction builds.
inline Label own_label(const uint64_t* pc) {
  if constexpr (kLabelled) return label_word(pc).own;
  return kNoLabel;
}

inline Label& register_label(Machine& m, const Value* r) {
  return labels_at(r, m.state.label_distance).word;
}
// The register's label, if it holds an immediate.
inline Label get_label(Machine& m, const Value* r) {
  if constexpr (kLabelled) return register_label(m, r);
  return kNoLabel;
}
inline void set_label(Machine& m, const Value* r, Label label) {
  if constexpr (kLabelled) register_label(m, r) = label;
}
// From register to register.
inline void move_label(Machine& m, const Value* from, const Value* to) {
  if constexpr (kLabelled) register_label(m, to) = register_label(m, from);
}
// From a word of the heap to a register, and back.
inline void load_label(Machine& m, const void* word, const Value* to) {
  if constexpr (kLabelled) register_label(m, to) = m.heap().labels_of(word).word;
}
inline void store_label(Machine& m, const Value* from, const uint64_t* word) {
  if constexpr (kLabelled) m.heap().labels_of(word).word = register_label(m, from);
}
// An object begins there that the instruction has built.
inline void label_object(Machine& m, const uint64_t* pc, const uint64_t* first) {
  if constexpr (kLabelled) m.heap().labels_of(first).object = own_label(pc);
}
// A cons cell of two registers.
inline void label_cons(Machine& m, const uint64_t* pc, const uint64_t* cell, const Value* head,
                       const Value* tail) {
  if constexpr (kLabelled) {
    m.heap().labels_of(cell) = {register_label(m, head), own_label(pc)};
    m.heap().labels_of(cell + 1).word = register_label(m, tail);
  }
}

// What was made since `hp`, by what knows nothing of labels, was made by this instruction.
inline void label_new(Machine& m, const uint64_t* pc, const uint64_t* hp) {
  if constexpr (kLabelled) m.heap().label_new(hp, own_label(pc));
}

// ---- Uses

// The value in the register is matched, or applied.
inline void note_use(Machine& m, const uint64_t* pc, const Value* r) {
  if constexpr (kLabelled) {
    const Label label = r->is_immediate() ? register_label(m, r) : m.heap().label_of(*r);
    LabelWord& word = label_word(pc);
    if (word.last_seen != label && word.own != kNoLabel) [[unlikely]]
      m.uses().add(label, word);
  }
}

// The message is taken by the clause that the instruction belongs to.
inline void note_message(Machine& m, const uint64_t* pc, const MessageLabels& labels) {
  if constexpr (kLabelled) {
    LabelWord& word = label_word(pc);
    if (word.last_seen != labels.sent) m.uses().add(labels.sent, word);
  }
}

// That of the first node of a function; none of one that has not been read.
inline Label entry_label(const Function& function) {
  const core::Module& core = *function.owner->core;
  const core::RegionId body = core[function.id].body;
  return core::exists(body) ? node_label(core, core.nodes(body)[0]) : kNoLabel;
}

// The function is called by a name that was computed.
inline void note_callee(Machine& m, const uint64_t* pc, const Function* callee) {
  if constexpr (kLabelled) {
    LabelWord& word = label_word(pc);
    const Label label = entry_label(*callee);
    if (word.last_seen != label) m.uses().add(label, word);
  }
}

// ---- Native functions

// Before a call: the labels of its arguments.
inline void pass_labels(Machine& m, const uint64_t* pc, const Value* arguments, size_t count) {
  if constexpr (kLabelled) {
    m.context.labels.begin(own_label(pc));
    for (size_t i = 0; i < count; ++i) m.context.labels.set(i, register_label(m, arguments + i));
  }
}
inline void pass_two_labels(Machine& m, const uint64_t* pc, const Value* first,
                            const Value* second) {
  if constexpr (kLabelled) {
    m.context.labels.begin(own_label(pc));
    m.context.labels.set(0, register_label(m, first));
    m.context.labels.set(1, register_label(m, second));
  }
}
// After it: that of its result. `hp`: the top of the heap before.
inline Label label_of_result(Machine& m, Label call, const uint64_t* hp) {
  if constexpr (kLabelled) {
    m.heap().label_new(hp, call);
    const Label passed = m.context.labels.passed();
    return passed == kNoLabel ? call : passed;
  }
  return kNoLabel;
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
