#include "slice/edits.h"

#include <algorithm>
#include <numeric>

namespace fathom::slice {

void Edits::sort() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    if (a.range.begin != b.range.begin) return a.range.begin < b.range.begin;
    // What is put in comes before what is taken away after it.
    const bool a_inserts = a.range.begin == a.range.end;
    const bool b_inserts = b.range.begin == b.range.end;
    if (a_inserts != b_inserts) return a_inserts;
    if (a_inserts && a.closing != b.closing) return a.closing > b.closing;
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

std::string Edits::applied(std::span<uint32_t> places) {
  sort();
  std::string out;
  std::string line;
  std::vector<std::pair<size_t, size_t>> in_line;  // number of the place, offset in the line
  bool is_changed = false;
  bool was_blank = false;
  const auto end_line = [&](bool has_newline) {
    if (is_changed) line.erase(line.find_last_not_of(" \t") + 1);
    const bool is_blank = line.empty();
    // A line that has become blank goes, and so do blank lines around what has gone.
    if (!is_blank || (!is_changed && !was_blank)) {
      for (const auto& [i, offset] : in_line) {
        places[i] = static_cast<uint32_t>(out.size() + offset);
      }
      out += line;
      if (has_newline) out += '\n';
      was_blank = is_blank;
    }
    line.clear();
    in_line.clear();
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
  // In ascending order.
  std::vector<size_t> order(places.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  size_t next = 0;
  const auto add_kept = [&](uint32_t from, uint32_t to) {
    for (; next < order.size() && places[order[next]] < to; ++next) {
      const uint32_t place = std::max(places[order[next]], from);
      add(text_.substr(from, place - from));
      in_line.emplace_back(order[next], line.size());
      from = place;
    }
    add(text_.substr(from, to - from));
  };
  uint32_t at = 0;
  for (const Change& change : changes_) {
    add_kept(at, change.range.begin);
    is_changed = true;
    add(change.with);
    at = change.range.end;
  }
  add_kept(at, static_cast<uint32_t>(text_.size()));
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
