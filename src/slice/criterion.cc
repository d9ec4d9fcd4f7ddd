#include "slice/criterion.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/places.h"
#include "slice/scopes.h"
#include "slice/syntax_groups.h"

namespace fathom::slice {

using core::AstId;
using core::Kind;
using core::NodeId;
using core::VarId;

namespace {

bool parse_number(std::string_view text, uint32_t& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() && number > 0;
}

// What has a value, or is a pattern.
bool is_term(NodeKind kind) {
  switch (kind) {
    case NodeKind::Clause:
    case NodeKind::Segment:
    case NodeKind::SegmentType:
    case NodeKind::MapAssoc:
    case NodeKind::MapExact:
    case NodeKind::RecordField:
    case NodeKind::Remote:
    case NodeKind::MaybeElse:
    case NodeKind::Function:
      return false;
    default:
      return !is_generator(kind);
  }
}

// Nodes below the functions of a module, in the order of the text.
template <class F>
void for_each_below_functions(const Ast& ast, F&& f) {
  std::vector<AstId> todo;
  for (const AstId form : ast.forms()) {
    if (ast.is(form, NodeKind::Function)) todo.push_back(form);
  }
  while (!todo.empty()) {
    const AstId at = todo.back();
    todo.pop_back();
    f(at);
    ast.for_each_child(at, [&](AstId child) { todo.push_back(child); });
  }
}

}  // namespace

Result<Criterion> parse_criterion(std::string_view text) {
  constexpr std::string_view kForms =
      "FILE:LINE:NAME, FILE:LINE:NAME:OCCURRENCE or FILE:LINE:COLUMN";
  std::vector<std::string_view> parts;
  for (std::string_view rest = text; parts.size() < 3;) {
    const size_t colon = rest.rfind(':');
    if (colon == std::string_view::npos) break;
    parts.push_back(rest.substr(colon + 1));
    rest = rest.substr(0, colon);
  }
  Criterion result;
  uint32_t number = 0;
  const bool ends_with_number = !parts.empty() && parse_number(parts[0], number);
  size_t length = 0;
  if (parts.size() == 3 && ends_with_number && !parse_number(parts[1], result.column) &&
      parse_number(parts[2], result.line)) {
    result.name = std::string(parts[1]);
    result.occurrence = number;
    length = parts[0].size() + parts[1].size() + parts[2].size() + 3;
  } else if (parts.size() >= 2 && parse_number(parts[1], result.line)) {
    if (ends_with_number) {
      result.column = number;
    } else {
      result.name = std::string(parts[0]);
    }
    length = parts[0].size() + parts[1].size() + 2;
  } else {
    return Error{fmt::format("{} is not a criterion; one is {}", text, kForms)};
  }
  result.file = std::string(text.substr(0, text.size() - length));
  if (result.file.empty() || (result.name.empty() && result.column == 0)) {
    return Error{fmt::format("{} is not a criterion; one is {}", text, kForms)};
  }
  return result;
}

Result<Located> locate(const Model& model, const core::Module& module, const Criterion& criterion) {
  const Unit& unit = module.unit();
  const Ast& ast = unit.ast;
  const SourceMap& sources = unit.sources();
  struct Candidate {
    AstId node;
    Span span;
  };
  std::vector<Candidate> found;
  for_each_below_functions(ast, [&](AstId id) {
    if (!is_term(ast.kind(id))) return;
    const auto span = unit.used_span(id);
    if (!span || !unit.file || sources.file_of(span->begin) != *unit.file) return;
    if (!criterion.name.empty()) {
      if (!ast.is(id, NodeKind::Var) || ast.get<node::Var>(id).name.text() != criterion.name)
        return;
      if (sources.line_column(span->begin).line != criterion.line) return;
    } else {
      const Loc place = sources.place(*unit.file, {criterion.line, criterion.column});
      if (!place || place < span->begin || place >= span->end) return;
    }
    found.push_back({id, *span});
  });
  if (found.empty() && !criterion.name.empty()) {
    return Error{fmt::format("{}:{}: there is no variable {} on this line", criterion.file,
                             criterion.line, criterion.name)};
  }
  if (found.empty()) {
    return Error{fmt::format("{}:{}:{}: there is no expression here", criterion.file,
                             criterion.line, criterion.column)};
  }
  size_t chosen = 0;
  if (!criterion.name.empty()) {
    std::sort(found.begin(), found.end(),
              [](const Candidate& a, const Candidate& b) { return a.span.begin < b.span.begin; });
    if (criterion.occurrence > found.size()) {
      return Error{fmt::format("{}:{}: {} stands {} time{} on this line", criterion.file,
                               criterion.line, criterion.name, found.size(),
                               found.size() == 1 ? "" : "s")};
    }
    chosen = criterion.occurrence - 1;
  } else {
    const auto size = [](const Candidate& c) { return c.span.end.index() - c.span.begin.index(); };
    for (size_t i = 1; i < found.size(); ++i) {
      if (size(found[i]) < size(found[chosen])) chosen = i;
    }
  }
  Located result{&module, found[chosen].node, kNoProcedure};
  const Scopes scopes(model, module);
  // The name of a called function stands for the call.
  while (fathom::exists(scopes.parent(result.node))) {
    const AstId above = scopes.parent(result.node);
    const bool is_name =
        ast.is(above, NodeKind::Call) && ast.get<node::Call>(above).function == result.node;
    const bool is_remote = ast.is(above, NodeKind::Remote) || ast.is(above, NodeKind::RecordField);
    if ((!is_name || ast.is(result.node, NodeKind::Var) || ast.is(result.node, NodeKind::Fun)) &&
        !is_remote)
      break;
    result.node = above;
  }
  // The value of a match is that of its right side, which may be all that is left of it.
  while (ast.is(result.node, NodeKind::Match))
    result.node = ast.get<node::Match>(result.node).value;
  if (!is_term(ast.kind(result.node))) {
    return Error{fmt::format("{}:{}:{}: there is no expression here", criterion.file,
                             criterion.line, criterion.column)};
  }
  result.procedure = scopes.procedure_of(result.node);
  const bool is_reached =
      exists(result.procedure) && exists(scopes.place_of(result.procedure, result.node));
  if (!is_reached) {
    return Error{fmt::format("{}:{}: no execution comes here: no exported function leads to it",
                             criterion.file, criterion.line)};
  }
  return result;
}

AstId node_at(const Unit& unit, uint32_t offset, NodeKind kind) {
  const Loc place = unit.sources().start(*unit.file).plus(offset);
  AstId found = kNoNode;
  Span smallest;
  for_each_below_functions(unit.ast, [&](AstId id) {
    if (unit.ast.kind(id) != kind) return;
    const auto span = unit.used_span(id);
    if (!span || span->begin != place) return;
    if (fathom::exists(found) && span->end > smallest.end) return;
    found = id;
    smallest = *span;
  });
  return found;
}

std::optional<Located> locate(const Model& model, const core::Module& module, uint32_t offset,
                              NodeKind kind) {
  const Scopes scopes(model, module);
  const AstId node = node_at(module.unit(), offset, kind);
  if (!fathom::exists(node)) return std::nullopt;
  const ProcedureId p = scopes.procedure_of(node);
  if (!exists(p) || !exists(scopes.place_of(p, node))) return std::nullopt;
  return Located{&module, node, p};
}

void start_from(Slicer& slicer, const Located& where) {
  const Model& model = slicer.model();
  const Scopes scopes(model, *where.module);
  const ProcedureId p = where.procedure;
  const VarId v = scopes.variable(where.node);
  if (core::exists(v)) slicer.need(p, v, kWhole);
  // The part of the pattern itself, if it is one.
  bool is_node = false;
  scopes.for_each_node(model[p].function, where.node, [&](NodeId n) {
    if (is_test((*where.module)[n].kind) || (*where.module)[n].kind == Kind::Bind) {
      slicer.execute(p, n);
      is_node = true;
    }
  });
  if (!is_node) {
    const PointId place = scopes.place_of(p, where.node);
    if (exists(place)) slicer.reach(p, place, where.node);
  }
  slicer.call(p);
}

}  // namespace fathom::slice
