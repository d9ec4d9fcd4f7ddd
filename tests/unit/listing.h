// For tests of the compiler: the code of a function, one instruction a line.
#pragma once

#include <fmt/format.h>

#include <string>

#include "code/code.h"

namespace fathom::machine {

// Words of the instruction, as ops.def has them.
inline size_t instruction_words(const uint64_t* pc) {
  const Instruction i(*pc);
  const auto packed = [](size_t registers) { return (registers + 3) / 4; };
  switch (i.op()) {
    case Op::Tuple:
      return 1 + packed(i.b());
    case Op::Map:
      return 1 + packed(2 * i.b());
    case Op::MapPut:
    case Op::MapReplace:
      return 2 + packed(2 * i.c());
    case Op::Fun:
      return 2 + packed(i.b());
    case Op::NoMatch:
      return 3 + packed(i.a());
    case Op::BuildBits:
      return 2 + i.b();
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
    case Op::Finish:
    case Op::ReceiveStart:
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

// "move 1 0" and so on: name, a, b, c.
inline std::string listing(const Function& function) {
  std::string text;
  for (size_t at = 0; at < function.code.size();) {
    const uint64_t* pc = &function.code[at];
    const Instruction i(*pc);
    text +=
        fmt::format("{} {} {} {}\n", kOpNames[static_cast<size_t>(i.op())], i.a(), i.b(), i.c());
    at += instruction_words(pc);
  }
  return text;
}

}  // namespace fathom::machine
