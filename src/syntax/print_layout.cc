#include "syntax/print_layout.h"

#include <algorithm>
#include <cassert>

#include "base/utf8.h"

namespace fathom {

LayoutOp Layout::text(std::string_view utf8) {
  LayoutOp op{Kind::Text};
  op.offset = static_cast<uint32_t>(texts_.size());
  op.length = static_cast<uint32_t>(utf8.size());
  op.width = static_cast<uint32_t>(count_code_points(utf8));
  texts_ += utf8;
  return op;
}

void Layout::measure() {
  measures_.assign(ops_.size() + 1, {});
  for (size_t i = 0; i < ops_.size(); ++i) {
    const Kind kind = ops_[i].kind;
    const bool space = kind == Kind::Line || kind == Kind::Fill || kind == Kind::Hug;
    measures_[i + 1].flat = measures_[i].flat + (space ? 1 : ops_[i].width);
    measures_[i + 1].hard_breaks = measures_[i].hard_breaks + (kind == Kind::Hard ? 1 : 0);
  }
  measures_.back().next_break = measures_.back().flat;
  for (size_t i = ops_.size(); i-- > 0;) {
    const bool breaks = is_break(ops_[i].kind) && ops_[i].kind != Kind::HugEnd;
    measures_[i].next_break = breaks ? measures_[i].flat : measures_[i + 1].next_break;
  }
}

void Layout::match_groups() {
  struct Group {
    size_t open;
    size_t pending;  // a Fill or Hug whose end is not known yet, or npos
  };
  constexpr size_t kNone = static_cast<size_t>(-1);
  std::vector<Group> groups{{kNone, kNone}};
  auto settle = [&](size_t at) {
    size_t& pending = groups.back().pending;
    if (pending != kNone) measures_[pending].end = static_cast<uint32_t>(at);
    pending = kNone;
  };
  for (size_t i = 0; i < ops_.size(); ++i) {
    const Kind kind = ops_[i].kind;
    if (kind == Kind::Open) {
      groups.push_back({i, kNone});
    } else if (kind == Kind::Close) {
      settle(i);
      assert(groups.size() > 1);
      measures_[groups.back().open].end = static_cast<uint32_t>(i);
      groups.pop_back();
    } else if (is_break(kind) && kind != Kind::HugEnd) {
      settle(i);
      if (kind == Kind::Fill || kind == Kind::Hug) groups.back().pending = i;
    }
  }
  assert(groups.size() == 1);
  settle(ops_.size());
}

// Whether all from the operation to its `end`, and what must follow on the same
// line, has room when it starts in this column.
bool Layout::fits(size_t from, uint64_t column) const {
  const Measure& first = measures_[from];
  const Measure& last = measures_[first.end];
  if (last.hard_breaks != first.hard_breaks) return false;
  return column + (last.next_break - first.flat) <= kWidth;
}

void Layout::start_line(std::string& out) {
  out += '\n';
  column_ = std::min(indents_.back(), kMaxIndent);
  line_is_empty_ = true;
}

void Layout::put(std::string_view utf8, uint32_t width, std::string& out) {
  if (utf8.empty()) return;
  // Indentation is written with the first text, so that no line ends in blanks.
  if (line_is_empty_) out.append(column_, ' ');
  line_is_empty_ = false;
  out += utf8;
  column_ += width;
}

void Layout::place_flat(std::string& out, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    const LayoutOp& op = ops_[i];
    if (op.kind == Kind::Text) {
      put(std::string_view(texts_).substr(op.offset, op.length), op.width, out);
    } else if (op.kind == Kind::Line || op.kind == Kind::Fill || op.kind == Kind::Hug) {
      put(" ", 1, out);
    }
  }
}

// A break of a broken group.
void Layout::place_break(const LayoutOp& op, size_t at, std::string& out) {
  switch (op.kind) {
    case Kind::Fill:
      if (fits(at, column_)) {
        put(" ", 1, out);
      } else {
        start_line(out);
      }
      return;
    case Kind::Hug: {
      const uint32_t indented = indents_.back() + kIndent;
      const uint64_t head = measures_[at + 1].next_break - measures_[at].flat;
      const bool worth = fits(at, std::min(indented, kMaxIndent) - 1) || column_ + head > kWidth;
      const bool helps = worth && !fits(at, column_);
      indents_.push_back(helps ? indented : indents_.back());
      if (helps) {
        start_line(out);
      } else {
        put(" ", 1, out);
      }
      return;
    }
    case Kind::HugEnd:
      indents_.pop_back();
      return;
    default:
      start_line(out);
  }
}

void Layout::place(const LayoutOp& op, size_t at, std::string& out) {
  switch (op.kind) {
    case Kind::Text:
      put(std::string_view(texts_).substr(op.offset, op.length), op.width, out);
      return;
    case Kind::Indent:
      indents_.push_back(indents_.back() + op.length);
      return;
    case Kind::Dedent:
      indents_.pop_back();
      return;
    case Kind::Open:
    case Kind::Close:
      return;
    default:
      place_break(op, at, out);
  }
}

void Layout::render(std::string& out) {
  measure();
  match_groups();
  indents_.assign(1, 0);
  column_ = 0;
  line_is_empty_ = true;
  for (size_t i = 0; i < ops_.size(); ++i) {
    if (ops_[i].kind == Kind::Open && fits(i, column_)) {
      const size_t end = measures_[i].end;
      place_flat(out, i, end);
      i = end;
    } else {
      place(ops_[i], i, out);
    }
  }
  texts_.clear();
  ops_.clear();
}

}  // namespace fathom
