// Calls and operators.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "machine/function_compiler.h"

namespace fathom::machine {

using core::exists;

namespace {

Atom name_of(std::string_view text) { return Atom::intern(text); }

// Operators with an instruction of their own.
const std::unordered_map<Atom, Op>& arithmetic_ops() {
  static const std::unordered_map<Atom, Op> ops = {
      {atoms::plus, Op::Add},           {atoms::minus, Op::Subtract}, {atoms::star, Op::Multiply},
      {atoms::div_, Op::IntegerDivide}, {atoms::rem_, Op::Remainder}, {atoms::band_, Op::BitAnd},
      {atoms::bor_, Op::BitOr},         {atoms::bsl_, Op::ShiftLeft}, {atoms::bsr_, Op::ShiftRight},
  };
  return ops;
}

struct Comparison {
  Op op;
  bool swapped;
};

const std::unordered_map<Atom, Comparison>& comparisons() {
  static const std::unordered_map<Atom, Comparison> ops = {
      {atoms::equal_colon_equal, {Op::UnlessSame, false}},
      {atoms::equal_slash_equal, {Op::UnlessNotSame, false}},
      {atoms::equal_equal, {Op::UnlessEqual, false}},
      {atoms::slash_equal, {Op::UnlessNotEqual, false}},
      {atoms::less, {Op::UnlessLess, false}},
      {atoms::equal_less, {Op::UnlessLessEqual, false}},
      {atoms::greater, {Op::UnlessLess, true}},
      {atoms::greater_equal, {Op::UnlessLessEqual, true}},
  };
  return ops;
}

const std::unordered_map<Atom, TypeTest>& type_tests() {
  static const std::unordered_map<Atom, TypeTest> tests = {
      {name_of("is_atom"), TypeTest::Atom},
      {name_of("is_binary"), TypeTest::Binary},
      {name_of("is_bitstring"), TypeTest::Bitstring},
      {name_of("is_boolean"), TypeTest::Boolean},
      {name_of("is_float"), TypeTest::Float},
      {name_of("is_function"), TypeTest::Function},
      {name_of("is_integer"), TypeTest::Integer},
      {name_of("is_list"), TypeTest::List},
      {name_of("is_map"), TypeTest::Map},
      {name_of("is_number"), TypeTest::Number},
      {name_of("is_pid"), TypeTest::Pid},
      {name_of("is_port"), TypeTest::Port},
      {name_of("is_reference"), TypeTest::Reference},
      {name_of("is_tuple"), TypeTest::Tuple},
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

// Where the callee's frame begins: behind what must be kept and what the arguments
// are taken from, and the word for the return.
uint32_t FunctionCompiler::window(NodeId id, bool tail, std::span<const VarId> arguments,
                                  std::span<const VarId> more) {
  uint32_t top = 0;
  const auto keep = [&](VarId v) {
    const uint16_t r = registers_.of[static_cast<size_t>(v)];
    if (r != Registers::kNone) top = std::max<uint32_t>(top, r + 1);
  };
  if (const auto it = liveness_.kept.find(id); !tail && it != liveness_.kept.end()) {
    it->second.for_each(keep);
  }
  for (const VarId v : arguments) keep(v);
  for (const VarId v : more) keep(v);
  return top + 1;
}

void FunctionCompiler::emit_call(Op op, Op tail_op, NodeId id, bool tail,
                                 std::span<const VarId> arguments, std::span<const VarId> more,
                                 const void* target) {
  const uint32_t k = window(id, tail, arguments, more);
  uint32_t at = k;
  for (const VarId v : arguments) move_to(static_cast<uint16_t>(at++), v);
  for (const VarId v : more) move_to(static_cast<uint16_t>(at++), v);
  frame_ = std::max(frame_, at + 2);
  const auto n = static_cast<uint32_t>(arguments.size());
  const uint32_t result_register = tail ? 0 : result(module_[id].result);
  emit(tail ? tail_op : op, k, n, result_register);
  emit_pointer(target);
  if (!tail) emit_word(live_mask(id));
  emit_site(id);
}

// ---- Calls ------------------------------------------------------------------

bool FunctionCompiler::is_call_node(NodeId id) const { return is_call(module_[id].kind); }

// What the stubs of native functions do, those of OTP and those of users.
bool FunctionCompiler::is_nif_error(NodeId id) const {
  if (module_[id].kind != Kind::CallRemote) return false;
  static const Atom nif_error = name_of("nif_error");
  const auto c = module_.get<core::node::CallRemote>(id);
  return c.module == atoms::erlang && c.name == nif_error;
}

void FunctionCompiler::call_node(NodeId id, bool tail) {
  switch (module_[id].kind) {
    case Kind::Call: {
      const auto c = module_.get<core::node::Call>(id);
      return emit_call(Op::Call, Op::TailCall, id, tail, module_.vars(c.arguments), {},
                       &owner_.functions[static_cast<size_t>(c.function)]);
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
  const bool in_c = target->native != nullptr && !target->may_call;
  if (in_c || module_[id].in_guard) {
    if (c.module != atoms::erlang || !inline_operator(id, c.name, arguments)) {
      native(id, target, arguments);
    }
    if (tail) emit(Op::Return, registers_.of[static_cast<size_t>(module_[id].result)]);
    return;
  }
  emit_call(Op::CallExport, Op::TailCallExport, id, tail, arguments, {}, target);
}

bool FunctionCompiler::inline_operator(NodeId id, Atom name, std::span<const VarId> arguments) {
  if (arguments.size() != 2) return false;
  const auto it = arithmetic_ops().find(name);
  if (it == arithmetic_ops().end()) return false;
  const uint16_t target = result(module_[id].result);
  const auto right = constant(arguments[1]);
  if (right && right->is_small() && (it->second == Op::Add || it->second == Op::Subtract)) {
    const int64_t n = it->second == Op::Add ? right->small() : -right->small();
    if (n >= INT16_MIN && n <= INT16_MAX) {
      const uint16_t left = reg(arguments[0]);
      const uint32_t at = emit(Op::AddSmall, target, left, static_cast<uint16_t>(n));
      emit_fail(at, id, guard_fail(id));
      return true;
    }
  }
  const uint16_t left = reg(arguments[0]);
  const uint16_t r = reg(arguments[1]);
  const uint32_t at = emit(it->second, target, left, r);
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
  uint32_t at;
  if (arguments.size() == 1) {
    const uint16_t x = reg(arguments[0]);
    at = emit(Op::Native1, to, x);
  } else if (arguments.size() == 2) {
    const uint16_t x = reg(arguments[0]);
    const uint16_t y = reg(arguments[1]);
    at = emit(Op::Native2, to, x, y);
  } else {
    uint32_t first = registers_.count + scratch_;
    frame_ = std::max<uint32_t>(frame_, first + static_cast<uint32_t>(arguments.size()) + 1);
    for (size_t i = 0; i < arguments.size(); ++i) {
      move_to(static_cast<uint16_t>(first + i), arguments[i]);
    }
    at = emit(Op::NativeN, to, first, static_cast<uint32_t>(arguments.size()));
  }
  emit_pointer(target);
  emit_fail(at, id, guard_fail(id));
}

bool FunctionCompiler::fused_test(NodeId id, NodeId test, Label& fail) {
  if (module_[id].kind != Kind::CallRemote || module_[test].kind != Kind::Test) return false;
  const VarId value = module_[id].result;
  if (module_.get<core::node::Test>(test).value != value) return false;
  if (liveness_.ranges[static_cast<size_t>(value)].uses != 1) return false;
  const auto c = module_.get<core::node::CallRemote>(id);
  if (c.module != atoms::erlang) return false;
  const std::span<const VarId> arguments = module_.vars(c.arguments);
  if (arguments.size() == 1) {
    const auto it = type_tests().find(c.name);
    if (it == type_tests().end()) return false;
    const uint16_t subject = reg(arguments[0]);
    const uint32_t at = emit(Op::UnlessType, 0, subject, static_cast<uint32_t>(it->second));
    emit_fail(at, id, &fail);
    return true;
  }
  const auto it = comparisons().find(c.name);
  if (arguments.size() != 2 || it == comparisons().end()) return false;
  uint16_t left = reg(arguments[0]);
  uint16_t right = reg(arguments[1]);
  if (it->second.swapped) std::swap(left, right);
  const uint32_t at = emit(it->second.op, 0, left, right);
  emit_fail(at, id, &fail);
  return true;
}

}  // namespace fathom::machine
