#include "syntax/unit.h"

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
  Span span{n.begin, n.end};
  if (!n.begin.is_text()) span.begin = expansions[expanded[n.begin.index()].expansion].outermost.begin;
  if (!n.end.is_text()) {
    const Span use = expansions[expanded[n.end.index()].expansion].outermost;
    span.end = use.end;
    // A node that starts in a macro's argument and ends in its body: the whole use.
    if (span.begin > use.begin && span.begin < use.end) span.begin = use.begin;
  }
  if (span.end < span.begin) span.end = span.begin;
  if (!n.begin.is_text()) {
    const Span use = expansions[expanded[n.begin.index()].expansion].outermost;
    if (span.end > use.begin && span.end < use.end) span.end = use.end;
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
  if (shift == line_shifts.begin() || (--shift)->first < sources_->start(sources_->file_of(anchor))) {
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
