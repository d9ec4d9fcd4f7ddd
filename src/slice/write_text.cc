// The text between nodes: separators, comments, parentheses.
#include <algorithm>

#include "slice/writer.h"

namespace fathom::slice {

using core::AstId;

TextRange Writer::range(AstId id) const {
  const auto span = unit_.used_span(id);
  if (!span) return {};
  return {span->begin.index() - start_, span->end.index() - start_};
}

void Writer::verbatim(AstId id) {
  std::vector<AstId> todo{id};
  while (!todo.empty()) {
    const AstId at = todo.back();
    todo.pop_back();
    count(at);
    ast_.for_each_child(at, [&](AstId child) { todo.push_back(child); });
  }
}

// Behind blanks and comments.
uint32_t Writer::skip_blanks(uint32_t at) const {
  const std::string_view text = edits_.text();
  while (at < text.size()) {
    if (text[at] == '%') {
      while (at < text.size() && text[at] != '\n') ++at;
    } else if (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

// Before blanks; comments stay.
uint32_t Writer::trim_blanks(uint32_t at) const {
  const std::string_view text = edits_.text();
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t' ||
                    text[at - 1] == '\r')) {
    --at;
  }
  return at;
}

// Only blanks, comments and brackets stand between.
uint32_t Writer::separator_after(uint32_t from, uint32_t to, char separator) const {
  const std::string_view text = edits_.text();
  for (uint32_t at = skip_blanks(from); at < to; at = skip_blanks(at + 1)) {
    if (text[at] == separator) return at;
  }
  return to;
}

void Writer::sequence(std::span<const AstId> items, const std::vector<bool>& is_kept) {
  const std::string_view text = edits_.text();
  const size_t count = items.size();
  if (std::find(is_kept.begin(), is_kept.end(), false) == is_kept.end()) return;
  std::vector<uint32_t> separators;  // after each but the last
  for (size_t i = 0; i + 1 < count; ++i) {
    const uint32_t end = range(items[i]).end;
    const uint32_t next = range(items[i + 1]).begin;
    uint32_t at = separator_after(end, next, ',');
    if (at == next) at = separator_after(end, next, ';');
    separators.push_back(at);
  }
  const auto begin = [&](size_t i) {
    if (i > 0) return skip_blanks(separators[i - 1] + 1);
    uint32_t at = range(items[0]).begin;
    while (at > 0 && text[trim_blanks(at) - 1] == '(') at = trim_blanks(at) - 1;
    return at;
  };
  const auto end = [&](size_t i) {
    if (i + 1 < count) return separators[i];
    uint32_t at = range(items[i]).end;
    const uint32_t first = begin(i);
    const auto opened = std::count(text.begin() + first, text.begin() + range(items[i]).begin, '(');
    for (auto open = opened; open > 0; --open) at = skip_blanks(at) + 1;
    return at;
  };
  bool is_any_before = false;
  for (size_t i = 0; i < count; ++i) {
    if (is_kept[i]) {
      is_any_before = true;
    } else if (is_any_before) {
      edits_.remove({separators[i - 1], end(i)});
    } else {
      edits_.remove({begin(i), i + 1 < count ? begin(i + 1) : end(i)});
    }
  }
}

}  // namespace fathom::slice
