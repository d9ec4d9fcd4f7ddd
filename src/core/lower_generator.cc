// The loops of comprehensions: one function for each generator (for all those of a
// zip), see lower_fun.cc. Its parameters are what is left of each source, what has
// been built so far (binary comprehensions), and what it captures.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/lowering_loops.h"
#include "lint/free_variables.h"

namespace fathom::core {
namespace {

bool is_strict(NodeKind kind) {
  return kind == NodeKind::GenerateStrict || kind == NodeKind::BinaryGenerateStrict ||
         kind == NodeKind::MapGenerateStrict;
}
bool is_binary(NodeKind kind) {
  return kind == NodeKind::BinaryGenerate || kind == NodeKind::BinaryGenerateStrict;
}
bool is_map(NodeKind kind) {
  return kind == NodeKind::MapGenerate || kind == NodeKind::MapGenerateStrict;
}

}  // namespace

// A map is gone through as the list of its pairs.
VarId Lowering::generator_source(AstId id) {
  begin_statement(AstId{ast_.slot(id, 1)});
  const VarId source = expr(AstId{ast_.slot(id, 1)});
  if (!is_map(ast_.kind(id))) return source;
  const RegionId patterns = region([&] {
    emit_into(kNoVar, Kind::MatchMap, id, {word(source)});
    return kNoVar;
  });
  const RegionId then = region([&] {
    static const Atom maps = Atom::intern("maps");
    static const Atom to_list = Atom::intern("to_list");
    return emit_call(maps, to_list, std::span(&source, 1), id);
  });
  const NodeId only[] = {
      module_->add(Kind::Clause, kNoVar, id, false, {word(patterns), word(ListId{0}), word(then)})};
  const RegionId otherwise = region([&] {
    static const Atom bad_generator = Atom::intern("bad_generator");
    emit_no_match(bad_generator, std::span(&source, 1), id);
    return kNoVar;
  });
  return emit(Kind::Case, id,
              {word(module_->add_list(std::span<const NodeId>(only))), word(otherwise)});
}

VarId Lowering::generator(const Comprehension& c, std::span<const AstId> generators, size_t next,
                          const Rest& rest) {
  std::vector<VarId> arguments;
  for (const AstId g : generators) arguments.push_back(generator_source(g));
  if (c.accumulates) arguments.push_back(use(rest.accumulator));

  // At its end the loop of a list goes on with the one around it, that of a binary
  // returns to it with what has been built.
  Rest outer = rest;
  if (c.accumulates) outer.loop = nullptr;
  std::vector<Atom> needed;
  if (outer.loop) {
    needed = rest.position;
    needed.insert(needed.end(), rest.loop->captures.begin(), rest.loop->captures.end());
  }
  for (const Atom name :
       lint::comprehension_variables(ast_, generators, c.qualifiers.subspan(next + 1), c.body)) {
    const bool known = std::find(needed.begin(), needed.end(), name) != needed.end();
    if (is_bound(name) && !known) needed.push_back(name);
  }
  const std::vector<VarId> outside = values_of(needed);
  arguments.insert(arguments.end(), outside.begin(), outside.end());

  Loop loop;
  loop.function = reserve_function();
  loop.origin = c.accumulates ? c.id : c.qualifiers[next];
  const char* what = c.accumulates ? "lbc" : "lc";
  const size_t arity = generators.size() + (c.accumulates ? 1 : 0);
  const Atom name = lifted_name(fmt::format("{}$^{}/{}-{}", what, lifted_++, arity, loops_++));
  Scope scope;
  begin_scope(scope, loop.function, name, c.id);
  std::vector<VarId> parameters;
  for (size_t i = 0; i < generators.size(); ++i) parameters.push_back(fresh());
  if (c.accumulates) {
    outer.accumulator = private_name("acc");
    parameters.push_back(bind(outer.accumulator));
  }
  for (const Atom captured_name : needed) {
    const VarId parameter = bind(captured_name);
    parameters.push_back(parameter);
    // Inside, a pattern may give the name another meaning; the loop goes by this one.
    const Atom alias = private_name("captured");
    scope_->variables[alias].id = parameter;
    bind(alias);
    loop.captures.push_back(alias);
  }
  const RegionId code =
      region([&] { return loop_body(c, generators, next, loop, outer, parameters); });
  end_scope(scope, parameters, code);
  const VarId result = emit(Kind::Call, loop.origin, {word(loop.function), word(list(arguments))});
  if (!c.accumulates || !rest.loop) return result;
  Rest grown = rest;
  grown.accumulator = private_name("acc");
  emit_into(bind(grown.accumulator), Kind::Copy, c.id, {word(result)});
  return go_on(c, grown);
}

VarId Lowering::loop_body(const Comprehension& c, std::span<const AstId> generators, size_t next,
                          const Loop& loop, const Rest& outer, std::span<const VarId> parameters) {
  std::vector<NodeId> nodes;
  const size_t mark = trail_mark();
  std::vector<Atom> patterns;
  for (const AstId g : generators) {
    const std::vector<Atom> names = lint::pattern_variables(ast_, AstId{ast_.slot(g, 0)});
    patterns.insert(patterns.end(), names.begin(), names.end());
  }
  Rest here{&loop, {}, outer.accumulator};
  const auto add_clause = [&](Step step, auto&& make_body) {
    here.position.clear();
    const RegionId tests = region([&] {
      for (size_t i = 0; i < generators.size(); ++i) {
        here.position.push_back(generator_step(generators[i], parameters[i], step));
      }
      return kNoVar;
    });
    head_ = nullptr;
    const RegionId then = region(make_body);
    nodes.push_back(module_->add(Kind::Clause, kNoVar, c.qualifiers[next], false,
                                 {word(tests), word(ListId{0}), word(then)}));
  };
  {
    const Shadow shadow(*this, patterns);
    add_clause(Step::Take, [&] { return qualifiers(c, next + 1, here); });
    forget(mark);
  }
  const bool strict = std::any_of(generators.begin(), generators.end(),
                                  [&](AstId g) { return is_strict(ast_.kind(g)); });
  {
    const Shadow shadow(*this, patterns);
    add_clause(Step::Skip, [&]() -> VarId {
      if (!strict) return go_on(c, here);
      static const Atom badmatch = Atom::intern("badmatch");
      emit_no_match(badmatch, std::span(&skipped_, 1), c.qualifiers[next]);
      return kNoVar;
    });
    forget(mark);
  }
  add_clause(Step::End, [&] { return go_on(c, outer); });
  unbind(mark);
  const RegionId otherwise = region([&] {
    static const Atom bad_generator = Atom::intern("bad_generator");
    static const Atom bad_generators = Atom::intern("bad_generators");
    const std::span<const VarId> sources = parameters.first(generators.size());
    if (sources.size() == 1) {
      emit_no_match(bad_generator, sources, c.qualifiers[next]);
    } else {
      const VarId all = emit_tuple(sources, c.qualifiers[next]);
      emit_no_match(bad_generators, std::span(&all, 1), c.qualifiers[next]);
    }
    return kNoVar;
  });
  return emit(Kind::Case, c.qualifiers[next],
              {word(module_->add_list(std::span<const NodeId>(nodes))), word(otherwise)});
}

// The tests of one generator in one clause of its loop. Take: there is an element
// and it matches; Skip: there is one; End: there is none. The name of what is left.
Atom Lowering::generator_step(AstId id, VarId source, Step step) {
  const AstId p{ast_.slot(id, 0)};
  const Atom left = private_name("left");
  if (is_binary(ast_.kind(id))) {
    const VarId start = emit(Kind::MatchBits, id, {word(source)});
    if (step == Step::End) {
      if (is_strict(ast_.kind(id)))
        emit_into(kNoVar, Kind::MatchEnd, id, {word(source), word(start)});
      return left;
    }
    skipped_ = source;
    const auto bits = ast_.get<fathom::node::Binary>(p);
    // A strict one objects to whatever is left, however little.
    const bool any_rest = step == Step::Skip && is_strict(ast_.kind(id));
    const VarId position =
        any_rest ? start : segments_pattern(bits.segments, source, start, step == Step::Take);
    SegmentSpec rest;
    rest.type = SegmentSpec::Type::Bits;
    rest.all = true;
    const VarId end = fresh();
    emit_into(bind(left), Kind::MatchSegment, id,
              {word(source), word(position), word(kNoVar), rest.pack(), word(end)});
    if (any_rest) non_empty_bits(id, source, start);
    return left;
  }
  if (step == Step::End) {
    emit_into(kNoVar, Kind::MatchLiteral, id, {word(source), word(module_->add_literal(Term()))});
    return left;
  }
  const VarId head = fresh();
  emit_into(kNoVar, Kind::MatchCons, id, {word(source), word(head), word(bind(left))});
  skipped_ = head;
  if (step == Step::Take) element_pattern(p, head);
  return left;
}

// K := V stands for the pair {K, V}.
void Lowering::element_pattern(AstId p, VarId subject) {
  if (ast_.kind(p) != NodeKind::MapExact) return pattern(p, subject);
  const auto pair = ast_.get<fathom::node::MapExact>(p);
  const VarId parts[] = {fresh(), fresh()};
  emit_into(kNoVar, Kind::MatchTuple, p, {word(subject), word(list(parts))});
  pattern(pair.key, parts[0]);
  pattern(pair.value, parts[1]);
}

// At least one bit is left.
void Lowering::non_empty_bits(AstId id, VarId source, VarId position) {
  SegmentSpec one;
  const VarId size = emit_literal(Term(1), id);
  emit_into(kNoVar, Kind::MatchSegment, id,
            {word(source), word(position), word(size), one.pack(), word(fresh())});
}

}  // namespace fathom::core
