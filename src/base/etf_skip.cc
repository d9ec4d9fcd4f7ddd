// Walks over a term without making it. One counter stands for all terms that are still to come:
// a compound term adds its parts. Each part takes a byte at least, so a count that the bytes
// left cannot pay for is refused, and the walk ends with the bytes.
#include <fmt/core.h>

#include "base/etf.h"
#include "base/etf_tags.h"

namespace fathom::etf {
namespace {

class Walk {
 public:
  Walk(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  Result<size_t> run() {
    while (open_ > 0) {
      --open_;
      if (at_ >= bytes_.size() || !step(static_cast<Tag>(static_cast<uint8_t>(bytes_[at_])))) {
        return Error{fmt::format("byte {}: no term that can be passed over", at_)};
      }
      if (at_ > bytes_.size() || open_ > bytes_.size() - at_) {
        return Error{"the data ends inside a term"};
      }
    }
    return at_;
  }

 private:
  // The number that stands after the tag, big-endian.
  uint64_t number(size_t size) const {
    if (bytes_.size() - at_ < 1 + size) return bytes_.size();  // beyond the end: refused above
    uint64_t value = 0;
    for (size_t i = 1; i <= size; ++i) value = value << 8 | static_cast<uint8_t>(bytes_[at_ + i]);
    return value;
  }

  bool bytes(uint64_t count) {
    at_ += 1 + count;
    return true;
  }
  // A count of `size` bytes, and so many bytes.
  bool counted(size_t size) { return bytes(size + number(size)); }
  bool parts(size_t size, uint64_t each, uint64_t more = 0) {
    open_ += number(size) * each + more;
    return bytes(size);
  }

  bool step(Tag tag) {
    switch (tag) {
      case kNil:
        return bytes(0);
      case kSmallInteger:
        return bytes(1);
      case kInteger:
        return bytes(4);
      case kNewFloat:
        return bytes(8);
      case kFloat:
        return bytes(31);
      case kSmallAtom:
      case kSmallAtomUtf8:
        return counted(1);
      case kAtom:
      case kAtomUtf8:
      case kString:
        return counted(2);
      case kBinary:
        return counted(4);
      case kBitBinary:
      case kLargeBig:
        return bytes(5 + number(4));
      case kSmallBig:
        return bytes(2 + number(1));
      case kSmallTuple:
        return parts(1, 1);
      case kLargeTuple:
        return parts(4, 1);
      case kList:
        return parts(4, 1, 1);
      case kMap:
        return parts(4, 2);
      default:
        return rare();
    }
  }

  // Funs, pids and the like, of which there are few.
  bool rare() {
    TermArena arena;
    size_t end = 0;
    if (!decode_at(bytes_, at_, arena, &end)) return false;
    at_ = end;
    return true;
  }

  std::string_view bytes_;
  size_t at_;
  uint64_t open_ = 1;
};

}  // namespace

Result<size_t> end_of(std::string_view plain, size_t at) { return Walk(plain, at).run(); }

}  // namespace fathom::etf
