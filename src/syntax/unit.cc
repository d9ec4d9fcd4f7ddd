#include "syntax/unit.h"

#include <algorithm>
#include <mutex>

namespace fathom {

void Unit::clear() {
  ast.clear();
  path.clear();
  file.reset();
  module = Atom();
  included.clear();
  expansions.clear();
  used_spans_.clear();
  expanded.clear();
  positions.clear();
  line_shifts.clear();
  form_messages.clear();
  comments.clear();
  has_errors = false;
  bytes_read = 0;
  tokens_read = 0;
}

std::optional<Span> Unit::used_span(NodeId id) const {
  const Node& n = ast[id];
  if (n.begin.kind() == Loc::Kind::Position || !n.begin) return std::nullopt;
  if (expansions.empty()) return Span{n.begin, n.end};
  return used_spans()[static_cast<size_t>(id)];
}

// A macro may put its arguments in any order, or twice, and a node may start in the
// argument of one use and end after it. So what a node covers is known only from its
// parts; these have lower ids.
const std::vector<Span>& Unit::used_spans() const {
  // Machines on several threads may share a unit. Only reports ask, so one lock is enough.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (used_spans_.size() == ast.size()) return used_spans_;
  used_spans_.clear();
  used_spans_.reserve(ast.size());
  for (uint32_t i = 0; i < ast.size(); ++i) {
    Span span = token_span(NodeId{i});
    ast.for_each_child(NodeId{i}, [&](NodeId child) {
      const Span part = used_spans_[static_cast<size_t>(child)];
      if (!part.begin) return;
      span.begin = std::min(span.begin, part.begin);
      span.end = std::max(span.end, part.end);
    });
    used_spans_.push_back(span);
  }
  return used_spans_;
}

Span Unit::token_span(NodeId id) const {
  const Node& node = ast[id];
  if (node.begin.kind() == Loc::Kind::Position || !node.begin) return {};
  const Span first = token_use(node.begin);
  const Span last = token_use(node.end);
  return {std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

// What a token that begins or ends a node covers of the author's text: a macro's
// token its use, any other only itself.
Span Unit::token_use(Loc token) const {
  if (token.is_text()) return {token, token};
  return expansions[expanded[token.index()].expansion].outermost;
}

std::optional<Span> Unit::written_span(NodeId id) const {
  const Node& n = ast[id];
  if (n.begin.kind() != Loc::Kind::Expanded || n.end.kind() != Loc::Kind::Expanded) {
    return std::nullopt;
  }
  const ExpandedToken& first = expanded[n.begin.index()];
  const ExpandedToken& last = expanded[n.end.index()];
  if (!first.written.begin || !last.written.begin) return std::nullopt;
  if (sources_->file_of(first.written.begin) != sources_->file_of(last.written.begin)) {
    return first.written;
  }
  if (last.written.end < first.written.begin) return first.written;
  return Span{first.written.begin, last.written.end};
}

std::optional<uint32_t> Unit::expansion_of(NodeId id) const {
  const Node& n = ast[id];
  if (n.begin.kind() != Loc::Kind::Expanded) return std::nullopt;
  return expanded[n.begin.index()].expansion;
}

Position Unit::otp_position(Loc anchor) const {
  if (anchor.kind() == Loc::Kind::Position) return positions[anchor.index()];
  const LineColumn at = sources_->line_column(anchor);
  Position position{at.line, at.column, {}};
  if (line_shifts.empty()) return position;
  auto shift = line_shifts.upper_bound(anchor);
  if (shift == line_shifts.begin() ||
      (--shift)->first < sources_->start(sources_->file_of(anchor))) {
    return position;
  }
  position.line = static_cast<uint32_t>(position.line + shift->second);
  const LineColumn from = sources_->line_column(shift->first);  // epp starts a line after a -file
  if (at.line == from.line) position.column -= from.column - 1;
  return position;
}

Loc Unit::add_position(Position position) {
  positions.push_back(position);
  return Loc::position(static_cast<uint32_t>(positions.size() - 1));
}

}  // namespace fathom
