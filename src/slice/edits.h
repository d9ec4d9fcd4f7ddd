// Changes of a text that is otherwise kept as it is, and what was kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::slice {

struct TextRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const TextRange&) const = default;
};

class Edits {
 public:
  explicit Edits(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }
  void replace(TextRange range, std::string with) {
    if (range.begin < range.end) changes_.push_back({range, std::move(with)});
  }
  void remove(TextRange range) { replace(range, ""); }
  void insert(uint32_t at, std::string what) { changes_.push_back({{at, at}, std::move(what)}); }
  // What ends there: it comes before all that is put in at the same place, and before what was to
  // end there earlier, which is around it.
  void close(uint32_t at, std::string what) {
    changes_.push_back({{at, at}, std::move(what), ++closed_});
  }

  // The text after all changes. Of changes that overlap the one that begins first counts, or the
  // longer one. Lines of which nothing is left are gone. Each of `places` is one in the text as it
  // was, of which nothing was taken away; it becomes that in the result.
  std::string applied(std::span<uint32_t> places = {});
  // What of the text is still there, in order.
  std::vector<TextRange> kept();

 private:
  struct Change {
    TextRange range;
    std::string with;
    uint32_t closing = 0;  // its number among those that end something; 0: it does not
  };
  void sort();

  std::string_view text_;
  std::vector<Change> changes_;
  uint32_t closed_ = 0;
};

}  // namespace fathom::slice
