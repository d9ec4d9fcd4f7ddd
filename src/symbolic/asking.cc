#include "symbolic/asking.h"

#include "base/budget.h"
#include "code/code_table.h"
#include "code/instruction_layout.h"
#include "symbolic/natives.h"

namespace fathom::symbolic {

using machine::Instruction;
using machine::Op;

namespace {

// Where a tail call goes that was performed here.
const uint64_t kReturn[] = {Instruction(Op::Return, 0, 0, 0).word};

bool is_test(Op op) { return op >= Op::UnlessIs && op <= Op::EndBits; }

int32_t fail_offset(const uint64_t* pc) {
  const Op op = Instruction(*pc).op();
  const bool has_operand = op == Op::UnlessIs || op == Op::UnlessIsNot || op == Op::UnlessLiteral ||
                           (op >= Op::ReadBits && op <= Op::ReadRest);
  const size_t word = has_operand ? 2 : 1;
  return std::bit_cast<machine::FailWord>(pc[word]).offset;
}

Shapes shapes_of_test(Op op) {
  switch (op) {
    case Op::UnlessTypeAtom:
      return shape::kAtom;
    case Op::UnlessTypeBinary:
    case Op::UnlessTypeBitstring:
    case Op::StartBits:
      return shape::kBinary;
    case Op::UnlessTypeFloat:
      return shape::kFloat;
    case Op::UnlessTypeFunction:
      return shape::kFun;
    case Op::UnlessTypeInteger:
      return shape::kInteger;
    case Op::UnlessTypeList:
      return shape::kList;
    case Op::UnlessTypeMap:
      return shape::kMap;
    case Op::UnlessTypeNumber:
      return shape::kNumber;
    case Op::UnlessTypePid:
      return shape::kPid;
    case Op::UnlessTypeReference:
      return shape::kReference;
    case Op::UnlessTypeTuple:
      return shape::kTuple;
    default:
      return 0;  // ports: never generated
  }
}

}  // namespace

Asking::Asking(machine::Machine& m, Store& store, InputBounds bounds)
    : machine_(m), store_(store), bounds_(bounds) {}

// ---- The driver's side ------------------------------------------------------

bool Asking::take(const Way& way) {
  ways_.clear();
  is_dead_ = false;
  is_taken_ = true;
  taken_ = way.verdict;
  if (way.model) store_.use_model(*way.model);
  return way.apply() && store_.check_differences();
}

void Asking::forget_question() {
  ways_.clear();
  is_dead_ = is_taken_ = false;
  taken_.reset();
}

// ---- The machine's side -----------------------------------------------------

const uint64_t* Asking::before(const uint64_t* pc, Value* fp) {
  if (machine_.in_service()) return pc;
  ++asked;
  if (std::exchange(is_taken_, false)) {
    if (const auto verdict = std::exchange(taken_, std::nullopt)) return finish(pc, fp, *verdict);
  }
  while (true) {
    const Step step = examine(pc, fp);
    switch (step.kind) {
      case Step::Kind::Run:
        return pc;
      case Step::Kind::Decided:
        return finish(pc, fp, step.verdict);
      case Step::Kind::Result:
        return give(pc, fp, step.result);
      case Step::Kind::Raise:
        return raise_in_fun(step, Instruction(*pc).b());
      case Step::Kind::Ask:
        break;
    }
    spend();
    const bool is_either_or = ways_.size() == 2 && ways_[0].condition && ways_[1].condition &&
                              ways_[0].condition->negated().says_the_same(*ways_[1].condition);
    drop_impossible();
    place_ = pc;
    if (ways_.size() > 1) return nullptr;
    const std::vector<Way> only = take_question();
    // The other one is impossible, so this is nothing new.
    if (is_either_or && !only.empty()) store_.set_implied(only[0].condition);
    const bool is_possible = !only.empty() && take(only[0]);
    store_.set_implied(std::nullopt);
    if (!is_possible) {
      ways_.clear();
      is_dead_ = true;
      return nullptr;
    }
    is_taken_ = false;
    if (const auto verdict = std::exchange(taken_, std::nullopt)) return finish(pc, fp, *verdict);
  }
}

void Asking::drop_impossible() {
  size_t kept = 0;
  for (Way& w : ways_) {
    if (w.condition) {
      Model model;
      const Answer answer = store_.possible(*w.condition, model);
      if (answer == Answer::No) continue;
      if (answer == Answer::Yes) w.model = std::move(model);
    }
    if (&ways_[kept] != &w) ways_[kept] = std::move(w);
    ++kept;
  }
  ways_.resize(kept);
}

// The test holds, or not; of a native function that is a test, that is its value.
const uint64_t* Asking::finish(const uint64_t* pc, Value* fp, bool verdict) {
  const Op op = Instruction(*pc).op();
  if (!is_test(op)) return give(pc, fp, Value::boolean(verdict));
  if (op == Op::Select || op == Op::SelectTag || op == Op::SelectHead) {
    // Not in the table: what follows it is right for all values.
    return verdict ? pc : pc + machine::instruction_words(pc);
  }
  const uint32_t b = Instruction(*pc).b();
  fp[b] = Store::known(fp[b]);
  if (!verdict) return pc + fail_offset(pc);
  // Those that take a value apart do it now.
  return op == Op::Uncons || op == Op::UnlessCons || op == Op::MapKey
             ? pc
             : pc + machine::instruction_words(pc);
}

// In an unknown fun: its frame is above that of its caller.
const uint64_t* Asking::raise_in_fun(const Step& step, size_t arity) {
  static const Value module(Atom::intern(kCaller));
  machine_.context.raise(step.exception_class.atom(), step.result);
  machine_.state.pending.top = machine_.heap().tuple(
      {module, module, Value::small(static_cast<int64_t>(arity)), Value::nil()});
  return &kRaise;
}

const uint64_t* Asking::give(const uint64_t* pc, Value* fp, Value v) {
  const Instruction i(*pc);
  const Op op = i.op();
  if (op >= Op::TailCall || op == Op::NativeStub) {
    if ((op >= Op::TailCall && op <= Op::TailCallFunList) || op == Op::NativeStub) {
      fp[0] = v;
      return kReturn;
    }
  }
  if (op >= Op::Call && op <= Op::CallFunList) {
    fp[i.c()] = v;
  } else {
    fp[i.a()] = v;
  }
  return pc + machine::instruction_words(pc);
}

Asking::Step Asking::examine(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  const Op op = i.op();
  if (op >= Op::Add && op <= Op::ShiftRightSmall) return arithmetic(pc, fp);
  Value& x = fp[i.b()];
  if (op >= Op::UnlessIs && op <= Op::EndBits) x = Store::known(x);
  switch (op) {
    case Op::UnlessIs:
    case Op::UnlessLiteral: {
      const Value literal = Value::from_raw(pc[1]);
      if (!Store::has_unknowns(x)) return run();
      return ask_same(x, literal, true);
    }
    case Op::UnlessIsNot:
      return x.is_unknown() ? negated(ask_same(x, Value::from_raw(pc[1]), true)) : run();
    case Op::UnlessTrue:
      return x.is_unknown() ? ask_same(x, Value(atoms::true_), true) : run();
    case Op::UnlessTypeBoolean:
      return x.is_unknown() ? ask_boolean(x) : run();
    case Op::UnlessTuple:
      return x.is_unknown() ? ask_tuple(x, i.c()) : run();
    case Op::Uncons:
    case Op::UnlessCons:
      return x.is_unknown() ? ask_cons(x) : run();
    case Op::Select:
    case Op::SelectTag:
    case Op::SelectHead:
      return ask_select(pc, fp);
    case Op::MapKey:
      return ask_map_key(pc, fp);
    case Op::StartBits:
      return ask_bits(x);
    case Op::ReadBits:
    case Op::SkipBits:
    case Op::ReadInteger:
    case Op::SkipFixed:
    case Op::ReadRest:
    case Op::EndBits:
      return read_bits(pc, fp);
    case Op::Element:
    case Op::Element2:
      return run();
    default:
      break;
  }
  if (op >= Op::UnlessTypeAtom && op <= Op::UnlessTypeTuple) {
    return x.is_unknown() ? ask_type(x, shapes_of_test(op)) : run();
  }
  if (op == Op::MapPut || op == Op::MapReplace || op == Op::Map) return ask_map_update(pc, fp);
  return op >= Op::UnlessSame && op <= Op::UnlessNotEqualSmall ? ask_comparison(pc, fp)
                                                               : ask_call(pc, fp);
}

// The opposite of a test.
Asking::Step Asking::negated(Step step) {
  if (step.kind == Step::Kind::Decided) step.verdict = !step.verdict;
  for (Way& w : ways_) {
    if (w.verdict) w.verdict = !*w.verdict;
  }
  return step;
}

Asking::Step Asking::ask_comparison(const uint64_t* pc, Value* fp) {
  const Instruction i(*pc);
  const Op op = i.op();
  const bool is_small = op >= Op::UnlessLessSmall;
  const Value x = fp[i.b()];
  const Value y = is_small ? Value::small(static_cast<int16_t>(i.c())) : fp[i.c()];
  if (!Store::has_unknowns(x) && !Store::has_unknowns(y)) return run();
  switch (op) {
    case Op::UnlessSame:
      return ask_same(x, y, true);
    case Op::UnlessNotSame:
      return negated(ask_same(x, y, true));
    case Op::UnlessEqual:
    case Op::UnlessEqualSmall:
      return ask_same(x, y, false);
    case Op::UnlessNotEqual:
    case Op::UnlessNotEqualSmall:
      return negated(ask_same(x, y, false));
    case Op::UnlessLess:
    case Op::UnlessLessSmall:
      return ask_order(x, y, Relation::Less);
    case Op::UnlessLessEqual:
    case Op::UnlessLessEqualSmall:
      return ask_order(x, y, Relation::LessEqual);
    case Op::UnlessGreaterSmall:
      return ask_order(y, x, Relation::Less);
    default:  // UnlessGreaterEqualSmall
      return ask_order(y, x, Relation::LessEqual);
  }
}

}  // namespace fathom::symbolic
