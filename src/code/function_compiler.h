// The compiler at work: one object for one function. compile.cc has the frame of it
// and control, compile_conditions.cc truth values that only decide where to go,
// compile_select.cc clauses that are found by a table, compile_calls.cc calls and
// operators, compile_data.cc data and patterns.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "code/code_table.h"
#include "code/liveness.h"
#include "code/probes.h"
#include "code/registers.h"

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
  // Where to go with a value that only decides that.
  struct Branch {
    Label yes;
    Label no;
    Label other;  // it is neither true nor false, and in a register then
  };
  // Where the value of a region goes. To a Branch: control never comes to the end.
  struct Destination {
    enum class Kind : uint8_t { Return, Register, Nowhere, Branch };
    Kind kind;
    uint16_t reg = 0;  // of a Branch: for what is neither
    Branch* branch = nullptr;

    bool comes_to_end() const { return kind == Kind::Register || kind == Kind::Nowhere; }
  };
  struct Move {
    uint16_t target;
    uint16_t source;
  };
  // What one look at a variable tells about a clause (compile_select.cc).
  struct Key {
    Op op = Op::Select;  // by which instruction to look
    VarId subject = core::kNoVar;
    uint64_t word = 0;     // what it finds there
    NodeId tests[2] = {};  // the pattern's nodes that then hold
    uint32_t test_count = 0;
  };

  // OTP has a native function in its place, and so has the machine; true: the code is
  // a call of that.
  bool native_stub();

  // Instructions that are emitted while it lives come from the node.
  class Source {
   public:
    Source(FunctionCompiler& compiler, std::optional<NodeId> node)
        : compiler_(compiler), outer_(std::exchange(compiler.source_, node)) {}
    ~Source() { compiler_.source_ = outer_; }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

   private:
    FunctionCompiler& compiler_;
    std::optional<NodeId> outer_;
  };

  // ---- Emission
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }
  // Of the next instruction.
  uint32_t next_instruction() const { return here() + words_in_front(); }
  uint32_t words_in_front() const { return table_.mode().labels ? 1 : 0; }
  machine::Label label_for(Op op) const;
  uint32_t emit(Op op, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0);
  // R[r] = the variable, whose constant value that is.
  void emit_load(uint16_t r, VarId v, Value value);
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
  void report_call(bool is_return);
  void emit_return(uint16_t r);
  void emit_moves(std::span<const Move> moves);
  void place(Label& label);
  // Who wants to go to `from` goes to `to`.
  static void join(Label& from, Label& to);
  void emit_count(uint64_t* counter);
  void emit_condition(const Probe& probe);
  // R = the vector of a decision.
  uint16_t decision_register(DecisionSlot slot) const;
  void emit_vector_begin(DecisionSlot slot);
  void emit_vector_count(DecisionSlot slot, uint64_t* counters);
  // The first of those left that stand before the node with that index, or earlier.
  void emit_probes(std::span<const Probe>& left, size_t index);
  std::span<const Probe> probes_in(RegionId id) const;
  // So many nodes, from the first on, have no probe between them.
  static size_t nodes_without_probe(std::span<const Probe> left, size_t index, size_t count);
  // The clause was chosen, in a mode that wants to know.
  void report_clause(NodeId clause);
  Label* guard_fail(NodeId node) { return module_[node].in_guard ? fail_ : nullptr; }

  // The literals that constants come from, for the node table.
  void find_literal_nodes();
  // Where the value of a constant comes from: its Literal, or what is being compiled.
  std::optional<NodeId> literal_node(VarId v) const;

  // ---- Operands
  std::optional<Value> constant(VarId v);
  // The variable's register; a constant is loaded into one for this instruction.
  uint16_t reg(VarId v);
  uint16_t result(VarId v);  // a scratch one if nobody reads it
  uint16_t scratch();
  void release_scratch() { scratch_ = 0; }
  void move_to(uint16_t target, VarId v);
  // All at once: each target gets what its variable held before.
  void move_all(uint16_t first_target, std::span<const VarId> vars);
  bool is_used(VarId v) const;
  bool is_used_once(VarId v) const;

  // ---- Regions and control (compile.cc)
  void region(RegionId id, Destination to);
  void finish_value(VarId value, Destination to);
  void node(NodeId id);
  bool takes_destination(NodeId id, Destination to);
  void tests(RegionId id, Label& fail);
  void make_value(NodeId id, Destination to);
  void case_node(NodeId id, Destination to);
  void clause(NodeId id, Destination to, Label& next, Label& end);
  // `rejected`: where control goes if the last alternative of its guard is false.
  void clause_tests(NodeId id, Label& next, Label& rejected);
  // What counts that, behind the clause's body.
  void count_rejection(NodeId id, Label& rejected, Label& next);
  void try_node(NodeId id, Destination to);
  void maybe_node(NodeId id, Destination to);
  void receive_node(NodeId id, Destination to);
  Destination destination_of(NodeId id);

  // ---- Conditions (compile_conditions.cc)
  bool is_test(NodeId id) const;
  // How many of the nodes, from the first on, are each a condition of the next one.
  size_t chain_length(std::span<const NodeId> nodes);
  bool is_condition_of(NodeId condition, NodeId user);
  // If all that the clause asks is whether the condition is that.
  std::optional<bool> truth_in(NodeId clause, VarId condition);
  void chain(std::span<const NodeId> nodes, Destination to);
  void decided_case(NodeId id, NodeId test, Branch& branch, Destination to);
  // In labelled code: the clause has matched what the test has decided.
  void emit_use_of_test(NodeId clause, NodeId test);
  void branch_on(VarId value, Destination to);

  // ---- Selection (compile_select.cc)
  std::vector<Key> keys_of(NodeId clause);
  VarId best_subject(std::span<const std::vector<Key>> keys);
  void select_clauses(std::span<const NodeId> clauses, std::span<const std::optional<Key>> keys,
                      Destination to, Label& none, Label& end);
  void emit_select(Op op, VarId subject, std::span<const std::pair<uint64_t, Label*>> entries,
                   Label& none);
  void emit_key_test(const Key& key, Label& fail);

  // ---- Calls (compile_calls.cc)
  bool is_nif_error(NodeId id) const;
  bool keeps_frame(NodeId final_call);
  bool ends_natively(Function& callee, int depth = 0);
  void call_node(NodeId id, bool tail);
  void call_remote(NodeId id, bool tail);
  bool inline_operator(NodeId id, Atom name, std::span<const VarId> arguments);
  void native(NodeId id, Export* target, std::span<const VarId> arguments);
  void emit_call(Op op, Op tail_op, NodeId id, bool tail, std::span<const VarId> arguments,
                 std::span<const VarId> more, const void* target);
  uint64_t live_mask(NodeId id);
  uint32_t window(NodeId id);
  WantedRegisters places_of_arguments();
  bool runs_inline(NodeId id);
  // A test (is_test) without its truth value: goes to `fail` if it does not hold.
  void jump_unless(NodeId test, Label& fail);
  void jump_unless_compared(NodeId test, Atom name, VarId left, VarId right, Label& fail);

  // ---- Data and patterns (compile_data.cc)
  void data_node(NodeId id);
  void map_update(NodeId id, Op op);
  uint64_t packed_size(VarId size, uint32_t spec);
  std::optional<uint64_t> fixed_size(VarId size, uint32_t spec);
  bool is_refused_segment(NodeId id);
  std::string constant_bytes(std::span<const NodeId> segments, size_t& count);
  void binary_node(NodeId id);
  void pattern_node(NodeId id);
  bool is_held(NodeId test) const;
  void match_literal(NodeId id);
  void match_tuple(NodeId id);
  void emit_loads(uint16_t tuple, std::span<const Move> loads);
  void match_cons(NodeId id);
  void match_segment(NodeId id);
  void no_match(NodeId id);

  Function& function_;
  CodeTable& table_;
  LoadedModule& owner_;
  const core::Module& module_;
  const core::Function& core_;
  const Probes* probes_;  // null: none
  Liveness liveness_;
  Registers registers_;
  std::vector<uint64_t> code_;
  std::vector<Handler> handlers_;
  Label* fail_ = nullptr;   // of the pattern or guard being compiled
  Label* leave_ = nullptr;  // of the innermost maybe
  uint16_t leave_register_ = 0;
  uint32_t scratch_ = 0;                      // in use by the instruction being compiled
  uint32_t placed_ = 0;                       // where the last label is
  uint32_t last_ = 0;                         // where the last instruction begins
  std::vector<std::optional<bool>> decided_;  // by variable: what it is known to be here
  std::span<const NodeId> holds_;             // tests that need not be made
  uint32_t frame_ = 0;
  // For the node table, if the mode asks for one.
  NodeTable nodes_;
  std::optional<NodeId> source_;                      // of what is emitted now
  std::vector<std::optional<NodeId>> literal_nodes_;  // by variable: where its constant comes from
  std::string problem_;                               // why the function cannot be run
};

}  // namespace fathom::machine
