// The compiler at work: one object for one function. compile.cc has the frame of it
// and control, compile_calls.cc calls and operators, compile_data.cc data and
// patterns.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "machine/code_table.h"
#include "machine/liveness.h"
#include "machine/registers.h"

namespace fathom::machine {

class FunctionCompiler {
 public:
  FunctionCompiler(Function& function, CodeTable& table);
  Result<void> run();

 private:
  using NodeId = core::NodeId;
  using VarId = core::VarId;
  using RegionId = core::RegionId;
  using ListId = core::ListId;
  using Kind = core::Kind;

  // A place in the code that is not known yet, and who wants to go there.
  struct Label {
    struct Jump {
      uint32_t instruction;
      uint32_t fail_word;
    };
    std::vector<Jump> jumps;
  };
  // Where the value of a region goes.
  struct Destination {
    enum class Kind : uint8_t { Return, Register, Nowhere };
    Kind kind;
    uint16_t reg = 0;
  };

  // OTP has a native function in its place, and so has the machine; true: the code is
  // a call of that.
  bool native_stub();

  // ---- Emission
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }
  uint32_t emit(Op op, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  void emit_word(uint64_t word) { code_.push_back(word); }
  void emit_pointer(const void* p) { code_.push_back(reinterpret_cast<uint64_t>(p)); }
  void emit_with_registers(Op op, uint32_t a, uint32_t b, uint32_t c, std::span<const VarId> vars,
                           std::initializer_list<uint64_t> words);
  void emit_packed(std::span<const uint16_t> regs);
  // The fail word of the instruction at `instruction`. In a pattern or guard it leads
  // to the next alternative, elsewhere the machine raises.
  void emit_fail(uint32_t instruction, NodeId node, Label* target);
  void emit_site(NodeId node) { code_.push_back(static_cast<uint64_t>(node)); }
  void emit_jump(Label& target);
  void place(Label& label);
  Label* guard_fail(NodeId node) { return module_[node].in_guard ? fail_ : nullptr; }

  // ---- Operands
  std::optional<Value> constant(VarId v);
  // The variable's register; a constant is loaded into one for this instruction.
  uint16_t reg(VarId v);
  uint16_t result(VarId v);  // a scratch one if nobody reads it
  uint16_t scratch();
  void release_scratch() { scratch_ = 0; }
  void move_to(uint16_t target, VarId v);
  bool is_used(VarId v) const;

  // ---- Regions and control (compile.cc)
  void region(RegionId id, Destination to);
  void finish_value(VarId value, Destination to);
  void node(NodeId id);
  // The last node of a region, if it makes the region's value; true if it took care
  // of that.
  bool last_node(NodeId id, VarId value, Destination to);
  void tests(RegionId id, Label& fail);
  void case_node(NodeId id, Destination to);
  void clause(NodeId id, Destination to, Label& next, Label& end);
  void clause_tests(NodeId id, Label& next);
  void try_node(NodeId id, Destination to);
  void maybe_node(NodeId id, Destination to);
  void receive_node(NodeId id, Destination to);
  Destination destination_of(NodeId id);

  // ---- Calls (compile_calls.cc)
  bool is_call_node(NodeId id) const;
  bool is_nif_error(NodeId id) const;
  void call_node(NodeId id, bool tail);
  void call_remote(NodeId id, bool tail);
  bool inline_operator(NodeId id, Atom name, std::span<const VarId> arguments);
  void native(NodeId id, Export* target, std::span<const VarId> arguments);
  void emit_call(Op op, Op tail_op, NodeId id, bool tail, std::span<const VarId> arguments,
                 std::span<const VarId> more, const void* target);
  uint64_t live_mask(NodeId id);
  uint32_t window(NodeId id, bool tail, std::span<const VarId> arguments,
                  std::span<const VarId> more);
  // A test whose result only the Test behind it reads: one instruction.
  bool fused_test(NodeId id, NodeId test, Label& fail);

  // ---- Data and patterns (compile_data.cc)
  void data_node(NodeId id);
  void map_update(NodeId id, Op op);
  void binary_node(NodeId id);
  void pattern_node(NodeId id);
  void match_literal(NodeId id);
  void match_tuple(NodeId id);
  void match_cons(NodeId id);
  void match_segment(NodeId id);
  void no_match(NodeId id);

  Function& function_;
  CodeTable& table_;
  LoadedModule& owner_;
  const core::Module& module_;
  const core::Function& core_;
  Liveness liveness_;
  Registers registers_;
  std::vector<uint64_t> code_;
  std::vector<Handler> handlers_;
  Label* fail_ = nullptr;   // of the pattern or guard being compiled
  Label* leave_ = nullptr;  // of the innermost maybe
  uint16_t leave_register_ = 0;
  uint32_t scratch_ = 0;  // in use by the instruction being compiled
  uint32_t frame_ = 0;
  std::string problem_;  // why the function cannot be run
};

}  // namespace fathom::machine
