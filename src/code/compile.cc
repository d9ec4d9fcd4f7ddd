#include "code/compile.h"

#include <algorithm>
#include <cassert>

#include "code/function_compiler.h"
#include "code/receive_parts.h"
#include "code/register_check.h"
#include "core/match_kinds.h"

namespace fathom::machine {

using core::exists;

namespace {

// A part of a pattern that looks at a value.
// It neither builds nor tests a value.
bool takes_values_on(Op op) {
  return op == Op::Move || op == Op::Move2 || op == Op::Move3 || op == Op::Jump ||
         op == Op::Return || op == Op::Count;
}

// Vectors of decisions are counted by a native function of the compiler's own: its arguments are
// the vector, and where its counters are, as a number.
int64_t address_word(const uint64_t* counters) {
  return static_cast<int64_t>(reinterpret_cast<uint64_t>(counters) / sizeof *counters);
}
Value count_vector(Context& /*context*/, const Value* arguments) {
  const auto word = static_cast<uint64_t>(arguments[1].small());
  ++reinterpret_cast<uint64_t*>(word * sizeof word)[arguments[0].small()];
  return arguments[0];
}
const Export kCountVector = [] {
  Export entry;
  entry.native = count_vector;
  return entry;
}();

}  // namespace

// It does not only pass values on: before it, unknown ones have to be determined as far as it
// looks at them.
static bool looks_at_values(Op op) {
  if (op >= Op::Add && op <= Op::ElementOf) return true;           // arithmetic, native functions
  if (op >= Op::UnlessIs && op <= Op::EndBits) return true;        // tests and patterns
  if (op >= Op::CallExport && op <= Op::CallFunList) return true;  // all but Call
  if (op >= Op::TailCallExport && op <= Op::TailCallFunList) return true;
  return op == Op::Map || op == Op::MapPut || op == Op::MapReplace || op == Op::ExternalFun ||
         op == Op::BuildBits || op == Op::NativeStub || op == Op::ReceiveStart;
}

void FunctionCompiler::report_clause(NodeId clause) {
  if (!table_.mode().unknowns) return;
  emit(Op::Reach);
  emit_word(static_cast<uint64_t>(module_.global(clause)));
}

Result<void> compile(Function& function, CodeTable& table) {
  if (auto read = table.read(function); !read) return read;
  return FunctionCompiler(function, table).run();
}

FunctionCompiler::FunctionCompiler(Function& function, CodeTable& table)
    : function_(function),
      table_(table),
      owner_(*function.owner),
      module_(*owner_.core),
      core_(module_[function.id]),
      probes_(table.mode().probes ? table.mode().probes->find(module_) : nullptr),
      liveness_(find_liveness(module_, core_, [this](NodeId id) { return keeps_frame(id); })),
      decided_(core_.variables.size()) {}

Result<void> FunctionCompiler::run() {
  // Where the arguments of calls go depends on what the calls must keep, and where that
  // is: the second time it is known, or nearly so.
  WantedRegisters wanted(core_.variables.size());
  for (const bool first : {true, false}) {
    auto assigned = assign_registers(module_, core_, liveness_, wanted);
    if (!assigned) return assigned.error();
    registers_ = std::move(*assigned);
    if (first) wanted = places_of_arguments();
  }
  if (probes_) registers_.count += probes_->decision_slots();
  frame_ = registers_.count + 1;
  if (table_.mode().node_table || table_.mode().labels) find_literal_nodes();
  if (table_.mode().reports_calls) report_call(false);
  if (!native_stub()) region(core_.body, {Destination::Kind::Return});
  if (!problem_.empty()) return Error{problem_};
  if (frame_ > kMaxRegister) return Error{"the function is too large"};
  function_.code = std::move(code_);
  function_.handlers = std::move(handlers_);
  function_.nodes = std::move(nodes_);
  function_.frame = frame_ + 1;
  function_.entry = function_.code.data() + words_in_front();
  assert(find_unwritten_register(function_).empty());
  table_.add_code(&function_);
  return {};
}

bool FunctionCompiler::native_stub() {
  const Export* target = table_.find_native(function_.module, function_.name, function_.arity);
  if (!target || function_.captures > 0) return false;
  // Some modules have one function of that name for all their stubs.
  static const Atom shared_stub = Atom::intern("nif_stub_error");
  const auto calls_shared_stub = [&](NodeId id) {
    if (module_[id].kind != Kind::Call) return false;
    const auto called = module_.get<core::node::Call>(id).function;
    return owner_.functions[static_cast<size_t>(called)]->name == shared_stub;
  };
  const bool is_stub = std::ranges::any_of(
      liveness_.nodes, [&](NodeId id) { return is_nif_error(id) || calls_shared_stub(id); });
  if (!is_stub) return false;
  emit(Op::NativeStub, 0, function_.arity);
  emit_pointer(target);
  emit_site(NodeId{0});
  frame_ = std::max(frame_, function_.arity + 2);
  return true;
}

// ---- Emission ---------------------------------------------------------------

// A comparison or type test is not a match.
Label FunctionCompiler::label_for(Op op) const {
  if (!source_) return kNoLabel;
  const bool is_test = op >= Op::Jump && op <= Op::EndBits;
  if (is_test && !core::is_match(module_[*source_].kind)) return kNoLabel;
  return node_label(module_, *source_);
}

uint32_t FunctionCompiler::emit(Op op, uint32_t a, uint32_t b, uint32_t c) {
  if (table_.mode().unknowns && looks_at_values(op)) {
    code_.push_back(Instruction(Op::Ask, 0, 0, 0).word);
  }
  if (table_.mode().labels) emit_word(label_for(op));
  const uint32_t at = last_ = here();
  code_.push_back(Instruction(op, a, b, c).word);
  if (table_.mode().node_table && source_ && !takes_values_on(op)) nodes_.add(at, *source_);
  return at;
}

void FunctionCompiler::emit_load(uint16_t r, VarId v, Value value) {
  const Source source(*this, literal_node(v));
  emit(Op::Load, r);
  emit_word(value.raw());
}

void FunctionCompiler::find_literal_nodes() {
  literal_nodes_.resize(core_.variables.size());
  for (const NodeId id : liveness_.nodes) {
    if (module_[id].kind != Kind::Literal) continue;
    literal_nodes_[static_cast<size_t>(module_[id].result)] = id;
    if (!table_.mode().labels) continue;
    table_.literal(owner_, module_.get<core::node::Literal>(id).value, node_label(module_, id));
  }
}

std::optional<core::NodeId> FunctionCompiler::literal_node(VarId v) const {
  if (literal_nodes_.empty()) return source_;
  const auto& node = literal_nodes_[static_cast<size_t>(liveness_.same_as[static_cast<size_t>(v)])];
  return node ? node : source_;
}

void FunctionCompiler::emit_fail(uint32_t instruction, NodeId node, Label* target) {
  if (target) target->jumps.push_back({instruction, here()});
  emit_word(std::bit_cast<uint64_t>(FailWord{0, node}));
}

void FunctionCompiler::emit_jump(Label& target) {
  const uint32_t at = emit(Op::Jump);
  emit_fail(at, NodeId{0}, &target);
}

void FunctionCompiler::emit_count(uint64_t* counter) {
  emit(Op::Count);
  emit_pointer(counter);
}

std::span<const Probe> FunctionCompiler::probes_in(RegionId id) const {
  return probes_ ? probes_->in(id) : std::span<const Probe>();
}

void FunctionCompiler::emit_probes(std::span<const Probe>& left, size_t index) {
  for (; !left.empty() && left[0].index <= index; left = left.subspan(1)) {
    switch (left[0].kind) {
      case Probe::Kind::Count:
        emit_count(left[0].counter);
        break;
      case Probe::Kind::Condition:
        emit_condition(left[0]);
        break;
      case Probe::Kind::Decided:
        emit_vector_count(left[0].decision, left[0].counter);
        break;
      case Probe::Kind::Note:
        emit(Op::Load, decision_register(left[0].decision));
        emit_word(Value::small(left[0].digit).raw());
        break;
    }
  }
}

uint16_t FunctionCompiler::decision_register(DecisionSlot slot) const {
  return static_cast<uint16_t>(registers_.count - probes_->decision_slots() + slot);
}

void FunctionCompiler::emit_vector_begin(DecisionSlot slot) {
  emit(Op::Load, decision_register(slot));
  emit_word(Value::small(0).raw());
}

void FunctionCompiler::emit_vector_count(DecisionSlot slot, uint64_t* counters) {
  const uint16_t address = scratch();
  emit(Op::Load, address);
  emit_word(Value::small(address_word(counters)).raw());
  const uint32_t at = emit(Op::Native2, scratch(), decision_register(slot), address);
  emit_pointer(&kCountVector);
  emit_fail(at, NodeId{0}, nullptr);
  release_scratch();
}

// A value that is neither true nor false counts as none.
void FunctionCompiler::emit_condition(const Probe& probe) {
  const bool has_vector = probe.decision != kNoDecision;
  if (has_vector && probe.is_first) emit_vector_begin(probe.decision);
  Label end;
  const uint16_t value = reg(probe.condition);
  for (const bool truth : {true, false}) {
    Label other;
    const uint32_t at = emit(Op::UnlessIs, 0, value);
    emit_word(Value::boolean(truth).raw());
    emit_fail(at, NodeId{0}, &other);
    if (probe.counter) emit_count(probe.counter + (truth ? 0 : 1));
    if (has_vector) {
      const uint16_t r = decision_register(probe.decision);
      const uint32_t add = emit(Op::AddSmall, r, r, truth ? probe.digit : 2 * probe.digit);
      emit_fail(add, NodeId{0}, nullptr);
    }
    emit_jump(end);
    place(other);
  }
  place(end);
  release_scratch();
}

size_t FunctionCompiler::nodes_without_probe(std::span<const Probe> left, size_t index,
                                             size_t count) {
  return left.empty() ? count : std::min<size_t>(count, left[0].index - index);
}

void FunctionCompiler::place(Label& label) {
  // A jump to what follows it, unless somebody comes from elsewhere to here already.
  const auto useless = std::ranges::find_if(label.jumps, [&](const Label::Jump& jump) {
    return jump.instruction + 2 == here() && Instruction(code_[jump.instruction]).op() == Op::Jump;
  });
  if (useless != label.jumps.end() && placed_ != here()) {
    label.jumps.erase(useless);
    code_.resize(code_.size() - 2 - words_in_front());
  }
  if (label.jumps.empty()) return;
  placed_ = here();
  for (const Label::Jump& jump : label.jumps) {
    auto fail = std::bit_cast<FailWord>(code_[jump.fail_word]);
    fail.offset = static_cast<int32_t>(next_instruction() - jump.instruction);
    code_[jump.fail_word] = std::bit_cast<uint64_t>(fail);
  }
  label.jumps.clear();
}

void FunctionCompiler::report_call(bool is_return) {
  emit(Op::ReportCall, is_return ? 1 : 0);
  emit_pointer(&function_);
}

// A cons cell that was made to be returned is returned by what makes it.
void FunctionCompiler::emit_return(uint16_t r) {
  if (here() == last_ + 1 && placed_ != here()) {
    const Instruction last(code_[last_]);
    if (last.op() == Op::Cons && last.a() == r) {
      code_[last_] = Instruction(Op::ReturnCons, 0, last.b(), last.c()).word;
      return;
    }
  }
  emit(Op::Return, r);
}

// ---- Operands ---------------------------------------------------------------

std::optional<Value> FunctionCompiler::constant(VarId v) {
  if (const auto decided = decided_[static_cast<size_t>(v)]) return Value::boolean(*decided);
  const auto& literal = registers_.constants[static_cast<size_t>(v)];
  if (!literal) return std::nullopt;
  return table_.literal(owner_, *literal);
}

uint16_t FunctionCompiler::scratch() {
  const uint32_t r = registers_.count + scratch_++;
  frame_ = std::max(frame_, r + 1);
  return static_cast<uint16_t>(std::min(r, kMaxRegister));
}

uint16_t FunctionCompiler::reg(VarId v) {
  const auto value = constant(v);
  if (!value) return registers_.of[static_cast<size_t>(v)];
  const uint16_t r = scratch();
  emit_load(r, v, *value);
  return r;
}

uint16_t FunctionCompiler::result(VarId v) {
  if (!exists(v)) return scratch();
  const uint16_t r = registers_.of[static_cast<size_t>(v)];
  return r == Registers::kNone ? scratch() : r;
}

void FunctionCompiler::move_to(uint16_t target, VarId v) {
  if (const auto value = constant(v)) return emit_load(target, v, *value);
  const uint16_t source = registers_.of[static_cast<size_t>(v)];
  if (source != target) emit(Op::Move, target, source);
}

// One after the other; registers with small numbers three at a time.
void FunctionCompiler::emit_moves(std::span<const Move> moves) {
  const auto is_small = [](const Move& move) {
    return move.target <= kMaxPackedRegister && move.source <= kMaxPackedRegister;
  };
  while (!moves.empty()) {
    size_t n = 0;
    while (n < 3 && n < moves.size() && is_small(moves[n])) ++n;
    const auto packed = [&](size_t i) { return packed_move(moves[i].target, moves[i].source); };
    if (n == 3) {
      emit(Op::Move3, packed(0), packed(1), packed(2));
    } else if (n == 2) {
      emit(Op::Move2, packed(0), packed(1));
    } else {
      n = 1;
      emit(Op::Move, moves[0].target, moves[0].source);
    }
    moves = moves.subspan(n);
  }
}

// A move may go first whose target no other one has yet to read. Where there is none,
// there are cycles, and a register beside opens one.
void FunctionCompiler::move_all(uint16_t first_target, std::span<const VarId> vars) {
  std::vector<Move> pending;
  pending.reserve(vars.size());
  for (size_t i = 0; i < vars.size(); ++i) {
    const auto target = static_cast<uint16_t>(first_target + i);
    const uint16_t source = registers_.of[static_cast<size_t>(vars[i])];
    if (!constant(vars[i]) && source != target) pending.push_back({target, source});
  }
  uint32_t beside = std::max(registers_.count, first_target + static_cast<uint32_t>(vars.size()));
  std::vector<Move> order;
  order.reserve(2 * pending.size());
  while (!pending.empty()) {
    const auto free = std::find_if(pending.begin(), pending.end(), [&](const Move& move) {
      return std::none_of(pending.begin(), pending.end(),
                          [&](const Move& other) { return other.source == move.target; });
    });
    if (free == pending.end()) {
      const uint16_t source = pending[0].source;
      const auto copy = static_cast<uint16_t>(std::min(beside++, kMaxRegister));
      frame_ = std::max(frame_, beside);
      order.push_back({copy, source});
      for (Move& move : pending) {
        if (move.source == source) move.source = copy;
      }
      continue;
    }
    order.push_back(*free);
    pending.erase(free);
  }
  emit_moves(order);
  for (size_t i = 0; i < vars.size(); ++i) {
    if (constant(vars[i])) move_to(static_cast<uint16_t>(first_target + i), vars[i]);
  }
}

bool FunctionCompiler::is_used(VarId v) const {
  return exists(v) &&
         liveness_.ranges[static_cast<size_t>(liveness_.same_as[static_cast<size_t>(v)])].uses > 0;
}

// ---- Regions ----------------------------------------------------------------

void FunctionCompiler::finish_value(VarId value, Destination to) {
  switch (to.kind) {
    case Destination::Kind::Return:
      if (table_.mode().reports_calls) report_call(true);
      if (const auto known = constant(value)) {
        const Source source(*this, literal_node(value));
        emit(Op::ReturnLiteral);
        emit_word(known->raw());
      } else {
        emit_return(reg(value));
      }
      break;
    case Destination::Kind::Register:
      move_to(to.reg, value);
      break;
    case Destination::Kind::Nowhere:
      break;
    case Destination::Kind::Branch:
      branch_on(value, to);
      break;
  }
  release_scratch();
}

void FunctionCompiler::region(RegionId id, Destination to) {
  auto [nodes, value] = to.kind == Destination::Kind::Return
                            ? returning_region(module_, id)
                            : ReturningRegion{module_.nodes(id), module_[id].value};
  std::span<const Probe> probes = probes_in(id);
  const size_t count = nodes.size();
  while (!nodes.empty()) {
    const size_t index = count - nodes.size();
    emit_probes(probes, index);
    const size_t n = chain_length(nodes.first(nodes_without_probe(probes, index, nodes.size())));
    const NodeId last = nodes[n - 1];
    const bool makes_value = n == nodes.size() && exists(value) && module_[last].result == value;
    // A condition is looked at when it is there.
    const bool is_looked_at = std::ranges::any_of(
        probes, [](const Probe& p) { return p.kind == Probe::Kind::Condition; });
    if (makes_value && !is_looked_at && takes_destination(last, to)) {
      // What follows it is only another name for its value; a call stays a tail call.
      emit_probes(probes, SIZE_MAX);
      return chain(nodes.first(n), to);
    }
    if (n > 1) {
      chain(nodes.first(n), destination_of(last));
    } else {
      node(last);
    }
    nodes = nodes.subspan(n);
  }
  emit_probes(probes, SIZE_MAX);
  if (exists(value)) finish_value(value, to);
}

// Whether the node can put its value there by itself.
bool FunctionCompiler::takes_destination(NodeId id, Destination to) {
  switch (module_[id].kind) {
    case Kind::Case:
    case Kind::Maybe:
    case Kind::Receive:
    case Kind::Try:
      return true;
    default:
      break;
  }
  if (to.kind == Destination::Kind::Return) {
    return liveness_.tail_calls.contains(id);
  }
  return to.kind == Destination::Kind::Branch && is_test(id) && is_used_once(module_[id].result);
}

void FunctionCompiler::make_value(NodeId id, Destination to) {
  const Source source(*this, id);
  switch (module_[id].kind) {
    case Kind::Case:
      return case_node(id, to);
    case Kind::Maybe:
      return maybe_node(id, to);
    case Kind::Receive:
      return receive_node(id, to);
    case Kind::Try:
      return try_node(id, to);
    default:
      break;
  }
  if (to.kind == Destination::Kind::Return) {
    call_node(id, true);
  } else {
    jump_unless(id, to.branch->no);
    emit_jump(to.branch->yes);
  }
  release_scratch();
}

FunctionCompiler::Destination FunctionCompiler::destination_of(NodeId id) {
  const VarId v = module_[id].result;
  if (!is_used(v)) return {Destination::Kind::Nowhere};
  return {Destination::Kind::Register, registers_.of[static_cast<size_t>(v)]};
}

void FunctionCompiler::node(NodeId id) {
  const Source source(*this, id);
  switch (module_[id].kind) {
    case Kind::Entry:
    case Kind::Return:
    case Kind::Clause:
    case Kind::Segment:
      break;
    case Kind::Case:
    case Kind::Receive:
    case Kind::Try:
    case Kind::Maybe:
      make_value(id, destination_of(id));
      break;
    case Kind::Leave:
      move_to(leave_register_, module_.get<core::node::Leave>(id).mismatch);
      emit_jump(*leave_);
      break;
    case Kind::Raise: {
      const auto r = module_.get<core::node::Raise>(id);
      const uint16_t exception_class = reg(r.exception_class);
      const uint16_t reason = reg(r.reason);
      emit(Op::Raise, exception_class, reason, reg(r.trace));
      emit_site(id);
      break;
    }
    case Kind::NoMatch:
      no_match(id);
      break;
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
      call_node(id, false);
      break;
    case Kind::Bind:
    case Kind::MatchEqual:
    case Kind::MatchLiteral:
    case Kind::MatchTuple:
    case Kind::MatchCons:
    case Kind::MatchMap:
    case Kind::MatchKey:
    case Kind::MatchBits:
    case Kind::MatchSegment:
    case Kind::MatchEnd:
    case Kind::Test:
      pattern_node(id);
      break;
    case Kind::Literal:
    case Kind::Copy:
    case Kind::Tuple:
    case Kind::Cons:
    case Kind::Map:
    case Kind::MapPut:
    case Kind::MapReplace:
    case Kind::Binary:
    case Kind::Fun:
    case Kind::ExternalFun:
    case Kind::Stacktrace:
      data_node(id);
      break;
  }
  release_scratch();
}

// Patterns, or one alternative of a guard.
void FunctionCompiler::tests(RegionId id, Label& fail) {
  Label* const outer = std::exchange(fail_, &fail);
  std::span<const NodeId> nodes = module_.nodes(id);
  std::span<const Probe> probes = probes_in(id);
  const size_t count = nodes.size();
  while (!nodes.empty()) {
    const size_t index = count - nodes.size();
    emit_probes(probes, index);
    const size_t n = chain_length(nodes.first(nodes_without_probe(probes, index, nodes.size())));
    if (n > 1 && module_[nodes[n - 1]].kind == Kind::Test) {
      Branch branch;
      const VarId value = module_.get<core::node::Test>(nodes[n - 1]).value;
      chain(nodes.first(n - 1), {Destination::Kind::Branch, result(value), &branch});
      join(branch.no, fail);
      join(branch.other, fail);
      place(branch.yes);
    } else if (n > 1) {
      chain(nodes.first(n), destination_of(nodes[n - 1]));
    } else {
      node(nodes[0]);
    }
    nodes = nodes.subspan(n);
  }
  fail_ = outer;
}

// ---- Control ----------------------------------------------------------------

void FunctionCompiler::clause_tests(NodeId id, Label& next, Label& rejected) {
  const auto c = module_.get<core::node::Clause>(id);
  tests(c.patterns, next);
  holds_ = {};
  const std::span<const RegionId> alternatives = module_.regions(c.guards);
  Label body;
  GuardProbe probe;
  for (uint32_t i = 0; i < alternatives.size(); ++i) {
    if (probes_) probe = probes_->of_guard(id, i);
    if (i == 0 && probe.vectors) emit_vector_begin(kGuardDecision);
    const bool is_last = i + 1 == alternatives.size();
    const bool counts_false = probe.when_false || probe.vectors;
    Label alternative;
    tests(alternatives[i], is_last ? (counts_false ? rejected : next) : alternative);
    if (probe.when_true) emit_count(probe.when_true);
    if (is_last) break;
    emit_jump(body);
    place(alternative);
    if (probe.when_false) emit_count(probe.when_false);
  }
  place(body);
  if (probe.vectors) emit_vector_count(kGuardDecision, probe.vectors);
}

void FunctionCompiler::count_rejection(NodeId id, Label& rejected, Label& next) {
  if (rejected.jumps.empty()) return;
  const size_t alternatives = module_.regions(module_.get<core::node::Clause>(id).guards).size();
  const GuardProbe probe = probes_->of_guard(id, static_cast<uint32_t>(alternatives) - 1);
  place(rejected);
  if (probe.when_false) emit_count(probe.when_false);
  if (probe.vectors) emit_vector_count(kGuardDecision, probe.vectors);
  emit_jump(next);
}

void FunctionCompiler::clause(NodeId id, Destination to, Label& next, Label& end) {
  Label rejected;
  clause_tests(id, next, rejected);
  report_clause(id);
  const auto c = module_.get<core::node::Clause>(id);
  region(c.body, to);
  if (to.comes_to_end()) emit_jump(end);
  count_rejection(id, rejected, next);
}

// No instruction says that a try begins: the handler is found by the place of what
// raised.
void FunctionCompiler::try_node(NodeId id, Destination to) {
  const auto t = module_.get<core::node::Try>(id);
  const uint32_t from = placed_ = here();
  const bool wanted = is_used(t.value);
  const uint16_t value = wanted ? registers_.of[static_cast<size_t>(t.value)] : 0;
  region(t.body, wanted ? Destination{Destination::Kind::Register, value}
                        : Destination{Destination::Kind::Nowhere});
  const uint32_t to_offset = placed_ = here();
  Label end;
  region(t.success, to);
  if (to.comes_to_end()) emit_jump(end);
  placed_ = here();
  handlers_.push_back({from, to_offset, next_instruction(), result(t.exception_class),
                       result(t.reason), result(t.trace), node_label(module_, id)});
  release_scratch();
  region(t.handler, to);
  place(end);
}

void FunctionCompiler::maybe_node(NodeId id, Destination to) {
  const auto m = module_.get<core::node::Maybe>(id);
  Label otherwise;
  Label end;
  Label* const outer = std::exchange(leave_, &otherwise);
  const uint16_t outer_register = std::exchange(leave_register_, result(m.mismatch));
  region(m.body, to);
  leave_ = outer;
  leave_register_ = outer_register;
  if (to.comes_to_end()) emit_jump(end);
  place(otherwise);
  region(m.otherwise, to);
  place(end);
}

void FunctionCompiler::receive_node(NodeId id, Destination to) {
  const auto r = module_.get<core::node::Receive>(id);
  Label after;
  Label end;
  std::vector<uint16_t> parts;
  for (const VarId v : parts_of_taken(module_, id)) {
    const uint16_t part = registers_.of[static_cast<size_t>(v)];
    if (!constant(v) && part != Registers::kNone) parts.push_back(part);
  }
  const uint16_t timeout = exists(r.timeout) ? reg(r.timeout) : Registers::kNone;
  const uint32_t start = emit(Op::ReceiveStart, timeout, static_cast<uint32_t>(parts.size()));
  emit_packed(parts);
  const uint16_t message = result(r.message);
  const uint32_t peek = emit(Op::ReceivePeek, message);
  code_[peek] = Instruction(Op::ReceivePeek, message, peek - start, 0).word;
  emit_fail(peek, id, exists(r.after) ? &after : nullptr);
  emit_word(live_mask(id));
  release_scratch();
  for (const NodeId clause_id : module_.nodes(r.clauses)) {
    Label next;
    Label rejected;
    clause_tests(clause_id, next, rejected);
    {
      // In labelled code it tells which clause has taken the message.
      const Source source(*this, table_.mode().labels ? std::optional(clause_id) : source_);
      emit(Op::ReceiveTake);
    }
    report_clause(clause_id);
    region(module_.get<core::node::Clause>(clause_id).body, to);
    if (to.comes_to_end()) emit_jump(end);
    count_rejection(clause_id, rejected, next);
    place(next);
  }
  const uint32_t again = emit(Op::ReceiveNext);
  emit_word(std::bit_cast<uint64_t>(
      FailWord{static_cast<int32_t>(peek) - static_cast<int32_t>(again), id}));
  place(after);
  if (exists(r.after)) {
    report_clause(id);
    region(r.after, to);
  }
  place(end);
}

}  // namespace fathom::machine
