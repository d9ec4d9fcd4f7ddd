// What a program has written. Going back takes it back.
#pragma once

#include <string>
#include <string_view>

#include "base/budget.h"
#include "machine/journal.h"

namespace fathom::machine {

class Output {
 public:
  explicit Output(Journal& journal) : journal_(journal) {}

  const std::string& text() const { return text_; }
  void write(std::string_view text) {
    journal_.record(
        [](std::span<const uint64_t> words) {
          reinterpret_cast<std::string*>(words[0])->resize(words[1]);
        },
        {reinterpret_cast<uint64_t>(&text_), text_.size()});
    const size_t size = text_.size() + text.size();
    if (size > text_.capacity()) spend_memory(2 * size);
    text_ += text;
  }

 private:
  Journal& journal_;
  std::string text_;
};

}  // namespace fathom::machine
