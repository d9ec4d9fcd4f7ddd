// Native functions: what OTP itself writes in C.
//
// A native function gets its arguments and returns its value, or none() after it
// has raised an exception through the context. It may allocate as it likes and
// hold values in C++ variables: nothing is collected while it runs. Each family
// has a file in src/natives that ends with its table; families.def lists the families.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "code/code.h"
#include "values/heap.h"
#include "values/value.h"

namespace fathom::machine {

class Machine;
struct Process;

// The labels of a native function's arguments that are immediates, in a labelled machine, and
// that of its result if that is an immediate that it was given. A function that passes on what it
// is given says so here or, for words of the heap, by Heap::carry_labels; whatever else it makes
// gets the label of its call. Structures have their labels themselves (values/labels.h).
class ArgumentLabels {
 public:
  Label of(size_t argument) const { return argument < kMost ? labels_[argument] : kNoLabel; }
  void set(size_t argument, Label label) {
    if (argument < kMost) labels_[argument] = label;
  }
  // Of a message that is that argument.
  MessageLabels of_message(size_t argument) const { return {of(argument), call_}; }
  // The result has this label.
  void pass(Label label) { passed_ = label; }
  Label passed() const { return passed_; }
  // A call begins, of an instruction with that label.
  void begin(Label call) {
    passed_ = kNoLabel;
    call_ = call;
  }

 private:
  static constexpr size_t kMost = 8;
  Label labels_[kMost] = {};
  Label passed_ = kNoLabel;
  Label call_ = kNoLabel;
};

class Context {
 public:
  Context(Machine& m, Heap& h) : machine(m), heap(h) {}

  Machine& machine;
  Heap& heap;
  // Who was called, and where: for the functions that may call only.
  struct Call {
    const Export* callee = nullptr;
    const uint64_t* site = nullptr;
    core::NodeId node{};
    const Value* frame = nullptr;  // of the caller
  };
  Call call;
  ArgumentLabels labels;

  // Where the machine has labels: the word of the heap holds that argument now.
  void carry_label(size_t argument, const void* to) {
    if (heap.is_labelled()) heap.labels_of(to).word = labels.of(argument);
  }
  // The result is what lies at that word of the heap.
  Value passed(const Value* word) {
    if (heap.is_labelled()) labels.pass(heap.labels_of(word).word);
    return *word;
  }
  // The result is that argument.
  Value passed_argument(Value value, size_t argument) {
    labels.pass(labels.of(argument));
    return value;
  }

  // Each returns none(), so that a function can end with `return c.badarg();`.
  Value badarg();
  // The error_info of the frame says why.
  Value badarg_because(Atom cause);
  Value badarith();
  Value system_limit();
  Value error(Value reason);
  Value raise(Atom exception_class, Value reason);
  // The exception stands where it is raised, not in the native function: what
  // error/1, exit/1 and throw/1 do; the reason is the first argument. `arguments`: those of the
  // caller's frame, or none(); `extra`: a list of what the frame says beside its place.
  Value raise_in_caller(Atom exception_class, Value reason, Value arguments = Value::none(),
                        Value extra = Value::nil());
  // erlang:raise/3: with a stack trace that is a term.
  Value raise_with_trace(Atom exception_class, Value reason, Value trace);
  // Not modelled: ends the run (or the exploration of this path) with a verdict. `what`
  // of the function it is; who was called and where is added by the caller.
  Value unsupported(std::string_view what);
  // Instead of a value: goes on with a call of that function.
  Value tail_call(Atom module, Atom name, std::span<const Value> arguments);
};

// An atom by its name, as a value.
inline Value atom(std::string_view text) { return Value(Atom::intern(text)); }

// "flush"_atom is atom("flush"), looked up once: for functions that are called often.
template <size_t N>
struct AtomText {
  char text[N] = {};
  consteval AtomText(const char (&literal)[N]) { std::copy_n(literal, N, text); }
};
template <AtomText Text>
Value operator""_atom() {
  static const Value value = atom({Text.text, sizeof Text.text - 1});
  return value;
}

// The native functions that a machine is given (src/natives has them).
struct NativeTable {
  std::vector<std::span<const NativeEntry>> families;  // a later one replaces an earlier one
  // In place of OTP's, in a machine that logs nothing.
  std::span<const NativeEntry> silent;
  // Functions that the compiler adds to a module: module_info/0 and /1, and where there
  // are callbacks behaviour_info/1. Null for any other.
  Native (*generated)(const LoadedModule& module, Atom name, uint32_t arity);
  // Loads a module whose .beam file the program itself has written, into a directory of its code
  // path. Null: there is none such, or the run is over.
  LoadedModule* (*load_written)(Machine& m, Atom name);
};

}  // namespace fathom::machine
