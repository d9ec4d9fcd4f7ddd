#include "reduce/aligned.h"

#include <algorithm>
#include <cstdint>

#include "base/budget.h"

namespace fathom::reduce {
namespace {

using slice::TextRange;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

// Words, quoted texts, and single characters of all else.
std::vector<TextRange> tokens_of(std::string_view text) {
  std::vector<TextRange> result;
  for (uint32_t at = 0; at < text.size();) {
    const char c = text[at];
    const uint32_t begin = at;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    if (c == '%') {
      while (at < text.size() && text[at] != '\n') ++at;
      continue;
    }
    ++at;
    if (is_word(c)) {
      while (at < text.size() && is_word(text[at])) ++at;
    } else if (c == '"' || c == '\'') {
      while (at < text.size() && text[at] != c) at += text[at] == '\\' ? 2 : 1;
      at = std::min<uint32_t>(at + 1, static_cast<uint32_t>(text.size()));
    } else if (c == '$' && at < text.size()) {
      at += text[at] == '\\' ? 2 : 1;
      at = std::min<uint32_t>(at, static_cast<uint32_t>(text.size()));
    }
    result.push_back({begin, at});
  }
  return result;
}

}  // namespace

Alignment::Alignment(std::string_view original, std::string_view reduced) {
  const std::vector<TextRange> a = tokens_of(original);
  const std::vector<TextRange> b = tokens_of(reduced);
  const auto is_same = [&](size_t i, size_t j) {
    return original.substr(a[i].begin, a[i].end - a[i].begin) ==
           reduced.substr(b[j].begin, b[j].end - b[j].begin);
  };
  // best: of a from i on and b from j on. with: the same, if both tokens are matched. A match
  // counts 2, and 1 more if the tokens after it are matched too, so that what stands together stays
  // so.
  const size_t width = b.size() + 1;
  std::vector<uint32_t> best(width), best_below(width), with(width), with_below(width);
  enum Step : uint8_t { kMatch, kLeaveOriginal, kLeaveReduced };
  std::vector<uint8_t> steps(a.size() * b.size());
  std::vector<bool> goes_on(a.size() * b.size());
  for (size_t i = a.size(); i-- > 0;) {
    spend(static_cast<int64_t>(b.size()));
    std::swap(best, best_below);
    std::swap(with, with_below);
    best[b.size()] = with[b.size()] = 0;
    for (size_t j = b.size(); j-- > 0;) {
      const size_t at = i * b.size() + j;
      with[j] = 0;
      if (is_same(i, j)) {
        const uint32_t joined = with_below[j + 1] == 0 ? 0 : with_below[j + 1] + 1;
        goes_on[at] = joined >= best_below[j + 1] && joined > 0;
        with[j] = 2 + std::max(joined, best_below[j + 1]);
      }
      best[j] = std::max({with[j], best_below[j], best[j + 1]});
      steps[at] = best[j] == with[j]         ? kMatch
                  : best[j] == best_below[j] ? kLeaveOriginal
                                             : kLeaveReduced;
    }
  }
  bool is_forced = false;
  size_t last = SIZE_MAX;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const size_t at = i * b.size() + j;
    const uint8_t step = is_forced ? uint8_t{kMatch} : steps[at];
    is_forced = step == kMatch && is_same(i, j) && goes_on[at];
    if (step == kMatch && is_same(i, j)) {
      pairs_.push_back({a[i], b[j], last != SIZE_MAX && last + 1 == i});
      last = i;
    }
    if (step != kLeaveReduced) ++i;
    if (step != kLeaveOriginal) ++j;
  }
}

std::vector<TextRange> Alignment::kept() const {
  std::vector<TextRange> result;
  for (const Pair& pair : pairs_) {
    if (pair.is_next) {
      result.back().end = pair.original.end;
    } else {
      result.push_back(pair.original);
    }
  }
  return result;
}

TextRange Alignment::in_original(TextRange reduced) const {
  TextRange result;
  bool is_any = false;
  for (const Pair& pair : pairs_) {
    if (pair.reduced.begin < reduced.begin || pair.reduced.end > reduced.end) continue;
    if (!is_any) result.begin = pair.original.begin;
    result.end = pair.original.end;
    is_any = true;
  }
  return result;
}

}  // namespace fathom::reduce
