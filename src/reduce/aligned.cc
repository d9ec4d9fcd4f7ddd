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
  // longest[j]: of a from i on and b from j on. leaves_a: that token of a is left out.
  std::vector<uint32_t> longest(b.size() + 1), next(b.size() + 1);
  std::vector<bool> leaves_a(a.size() * b.size());
  for (size_t i = a.size(); i-- > 0;) {
    spend(static_cast<int64_t>(b.size()));
    std::swap(longest, next);
    longest[b.size()] = 0;
    for (size_t j = b.size(); j-- > 0;) {
      if (is_same(i, j)) {
        longest[j] = next[j + 1] + 1;
      } else {
        leaves_a[i * b.size() + j] = next[j] >= longest[j + 1];
        longest[j] = std::max(next[j], longest[j + 1]);
      }
    }
  }
  size_t last = SIZE_MAX;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (is_same(i, j)) {
      pairs_.push_back({a[i], b[j], last != SIZE_MAX && last + 1 == i});
      last = i;
      ++i;
      ++j;
    } else if (leaves_a[i * b.size() + j]) {
      ++i;
    } else {
      ++j;
    }
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
