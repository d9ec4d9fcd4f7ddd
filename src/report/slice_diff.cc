// Slices as unified diffs.
//
// Lines of the program and of the slice are matched by a longest common subsequence, after what is
// the same at both ends. Cost: the product of the numbers of the other lines, in steps and in bits
// of memory, for each module.
#include <fmt/format.h>

#include <algorithm>

#include "base/budget.h"
#include "report/slice_report.h"

namespace fathom::report {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

struct DiffLine {
  char mark = ' ';  // ' ', '-', '+'
  std::string_view text;
};

// The lines between what is the same at both ends.
void append_middle(const Lines& a, const Lines& b, std::vector<DiffLine>& out) {
  std::vector<uint32_t> best(b.size() + 1), below(b.size() + 1);
  std::vector<bool> leaves_first(a.size() * b.size());  // the line of `a` goes, rather than of `b`
  for (size_t i = a.size(); i-- > 0;) {
    spend(static_cast<int64_t>(b.size()));
    std::swap(best, below);
    best[b.size()] = 0;
    for (size_t j = b.size(); j-- > 0;) {
      leaves_first[i * b.size() + j] = below[j] >= best[j + 1];
      best[j] = a[i] == b[j] ? below[j + 1] + 1 : std::max(below[j], best[j + 1]);
    }
  }
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      out.push_back({' ', a[i++]});
      ++j;
    } else if (j == b.size() || (i < a.size() && leaves_first[i * b.size() + j])) {
      out.push_back({'-', a[i++]});
    } else {
      out.push_back({'+', b[j++]});
    }
  }
}

std::vector<DiffLine> compared(const Lines& a, const Lines& b) {
  size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (head + tail < a.size() && head + tail < b.size() &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<DiffLine> result;
  const auto part = [&](const Lines& lines, size_t begin, size_t end) {
    return Lines(lines.begin() + static_cast<ptrdiff_t>(begin),
                 lines.begin() + static_cast<ptrdiff_t>(end));
  };
  for (size_t i = 0; i < head; ++i) result.push_back({' ', a[i]});
  append_middle(part(a, head, a.size() - tail), part(b, head, b.size() - tail), result);
  for (size_t i = a.size() - tail; i < a.size(); ++i) result.push_back({' ', a[i]});
  return result;
}

// Removed lines before added ones, in each run of changes: as diff -u writes them.
void sort_runs(std::vector<DiffLine>& lines) {
  for (auto at = lines.begin(); at != lines.end();) {
    const auto end = std::find_if(at, lines.end(), [](const DiffLine& l) { return l.mark == ' '; });
    std::stable_partition(at, end, [](const DiffLine& l) { return l.mark == '-'; });
    at = std::find_if(end, lines.end(), [](const DiffLine& l) { return l.mark != ' '; });
  }
}

std::string hunks(const std::vector<DiffLine>& lines) {
  constexpr size_t kContext = 3;
  std::string out;
  size_t old_line = 1;
  size_t new_line = 1;
  for (size_t at = 0; at < lines.size();) {
    size_t change = at;
    while (change < lines.size() && lines[change].mark == ' ') ++change;
    if (change == lines.size()) break;
    const size_t begin = std::max(at, change - std::min(change, kContext));
    old_line += begin - at;
    new_line += begin - at;
    size_t end = change + 1;
    for (size_t i = end; i < lines.size() && i < end + 2 * kContext; ++i) {
      if (lines[i].mark != ' ') end = i + 1;
    }
    end = std::min(end + kContext, lines.size());
    std::string body;
    size_t old_count = 0;
    size_t new_count = 0;
    for (size_t i = begin; i < end; ++i) {
      body += fmt::format("{}{}\n", lines[i].mark, lines[i].text);
      if (lines[i].mark != '+') ++old_count;
      if (lines[i].mark != '-') ++new_count;
    }
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", old_count == 0 ? old_line - 1 : old_line,
                       old_count, new_count == 0 ? new_line - 1 : new_line, new_count, body);
    old_line += old_count;
    new_line += new_count;
    at = end;
  }
  return out;
}

}  // namespace

std::string slice_diff(const slice::Slice& slice, const SourceMap& sources) {
  std::string out;
  for (const slice::SlicedModule& m : slice.modules) {
    auto lines = compared(lines_of(sources.text(*m.module->unit().file)), lines_of(m.text));
    sort_runs(lines);
    const std::string changes = hunks(lines);
    if (changes.empty()) continue;
    const std::string& path = m.module->unit().path;
    out += fmt::format("--- {}\n+++ {}\n{}", path, path, changes);
  }
  return out;
}

}  // namespace fathom::report
