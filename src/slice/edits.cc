#include "slice/edits.h"

#include <algorithm>

namespace fathom::slice {

void Edits::sort() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    if (a.range.begin != b.range.begin) return a.range.begin < b.range.begin;
    // What is put in comes before what is taken away after it.
    const bool a_inserts = a.range.begin == a.range.end;
    const bool b_inserts = b.range.begin == b.range.end;
    if (a_inserts != b_inserts) return a_inserts;
    return a.range.end > b.range.end;
  });
  std::vector<Change> result;
  uint32_t end = 0;
  for (Change& change : changes_) {
    if (change.range.begin < end) continue;
    end = change.range.end;
    result.push_back(std::move(change));
  }
  changes_ = std::move(result);
}

std::string Edits::applied() {
  sort();
  std::string out;
  std::string line;
  bool is_changed = false;
  bool was_blank = false;
  const auto end_line = [&](bool has_newline) {
    if (is_changed) line.erase(line.find_last_not_of(" \t") + 1);
    const bool is_blank = line.empty();
    // A line that has become blank goes, and so do blank lines around what has gone.
    if (!is_blank || (!is_changed && !was_blank)) {
      out += line;
      if (has_newline) out += '\n';
      was_blank = is_blank;
    }
    line.clear();
    is_changed = false;
  };
  const auto add = [&](std::string_view text) {
    for (const char c : text) {
      if (c == '\n') {
        end_line(true);
      } else {
        line += c;
      }
    }
  };
  uint32_t at = 0;
  for (const Change& change : changes_) {
    add(text_.substr(at, change.range.begin - at));
    is_changed = true;
    add(change.with);
    at = change.range.end;
  }
  add(text_.substr(at));
  end_line(false);
  while (out.size() > 1 && out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::vector<TextRange> Edits::kept() {
  sort();
  std::vector<TextRange> result;
  uint32_t at = 0;
  for (const Change& change : changes_) {
    if (change.range.begin > at) result.push_back({at, change.range.begin});
    at = std::max(at, change.range.end);
  }
  if (at < text_.size()) result.push_back({at, static_cast<uint32_t>(text_.size())});
  return result;
}

}  // namespace fathom::slice
