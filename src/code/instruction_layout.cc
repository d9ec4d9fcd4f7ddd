#include "code/instruction_layout.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "code/registers.h"

namespace fathom::machine {
namespace {

size_t packed_words(size_t registers) { return (registers + 3) / 4; }

bool is_small_form(Op op) {
  return (static_cast<uint16_t>(op) - static_cast<uint16_t>(Op::Add)) % 2 == 1;
}

class LayoutReader {
 public:
  explicit LayoutReader(const uint64_t* pc) : pc_(pc), i_(*pc) {}

  InstructionLayout read() {
    if (i_.op() >= Op::Add && i_.op() <= Op::ShiftRightSmall) {
      computes(1);
      reads(i_.b());
      if (!is_small_form(i_.op())) reads(i_.c());
    } else if (i_.op() >= Op::UnlessLessSmall && i_.op() <= Op::UnlessTuple) {
      reads(i_.b());
      may_fail(1);
    } else if (i_.op() >= Op::Jump && i_.op() <= Op::EndBits) {
      test();
    } else if (i_.op() >= Op::Call && i_.op() <= Op::Die) {
      call();
    } else {
      other();
    }
    return std::move(layout_);
  }

 private:
  void reads(uint32_t r) { layout_.reads.push_back(r); }
  void reads_range(uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) reads(first + i);
  }
  void reads_packed(size_t word, size_t count) {
    for (size_t i = 0; i < count; ++i) reads(pc_[word + i / 4] >> (16 * (i % 4)) & 0xFFFF);
  }
  // The size in a word of BuildBits or ReadBits.
  void reads_size(uint64_t word) {
    const uint32_t size = word >> 16 & 0xFFFF;
    if (!(word >> 32 & kFixedSize) && size != Registers::kNone) reads(size);
  }
  void writes(uint32_t r) { layout_.writes.push_back(r); }
  void computes(size_t fail_word) {
    writes(i_.a());
    may_fail(fail_word);
  }
  // 0: it raises.
  void may_fail(size_t word) {
    const int32_t offset = std::bit_cast<FailWord>(pc_[word]).offset;
    if (offset != 0) layout_.targets.push_back(offset);
  }
  void moves(uint32_t packed) {
    const uint32_t source = packed >> 8;
    if (std::find(layout_.writes.begin(), layout_.writes.end(), source) == layout_.writes.end()) {
      reads(source);
    }
    writes(packed & 0xFF);
  }

  // Jumps, tests, patterns.
  void test() {
    if (i_.op() != Op::Jump) reads(i_.b());
    switch (i_.op()) {
      case Op::Jump:
        layout_.goes_on = false;
        return may_fail(1);
      case Op::UnlessIs:
      case Op::UnlessIsNot:
      case Op::UnlessLiteral:
        return may_fail(2);
      case Op::Element:
        return writes(i_.a());
      case Op::Element2:
        writes(i_.a() & 0xFF);
        return writes(i_.c() & 0xFF);
      case Op::Uncons:
        writes(i_.c());
        return computes(1);
      case Op::UnlessCons:
        writes(i_.c());
        return may_fail(1);
      case Op::Select:
      case Op::SelectTag:
      case Op::SelectHead:
        for (size_t word = 1; word < instruction_words(pc_); word += 2) may_fail(word);
        return;
      case Op::StartBits:
        return computes(1);
      case Op::MapKey:
        reads(i_.c());
        return computes(1);
      case Op::ReadBits:
      case Op::ReadInteger:
      case Op::ReadRest:
      case Op::SkipBits:
      case Op::SkipFixed:
        return read_bits();
      default:  // two operands
        reads(i_.c());
        return may_fail(1);
    }
  }

  void read_bits() {
    reads(i_.c());
    reads_size(pc_[1]);
    writes(pc_[1] & 0xFFFF);
    may_fail(2);
    if (i_.op() != Op::SkipBits && i_.op() != Op::SkipFixed) writes(i_.a());
  }

  // Calls, and the ends of functions.
  void call() {
    const Op op = i_.op();
    layout_.goes_on = op <= Op::CallFunList;
    if (op == Op::Return || op == Op::TraceReturn) return reads(i_.a());
    if (op == Op::ReturnCons) {
      reads(i_.b());
      return reads(i_.c());
    }
    if (op == Op::Die) return reads_range(0, 3);
    if (op == Op::Finish) return reads(0);
    if (op == Op::EndBySignal || op == Op::ReturnLiteral) return;
    if (op == Op::Ask || op == Op::Reach || op == Op::ReportCall) {
      layout_.goes_on = true;
      return;
    }
    const bool is_dynamic = op == Op::CallDynamic || op == Op::TailCallDynamic;
    const bool is_fun = op == Op::CallFun || op == Op::TailCallFun;
    reads_range(i_.a(), i_.b() + (is_dynamic ? 2 : is_fun ? 1 : 0));
    if (!layout_.goes_on) return;
    layout_.mask = &pc_[2];
    writes(i_.c());
  }

  void other() {
    switch (i_.op()) {
      case Op::Move:
        reads(i_.b());
        return writes(i_.a());
      case Op::Move3:
      case Op::Move2:
        moves(i_.a());
        moves(i_.b());
        if (i_.op() == Op::Move3) moves(i_.c());
        return;
      case Op::Load:
        return writes(i_.a());
      case Op::Tuple:
        reads_packed(1, i_.b());
        return writes(i_.a());
      case Op::Cons:
        reads(i_.b());
        reads(i_.c());
        return writes(i_.a());
      case Op::Map:
        reads_packed(1, 2 * size_t{i_.b()});
        return writes(i_.a());
      case Op::MapPut:
      case Op::MapReplace:
        reads(i_.b());
        reads_packed(2, 2 * size_t{i_.c()});
        return computes(1);
      case Op::Fun:
        reads_packed(2, i_.b());
        return writes(i_.a());
      case Op::ExternalFun:
        reads(i_.b());
        reads(i_.c());
        reads(static_cast<uint32_t>(pc_[1]));
        return computes(2);
      case Op::BuildBits:
        for (size_t k = 0; k < i_.b(); ++k) {
          reads(pc_[2 + k] & 0xFFFF);
          reads_size(pc_[2 + k]);
        }
        return computes(1);
      case Op::Stacktrace:
        reads(i_.b());
        return writes(i_.a());
      case Op::Native1:
      case Op::Head:
      case Op::Tail:
        reads(i_.b());
        return computes(2);
      case Op::Native2:
      case Op::ElementOf:
        reads(i_.b());
        reads(i_.c());
        return computes(2);
      case Op::NativeN:
        reads_range(i_.b(), i_.c());
        return computes(2);
      default:
        return ending_or_receive();
    }
  }

  void ending_or_receive() {
    switch (i_.op()) {
      case Op::Raise:
        reads(i_.a());
        reads(i_.b());
        reads(i_.c());
        layout_.goes_on = false;
        return;
      case Op::NoMatch:
        reads_packed(3, i_.a());
        layout_.goes_on = false;
        return;
      case Op::NativeStub:
        reads_range(0, i_.b());
        layout_.goes_on = false;
        return;
      case Op::ReceiveStart:
        if (i_.a() != Registers::kNone) reads(i_.a());
        return reads_packed(1, i_.b());
      case Op::ReceivePeek:
        layout_.mask = &pc_[2];
        return computes(1);
      case Op::ReceiveNext:
        layout_.goes_on = false;
        return may_fail(1);
      case Op::ReceiveTake:
      case Op::UseLabel:
      case Op::Count:
        return;
      default:  // Unsupported
        layout_.goes_on = false;
        return;
    }
  }

  const uint64_t* pc_;
  Instruction i_;
  InstructionLayout layout_;
};

}  // namespace

size_t instruction_words(const uint64_t* pc) {
  const Instruction i(*pc);
  switch (i.op()) {
    case Op::Tuple:
    case Op::ReceiveStart:
      return 1 + packed_words(i.b());
    case Op::Map:
      return 1 + packed_words(2 * size_t{i.b()});
    case Op::MapPut:
    case Op::MapReplace:
      return 2 + packed_words(2 * size_t{i.c()});
    case Op::Fun:
      return 2 + packed_words(i.b());
    case Op::NoMatch:
      return 3 + packed_words(i.a());
    case Op::BuildBits:
      return 2 + size_t{i.b()};
    case Op::Select:
    case Op::SelectTag:
    case Op::SelectHead:
      return 2 + (size_t{2} << i.c());
    case Op::Move:
    case Op::Move2:
    case Op::Move3:
    case Op::Cons:
    case Op::Element:
    case Op::Element2:
    case Op::Stacktrace:
    case Op::Return:
    case Op::ReturnCons:
    case Op::TraceReturn:
    case Op::Ask:
    case Op::Finish:
    case Op::EndBySignal:
    case Op::Die:
    case Op::ReceiveTake:
      return 1;
    case Op::ExternalFun:
    case Op::Native1:
    case Op::Native2:
    case Op::NativeN:
    case Op::Head:
    case Op::Tail:
    case Op::ElementOf:
    case Op::UnlessIs:
    case Op::UnlessIsNot:
    case Op::UnlessLiteral:
    case Op::ReadBits:
    case Op::SkipBits:
    case Op::ReadInteger:
    case Op::SkipFixed:
    case Op::ReadRest:
    case Op::ReceivePeek:
    case Op::TailCall:
    case Op::TailCallExport:
    case Op::TailCallFun:
    case Op::TailCallDynamic:
    case Op::TailCallList:
    case Op::TailCallFunList:
    case Op::NativeStub:
      return 3;
    case Op::Call:
    case Op::CallExport:
    case Op::CallFun:
    case Op::CallDynamic:
    case Op::CallList:
    case Op::CallFunList:
      return 4;
    default:
      return 2;
  }
}

InstructionLayout layout_of(const uint64_t* pc) { return LayoutReader(pc).read(); }

}  // namespace fathom::machine
