#include "code/register_check.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <vector>

#include "code/instruction_layout.h"

namespace fathom::machine {
namespace {

// A set of registers.
class RegisterSet {
 public:
  explicit RegisterSet(size_t registers) : words_((registers + 63) / 64) {}

  bool contains(size_t r) const { return r / 64 < words_.size() && (words_[r / 64] >> r % 64 & 1); }
  void add(size_t r) {
    if (r / 64 < words_.size()) words_[r / 64] |= uint64_t{1} << r % 64;
  }
  // Whether that has changed it.
  bool intersect(const RegisterSet& other) {
    bool changed = false;
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t both = words_[i] & other.words_[i];
      changed = changed || both != words_[i];
      words_[i] = both;
    }
    return changed;
  }

 private:
  std::vector<uint64_t> words_;
};

class RegisterCheck {
 public:
  explicit RegisterCheck(const Function& function)
      : function_(function),
        first_(function.entry ? static_cast<size_t>(function.entry - function.code.data()) : 0),
        written_(function.code.size()) {}

  std::string run() {
    RegisterSet parameters(function_.frame);
    for (size_t r = 0; r < function_.arity; ++r) parameters.add(r);
    come_to(first_, parameters);
    do {
      changed_ = false;
      for (size_t at = first_; at < function_.code.size(); at = behind(at)) {
        if (written_[at]) visit(at);
      }
    } while (changed_ && problem_.empty());
    return problem_;
  }

 private:
  const uint64_t& word(size_t at) const { return function_.code[at]; }
  // The next instruction.
  size_t behind(size_t at) const { return at + instruction_words(&word(at)) + first_; }

  // Control comes to the instruction, with these registers written.
  void come_to(size_t at, const RegisterSet& written) {
    if (at >= written_.size()) {
      problem_ = fmt::format("control leaves the code, to {}", at);
    } else if (!written_[at]) {
      written_[at] = written;
      changed_ = true;
    } else if (written_[at]->intersect(written)) {
      changed_ = true;
    }
  }

  void visit(size_t at) {
    const InstructionLayout layout = layout_of(&word(at));
    RegisterSet written = *written_[at];
    for (const uint32_t r : layout.reads) require(at, r, written);
    if (layout.mask) {
      RegisterSet kept(function_.frame);
      LiveMask(*layout.mask).for_each([&](size_t r) {
        require(at, r, written);
        kept.add(r);
      });
      written = kept;
    }
    for (const Handler& handler : function_.handlers) {
      if (at >= handler.from && at < handler.to) come_to_handler(handler, written);
    }
    for (const int32_t target : layout.targets) {
      come_to(at + static_cast<size_t>(static_cast<int64_t>(target)), written);
    }
    if (!layout.goes_on) return;
    for (const uint32_t r : layout.writes) written.add(r);
    come_to(behind(at), written);
  }

  void come_to_handler(const Handler& handler, RegisterSet written) {
    written.add(handler.exception_class);
    written.add(handler.reason);
    written.add(handler.trace);
    come_to(handler.target, written);
  }

  void require(size_t at, size_t r, const RegisterSet& written) {
    if (written.contains(r) || !problem_.empty()) return;
    problem_ = fmt::format("{}:{}/{}: register {} is read by {} at {} and not written on every way",
                           function_.module.text(), function_.name.text(), function_.arity, r,
                           kOpNames[static_cast<size_t>(Instruction(word(at)).op())], at);
  }

  const Function& function_;
  size_t first_;  // of the first instruction: labelled code has a word in front of each
  // By offset of an instruction: written on every way to it that was found; none: there is none.
  std::vector<std::optional<RegisterSet>> written_;
  bool changed_ = false;
  std::string problem_;
};

}  // namespace

std::string find_unwritten_register(const Function& function) {
  return RegisterCheck(function).run();
}

}  // namespace fathom::machine
