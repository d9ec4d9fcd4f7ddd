// The bytes by which terms begin in the External Term Format, for what reads and
// writes it (base/etf.cc, machine/external.cc).
#pragma once

#include <cstdint>

namespace fathom::etf {

enum Tag : uint8_t {
  kVersion = 131,
  kCompressed = 80,
  kNewFloat = 70,
  kBitBinary = 77,
  kNewPid = 88,
  kNewPort = 89,
  kNewerReference = 90,
  kSmallInteger = 97,
  kInteger = 98,
  kFloat = 99,
  kAtom = 100,
  kReference = 101,
  kPort = 102,
  kPid = 103,
  kSmallTuple = 104,
  kLargeTuple = 105,
  kNil = 106,
  kString = 107,
  kList = 108,
  kBinary = 109,
  kSmallBig = 110,
  kLargeBig = 111,
  kNewFun = 112,
  kExport = 113,
  kNewReference = 114,
  kSmallAtom = 115,
  kMap = 116,
  kAtomUtf8 = 118,
  kSmallAtomUtf8 = 119,
  kV4Port = 120,
  kLocal = 121,
};

}  // namespace fathom::etf
