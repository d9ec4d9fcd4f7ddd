// Calls and operators.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "code/function_compiler.h"

namespace fathom::machine {

using core::exists;

namespace {

Atom name_of(std::string_view text) { return Atom::intern(text); }

// Operators with an instruction of their own.
const std::unordered_map<Atom, Op>& arithmetic_ops() {
  static const std::unordered_map<Atom, Op> ops = {
      {atoms::plus, Op::Add},       {atoms::minus, Op::Subtract},  {atoms::star, Op::Multiply},
      {atoms::slash, Op::Divide},   {atoms::bxor_, Op::BitXor},    {atoms::div_, Op::IntegerDivide},
      {atoms::rem_, Op::Remainder}, {atoms::band_, Op::BitAnd},    {atoms::bor_, Op::BitOr},
      {atoms::bsl_, Op::ShiftLeft}, {atoms::bsr_, Op::ShiftRight},
  };
  return ops;
}

struct Comparison {
  Op op;
  bool swapped;
  Op with_small;  // on the right
  Op small_with;  // on the left
};

const std::unordered_map<Atom, Comparison>& comparisons() {
  static const std::unordered_map<Atom, Comparison> ops = {
      {atoms::equal_colon_equal, {Op::UnlessSame, false, Op::UnlessIs, Op::UnlessIs}},
      {atoms::equal_slash_equal, {Op::UnlessNotSame, false, Op::UnlessIsNot, Op::UnlessIsNot}},
      {atoms::equal_equal, {Op::UnlessEqual, false, Op::UnlessEqualSmall, Op::UnlessEqualSmall}},
      {atoms::slash_equal,
       {Op::UnlessNotEqual, false, Op::UnlessNotEqualSmall, Op::UnlessNotEqualSmall}},
      {atoms::less, {Op::UnlessLess, false, Op::UnlessLessSmall, Op::UnlessGreaterSmall}},
      {atoms::equal_less,
       {Op::UnlessLessEqual, false, Op::UnlessLessEqualSmall, Op::UnlessGreaterEqualSmall}},
      {atoms::greater, {Op::UnlessLess, true, Op::UnlessGreaterSmall, Op::UnlessLessSmall}},
      {atoms::greater_equal,
       {Op::UnlessLessEqual, true, Op::UnlessGreaterEqualSmall, Op::UnlessLessEqualSmall}},
  };
  return ops;
}

// Native functions with an instruction of their own.
std::optional<Op> native_op(Atom name, size_t arity) {
  static const Atom hd = name_of("hd");
  static const Atom tl = name_of("tl");
  static const Atom element = name_of("element");
  if (arity == 1 && name == hd) return Op::Head;
  if (arity == 1 && name == tl) return Op::Tail;
  if (arity == 2 && name == element) return Op::ElementOf;
  return std::nullopt;
}

// If it fits an instruction's part.
std::optional<uint16_t> as_operand(const std::optional<Value>& value) {
  if (!value || !value->is_small()) return std::nullopt;
  if (value->small() < INT16_MIN || value->small() > INT16_MAX) return std::nullopt;
  return static_cast<uint16_t>(value->small());
}

const std::unordered_map<Atom, Op>& type_tests() {
  static const std::unordered_map<Atom, Op> tests = {
      {name_of("is_atom"), Op::UnlessTypeAtom},
      {name_of("is_binary"), Op::UnlessTypeBinary},
      {name_of("is_bitstring"), Op::UnlessTypeBitstring},
      {name_of("is_boolean"), Op::UnlessTypeBoolean},
      {name_of("is_float"), Op::UnlessTypeFloat},
      {name_of("is_function"), Op::UnlessTypeFunction},
      {name_of("is_integer"), Op::UnlessTypeInteger},
      {name_of("is_list"), Op::UnlessTypeList},
      {name_of("is_map"), Op::UnlessTypeMap},
      {name_of("is_number"), Op::UnlessTypeNumber},
      {name_of("is_pid"), Op::UnlessTypePid},
      {name_of("is_port"), Op::UnlessTypePort},
      {name_of("is_reference"), Op::UnlessTypeReference},
      {name_of("is_tuple"), Op::UnlessTypeTuple},
  };
  return tests;
}

}  // namespace

// ---- Frames -----------------------------------------------------------------

uint64_t FunctionCompiler::live_mask(NodeId id) {
  std::vector<uint64_t> words((registers_.count + 64) / 64);
  const auto it = liveness_.kept.find(id);
  if (it != liveness_.kept.end()) {
    it->second.for_each([&](VarId v) {
      const uint16_t r = registers_.of[static_cast<size_t>(v)];
      if (r != Registers::kNone) words[r / 64] |= uint64_t{1} << r % 64;
    });
  }
  const bool small = words[0] >> 63 == 0 &&
                     std::all_of(words.begin() + 1, words.end(), [](uint64_t w) { return w == 0; });
  if (small) return words[0] << 1 | 1;
  owner_.masks.push_back(std::move(words));
  return reinterpret_cast<uint64_t>(&owner_.masks.back());
}

// Where the callee's frame begins: after what must be kept, and the word for the return.
uint32_t FunctionCompiler::window(NodeId id) {
  uint32_t top = 0;
  if (const auto it = liveness_.kept.find(id); it != liveness_.kept.end()) {
    it->second.for_each([&](VarId v) {
      const uint16_t r = registers_.of[static_cast<size_t>(v)];
      if (r != Registers::kNone) top = std::max<uint32_t>(top, r + 1);
    });
  }
  // Vectors of decisions in which it is called (probes.h).
  if (probes_ && probes_->decision_slots() > 1) top = std::max(top, registers_.count);
  return top + 1;
}

// The arguments of a call belong where the callee's frame begins.
WantedRegisters FunctionCompiler::places_of_arguments() {
  WantedRegisters wanted(core_.variables.size());
  for (const NodeId id : liveness_.nodes) {
    const Kind kind = module_[id].kind;
    if (!is_call(kind) || kind == Kind::Receive || module_[id].in_guard) continue;
    const bool tail = liveness_.tail_calls.contains(id);
    const uint32_t first = tail ? 0 : window(id);
    // They are the last field of all kinds of calls.
    const size_t field = core::schema_of(kind).fields.size() - 1;
    const std::span<const VarId> arguments = module_.vars(ListId{module_.slot(id, field)});
    if (kind == Kind::CallRemote && runs_inline(id)) continue;
    const auto kept = liveness_.kept.find(id);
    for (uint32_t i = 0; i < arguments.size(); ++i) {
      const VarId v = liveness_.same_as[static_cast<size_t>(arguments[i])];
      const bool stays = !tail && kept != liveness_.kept.end() && kept->second.contains(v);
      auto& place = wanted[static_cast<size_t>(v)];
      if (!place && !stays) place = first + i;
    }
  }
  return wanted;
}

// A native function that needs no frame, and before which nobody stops.
bool FunctionCompiler::runs_inline(NodeId id) {
  const auto c = module_.get<core::node::CallRemote>(id);
  const Export* target =
      table_.find_export(c.module, c.name, static_cast<uint32_t>(module_.vars(c.arguments).size()));
  const bool is_plain = !target->may_call && target->event == EventKind::None;
  return (target->native != nullptr && is_plain) || module_[id].in_guard;
}

void FunctionCompiler::emit_call(Op op, Op tail_op, NodeId id, bool tail,
                                 std::span<const VarId> arguments, std::span<const VarId> more,
                                 const void* target) {
  std::vector<VarId> all(arguments.begin(), arguments.end());
  all.insert(all.end(), more.begin(), more.end());
  const uint32_t first = tail ? 0 : window(id);
  frame_ = std::max(frame_, first + static_cast<uint32_t>(all.size()) + 2);
  move_all(static_cast<uint16_t>(first), all);
  const auto n = static_cast<uint32_t>(arguments.size());
  const uint32_t result_register = tail ? 0 : result(module_[id].result);
  emit(tail ? tail_op : op, first, n, result_register);
  emit_pointer(target);
  if (!tail) emit_word(live_mask(id));
  emit_site(id);
}

// ---- Calls ------------------------------------------------------------------

// What the stubs of native functions do, those of OTP and those of users.
bool FunctionCompiler::is_nif_error(NodeId id) const {
  if (module_[id].kind != Kind::CallRemote) return false;
  static const Atom nif_error = name_of("nif_error");
  const auto c = module_.get<core::node::CallRemote>(id);
  return c.module == atoms::erlang && c.name == nif_error;
}

// No tail call although the function returns its value: in a machine that reports calls; and one in
// whose place OTP puts the body of the callee, whose frame is then shown as the caller's own
// (stack_trace.cc), so that it must be there.
bool FunctionCompiler::keeps_frame(NodeId final_call) {
  if (table_.mode().reports_calls) return true;
  if (module_[final_call].kind != Kind::Call) return false;
  const auto c = module_.get<core::node::Call>(final_call);
  return ends_natively(*owner_.functions[static_cast<size_t>(c.function)]);
}

// Whether it is inlined and calls nothing at its end but native functions, such as error/3: of any
// other the calls must be tail calls, else a loop through caller and callee needs ever more stack.
bool FunctionCompiler::ends_natively(Function& callee, int depth) {
  constexpr int kDeepest = 4;
  if (!callee.is_inlined || depth > kDeepest || !table_.read(callee)) return false;
  const LoadedModule& owner = *callee.owner;
  const core::Module& module = *owner.core;
  return std::ranges::all_of(final_calls(module, module[callee.id]), [&](NodeId id) {
    if (module[id].kind == Kind::Call) {
      const auto c = module.get<core::node::Call>(id);
      return ends_natively(*owner.functions[static_cast<size_t>(c.function)], depth + 1);
    }
    if (module[id].kind != Kind::CallRemote) return false;
    const auto c = module.get<core::node::CallRemote>(id);
    const auto arity = static_cast<uint32_t>(module.vars(c.arguments).size());
    return table_.find_export(c.module, c.name, arity)->native != nullptr;
  });
}

void FunctionCompiler::call_node(NodeId id, bool tail) {
  switch (module_[id].kind) {
    case Kind::Call: {
      const auto c = module_.get<core::node::Call>(id);
      return emit_call(Op::Call, Op::TailCall, id, tail, module_.vars(c.arguments), {},
                       owner_.functions[static_cast<size_t>(c.function)]);
    }
    case Kind::CallDynamic: {
      const auto c = module_.get<core::node::CallDynamic>(id);
      const VarId more[] = {c.module, c.name};
      return emit_call(Op::CallDynamic, Op::TailCallDynamic, id, tail, module_.vars(c.arguments),
                       more, nullptr);
    }
    case Kind::Apply: {
      const auto c = module_.get<core::node::Apply>(id);
      return emit_call(Op::CallFun, Op::TailCallFun, id, tail, module_.vars(c.arguments),
                       std::span(&c.function, 1), nullptr);
    }
    default:
      return call_remote(id, tail);
  }
}

void FunctionCompiler::call_remote(NodeId id, bool tail) {
  const auto c = module_.get<core::node::CallRemote>(id);
  const std::span<const VarId> arguments = module_.vars(c.arguments);
  Export* target = table_.find_export(c.module, c.name, static_cast<uint32_t>(arguments.size()));
  static const Atom apply = name_of("apply");
  if (c.module == atoms::erlang && c.name == apply && arguments.size() >= 2 &&
      arguments.size() <= 3) {
    const bool by_name = arguments.size() == 3;
    return emit_call(by_name ? Op::CallList : Op::CallFunList,
                     by_name ? Op::TailCallList : Op::TailCallFunList, id, tail, arguments, {},
                     target);
  }
  if (is_nif_error(id)) {
    emit(Op::Unsupported);
    return emit_site(id);
  }
  if (runs_inline(id)) {
    if (c.module != atoms::erlang || !inline_operator(id, c.name, arguments)) {
      native(id, target, arguments);
    }
    if (tail) emit_return(registers_.of[static_cast<size_t>(module_[id].result)]);
    return;
  }
  emit_call(Op::CallExport, Op::TailCallExport, id, tail, arguments, {}, target);
}

bool FunctionCompiler::inline_operator(NodeId id, Atom name, std::span<const VarId> arguments) {
  if (arguments.size() != 2) return false;
  const auto it = arithmetic_ops().find(name);
  if (it == arithmetic_ops().end()) return false;
  const uint16_t target = result(module_[id].result);
  const auto small = as_operand(constant(arguments[1]));
  Op op = it->second;
  uint16_t operand;
  if (small) {
    op = static_cast<Op>(static_cast<uint16_t>(op) + 1);  // its form for small integers
    operand = *small;
  } else {
    operand = reg(arguments[1]);
  }
  const uint32_t at = emit(op, target, reg(arguments[0]), operand);
  emit_fail(at, id, guard_fail(id));
  return true;
}

void FunctionCompiler::native(NodeId id, Export* target, std::span<const VarId> arguments) {
  if (!target->native) {
    problem_ = fmt::format("a guard calls {}:{}/{}, which is not modelled", target->module.text(),
                           target->name.text(), target->arity);
    return;
  }
  const uint16_t to = result(module_[id].result);
  const auto op_or = [&](Op otherwise) {
    if (target->module != atoms::erlang) return otherwise;
    return native_op(target->name, arguments.size()).value_or(otherwise);
  };
  uint32_t at;
  if (arguments.size() == 1) {
    const uint16_t x = reg(arguments[0]);
    at = emit(op_or(Op::Native1), to, x);
  } else if (arguments.size() == 2) {
    const uint16_t x = reg(arguments[0]);
    const uint16_t y = reg(arguments[1]);
    at = emit(op_or(Op::Native2), to, x, y);
  } else {
    uint32_t first = registers_.count + scratch_;
    frame_ = std::max<uint32_t>(frame_, first + static_cast<uint32_t>(arguments.size()) + 1);
    move_all(static_cast<uint16_t>(first), arguments);
    at = emit(Op::NativeN, to, first, static_cast<uint32_t>(arguments.size()));
  }
  emit_pointer(target);
  emit_fail(at, id, guard_fail(id));
}

// ---- Tests ------------------------------------------------------------------

bool FunctionCompiler::is_test(NodeId id) const {
  if (module_[id].kind != Kind::CallRemote) return false;
  const auto c = module_.get<core::node::CallRemote>(id);
  if (c.module != atoms::erlang) return false;
  const size_t arity = module_.vars(c.arguments).size();
  return (arity == 1 && type_tests().contains(c.name)) ||
         (arity == 2 && comparisons().contains(c.name));
}

void FunctionCompiler::jump_unless(NodeId test, Label& fail) {
  const auto c = module_.get<core::node::CallRemote>(test);
  const std::span<const VarId> arguments = module_.vars(c.arguments);
  if (arguments.size() == 2) {
    return jump_unless_compared(test, c.name, arguments[0], arguments[1], fail);
  }
  emit_fail(emit(type_tests().at(c.name), 0, reg(arguments[0])), test, &fail);
}

void FunctionCompiler::jump_unless_compared(NodeId test, Atom name, VarId left, VarId right,
                                            Label& fail) {
  const Comparison& comparison = comparisons().at(name);
  const bool is_exact =
      comparison.with_small == Op::UnlessIs || comparison.with_small == Op::UnlessIsNot;
  for (const auto& [subject, other, op] : {std::tuple(left, right, comparison.with_small),
                                           std::tuple(right, left, comparison.small_with)}) {
    const auto value = constant(other);
    if (constant(subject) || !value) continue;
    if (is_exact && value->is_immediate()) {
      const uint32_t at = emit(op, 0, reg(subject));
      emit_word(value->raw());
      return emit_fail(at, test, &fail);
    }
    if (const auto small = as_operand(value); small && !is_exact) {
      return emit_fail(emit(op, 0, reg(subject), *small), test, &fail);
    }
  }
  uint16_t x = reg(left);
  uint16_t y = reg(right);
  if (comparison.swapped) std::swap(x, y);
  emit_fail(emit(comparison.op, 0, x, y), test, &fail);
}

}  // namespace fathom::machine
