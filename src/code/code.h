// Code as the machine has it: functions, and the exports by which other modules
// reach them. Both stay where they are once made, so that instructions and funs
// may point to them.
//
// A frame: the registers of a function, from fp on. fp[-1] is the address of the
// call instruction that made it, from which everything about the caller follows:
// where its frame begins (a below), where the result goes (c), which of its
// registers are in use (the mask), which node called. A callee's frame begins
// inside its caller's, at the arguments.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "base/atom.h"
#include "base/hash.h"
#include "code/event_kind.h"
#include "code/node_table.h"
#include "core/core.h"
#include "values/labels.h"
#include "values/value.h"

namespace fathom::machine {

enum class Op : uint16_t {
#define OP(Id, Name) Id,
#include "code/ops.def"
#undef OP
};
inline constexpr std::string_view kOpNames[] = {
#define OP(Id, Name) Name,
#include "code/ops.def"
#undef OP
};
inline constexpr size_t kOps = std::size(kOpNames);

// The parts of an instruction's first word.
struct Instruction {
  uint64_t word;

  Instruction(Op op, uint64_t a, uint64_t b, uint64_t c)
      : word(static_cast<uint64_t>(op) | a << 16 | b << 32 | c << 48) {}
  explicit Instruction(uint64_t w) : word(w) {}
  Op op() const { return static_cast<Op>(word & 0xFFFF); }
  uint32_t a() const { return word >> 16 & 0xFFFF; }
  uint32_t b() const { return word >> 32 & 0xFFFF; }
  uint32_t c() const { return static_cast<uint32_t>(word >> 48); }
};
inline constexpr uint32_t kMaxRegister = 0xFFFF;

// In labelled code, the word in front of an instruction: the label of what the instruction builds,
// or, of one that matches or applies a value, by which it is known; kNoLabel for one that does
// neither. And the label of the value that it has matched last, which the interpreter writes.
struct LabelWord {
  Label own;
  Label last_seen;
};
static_assert(sizeof(LabelWord) == sizeof(uint64_t));
inline LabelWord& label_word(const uint64_t* pc) {
  return *reinterpret_cast<LabelWord*>(const_cast<uint64_t*>(pc - 1));
}
// The label of a node: its number in the program, from 1 on.
inline Label node_label(const core::Module& module, core::NodeId node) {
  return static_cast<Label>(module.global(node)) + 1;
}
inline core::GlobalNodeId labelled_node(Label label) { return core::GlobalNodeId{label - 1}; }

// How far to jump, in words from the instruction's own first one; 0: raise instead.
// And the node, of the function's module.
struct FailWord {
  int32_t offset;
  core::NodeId node;
};
static_assert(sizeof(FailWord) == 8);

// Where in the table of a Select to look for a word first; the entries after it follow.
inline size_t select_slot(uint64_t word, uint32_t bits) { return hash_slot(word, bits); }
// The word of a tuple with a literal atom as its first element.
inline uint64_t tag_word(size_t arity, Value tag) { return tag.raw() | uint64_t{arity} << 40; }

// In the packed SegmentSpec of an instruction: the size is a number of bits, and not the
// register that holds it.
inline constexpr uint32_t kFixedSize = uint32_t{1} << 31;
// Integers of so many bits are read by ReadInteger, whatever bit of a byte they begin at.
inline constexpr uint32_t kMaxFixedInteger = 56;

// One move of Move2 and Move3, in 16 bits; one of Element2: the element instead of the source.
inline constexpr uint32_t kMaxPackedRegister = 0xFF;
constexpr uint32_t packed_move(uint32_t target, uint32_t source) { return target | source << 8; }

// Registers that a call must keep. Up to 63: a bit each and the lowest bit 1. More:
// a pointer to a vector of words.
class LiveMask {
 public:
  explicit LiveMask(uint64_t word) : word_(word) {}
  template <class F>
  void for_each(F&& f) const {
    if (word_ & 1) return bits(word_ >> 1, 0, f);
    const auto& words = *reinterpret_cast<const std::vector<uint64_t>*>(word_);
    for (size_t i = 0; i < words.size(); ++i) bits(words[i], 64 * i, f);
  }

 private:
  template <class F>
  static void bits(uint64_t word, size_t base, F&& f) {
    while (word != 0) {
      f(base + static_cast<size_t>(std::countr_zero(word)));
      word &= word - 1;
    }
  }
  uint64_t word_;
};

// Code offsets [from, to) are the body of a try.
struct Handler {
  uint32_t from;
  uint32_t to;
  uint32_t target;
  uint16_t exception_class;  // registers
  uint16_t reason;
  uint16_t trace;
  Label label = kNoLabel;  // of the try
};

class Context;
struct LoadedModule;
using Native = Value (*)(Context&, const Value* arguments);

struct Function : LocalFunction {
  // Where its Core is. The first call may put a part in place of the module (CodeTable::read).
  LoadedModule* owner = nullptr;
  core::FunctionId id{};  // there
  // -compile({inline, …}): OTP puts its body where it is called, so that it has no frame.
  bool is_inlined = false;

  // Filled in by the first call (compile.h). Null again while calls of it are traced (tracing.h):
  // then they take the slow way.
  const uint64_t* entry = nullptr;
  uint32_t frame = 0;  // registers, with room for the arguments of its calls
  std::vector<uint64_t> code = {};
  std::vector<Handler> handlers = {};  // inner ones first
  NodeTable nodes = {};                // empty unless the mode asks for it

  // Where its code begins, once it is there. Labelled code is not traced.
  const uint64_t* start() const { return entry ? entry : code.data(); }
};

// One for each module:function/arity that anything mentions.
struct Export : Mfa {
  Native native = nullptr;            // written in C++, or
  Native untraced = nullptr;          // what `native` is while its calls are not traced
  Function* function = nullptr;       // in Erlang; neither: not looked for yet, or undefined
  bool may_call = false;              // the native function may go on with a call
  EventKind event = EventKind::None;  // the native function is that
  NativeAccess access = NativeAccess::Signals;
  bool mocked = false;            // `function` is that of a mock, and stays
  std::string_view missing = {};  // why the native function is not modelled
};

// Of a Fun, and of an ExternalFun. Whatever the values have, the code is the table's to change.
inline Function* function_of(Value fun) {
  return const_cast<Function*>(static_cast<const Function*>(fun.fun_code()));
}
inline Export* export_of(Value fun) {
  return const_cast<Export*>(static_cast<const Export*>(fun.external()));
}

// A native function, in the table of its family (src/natives).
struct NativeEntry {
  std::string_view module;
  std::string_view name;
  uint32_t arity;
  Native code;                    // null: not modelled
  bool may_call = false;          // it uses Context::tail_call
  std::string_view missing = {};  // what of it is not modelled, or why nothing is
  uint32_t since = 0;             // the first release of OTP that has it
};

}  // namespace fathom::machine
