#include "slice/unit_edits.h"

#include <algorithm>

namespace fathom::slice {

using core::AstId;

TextRange UnitEdits::range(AstId id) const {
  const auto span = unit_.used_span(id);
  if (!span) return {};
  return {span->begin.index() - start_, span->end.index() - start_};
}

// Behind blanks and comments.
uint32_t UnitEdits::skip_blanks(uint32_t at) const {
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
uint32_t UnitEdits::trim_blanks(uint32_t at) const {
  const std::string_view text = edits_.text();
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\t' ||
                    text[at - 1] == '\r')) {
    --at;
  }
  return at;
}

// Only blanks, comments and brackets stand between.
uint32_t UnitEdits::separator_after(uint32_t from, uint32_t to, char separator) const {
  const std::string_view text = edits_.text();
  for (uint32_t at = skip_blanks(from); at < to; at = skip_blanks(at + 1)) {
    if (text[at] == separator) return at;
  }
  return to;
}

void UnitEdits::sequence(std::span<const AstId> items, const std::vector<bool>& is_kept) {
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

// ---- Forms and guards -------------------------------------------------------

// With its full stop, and the comment above it.
void UnitEdits::drop_form(AstId id) {
  TextRange r = range(id);
  if (r.begin == r.end) return;
  const std::string_view text = edits_.text();
  r.end = separator_after(r.end, static_cast<uint32_t>(text.size()), '.') + 1;
  while (r.begin > 0) {
    const size_t line_end = r.begin - 1;
    if (text[line_end] != '\n') break;
    const size_t newline = line_end == 0 ? std::string_view::npos : text.rfind('\n', line_end - 1);
    const size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
    if (line_start >= line_end || text[line_start] != '%') break;
    r.begin = static_cast<uint32_t>(line_start);
  }
  edits_.remove(r);
}

bool UnitEdits::export_items(AstId attribute, std::vector<Exported>& out) const {
  const Ast& ast = unit_.ast;
  if (ast.get<node::Attribute>(attribute).name.text() != "export") return false;
  const auto values = ast.list(ast.get<node::Attribute>(attribute).values);
  if (values.size() != 1 || !ast.is(values[0], NodeKind::List)) return false;
  for (const AstId item : ast.list(ast.get<node::List>(values[0]).elements)) {
    if (!ast.is(item, NodeKind::BinaryOp)) return false;
    const auto op = ast.get<node::BinaryOp>(item);
    if (!ast.is(op.left, NodeKind::Atom) || !ast.is(op.right, NodeKind::Integer)) return false;
    out.push_back(
        {item, ast.get<node::Atom>(op.left).value, ast.get<node::Integer>(op.right).value});
  }
  return true;
}

void UnitEdits::drop_guard(AstId clause, bool is_if) {
  const Ast& ast = unit_.ast;
  const auto alternatives = ast.guard(ast.get<node::Clause>(clause).guard);
  if (alternatives.empty()) return;
  const AstId first = ast.list(alternatives.front()).front();
  const AstId last = ast.list(alternatives.back()).back();
  const std::string_view text = edits_.text();
  const uint32_t begin = range(first).begin;
  const uint32_t end =
      trim_blanks(separator_after(range(last).end, static_cast<uint32_t>(text.size()), '-'));
  if (is_if) return edits_.replace({range(clause).begin, end}, "true");
  const size_t when = text.rfind("when", begin);
  if (when == std::string_view::npos) return;
  edits_.remove({trim_blanks(static_cast<uint32_t>(when)), end});
}

}  // namespace fathom::slice
