#include "syntax/unit.h"

#include <algorithm>

namespace fathom {

void Unit::clear() {
  ast.clear();
  path.clear();
  file.reset();
  module = Atom();
  included.clear();
  expansions.clear();
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
  const Span first = token_use(n.begin);
  const Span last = token_use(n.end);
  Span span{first.begin, last.end};
  // A node that starts in a macro's argument and ends in its body, or the other
  // way round: the whole use.
  if (last.begin < span.begin && span.begin < last.end) span.begin = last.begin;
  if (first.begin < span.end && span.end < first.end) span.end = first.end;
  return span.begin <= span.end ? span : covering_span(id);
}

// What a token that begins or ends a node covers of the author's text: a macro's
// token its use, any other only itself.
Span Unit::token_use(Loc token) const {
  if (token.is_text()) return {token, token};
  return expansions[expanded[token.index()].expansion].outermost;
}

// A macro may put its arguments in any order, and then a node's first token can
// stand behind its last one: the span of all that is in it.
Span Unit::covering_span(NodeId id) const {
  Span span{token_use(ast[id].end).begin, token_use(ast[id].begin).end};
  std::vector<NodeId> todo{id};
  while (!todo.empty()) {
    const Node& n = ast[todo.back()];
    const NodeId node = todo.back();
    todo.pop_back();
    for (const Loc token : {n.begin, n.end}) {
      span.begin = std::min(span.begin, token_use(token).begin);
      span.end = std::max(span.end, token_use(token).end);
    }
    ast.for_each_child(node, [&](NodeId child) { todo.push_back(child); });
  }
  return span;
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
  const LineColumn from = sources_->line_column(shift->first);  // epp starts a line behind a -file
  if (at.line == from.line) position.column -= from.column - 1;
  return position;
}

Loc Unit::add_position(Position position) {
  positions.push_back(position);
  return Loc::position(static_cast<uint32_t>(positions.size() - 1));
}

}  // namespace fathom
