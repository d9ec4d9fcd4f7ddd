// Instructions that make values.
#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "machine/stack_trace.h"
#include "values/compare.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::machine::FATHOM_INTERPRETER {

void op_Move(STEP) {
  fp[op_a(pc)] = fp[op_b(pc)];
  move_label(m, fp + op_b(pc), fp + op_a(pc));
  NEXT(1);
}

namespace {
inline void move_packed([[maybe_unused]] Machine& m, Value* fp, uint32_t move) {
  fp[move & 0xFF] = fp[move >> 8];
  move_label(m, fp + (move >> 8), fp + (move & 0xFF));
}
}  // namespace

void op_Move2(STEP) {
  move_packed(m, fp, op_a(pc));
  move_packed(m, fp, op_b(pc));
  NEXT(1);
}

void op_Move3(STEP) {
  move_packed(m, fp, op_a(pc));
  move_packed(m, fp, op_b(pc));
  move_packed(m, fp, op_c(pc));
  NEXT(1);
}

void op_Load(STEP) {
  fp[op_a(pc)] = Value::from_raw(pc[1]);
  set_label(m, fp + op_a(pc), own_label(pc));
  NEXT(2);
}

void op_Tuple(STEP) {
  const uint32_t n = op_b(pc);
  hp[0] = Header(BoxKind::Tuple, n).word();
  for (uint32_t i = 0; i < n; ++i) {
    const Value* const element = fp + packed_register(pc + 1, i);
    hp[1 + i] = element->raw();
    store_label(m, element, hp + 1 + i);
  }
  label_object(m, pc, hp);
  fp[op_a(pc)] = Value::box(hp);
  hp += 1 + n;
  NEXT(1 + (n + 3) / 4);
}

void op_Cons(STEP) {
  hp[0] = fp[op_b(pc)].raw();
  hp[1] = fp[op_c(pc)].raw();
  label_cons(m, pc, hp, fp + op_b(pc), fp + op_c(pc));
  fp[op_a(pc)] = Value::cons_at(hp);
  hp += 2;
  NEXT(1);
}

namespace {

__attribute__((noinline)) Value make_map(Heap& heap, const uint64_t* pc, const Value* fp) {
  std::vector<Value> pairs(2 * op_b(pc));
  for (size_t i = 0; i < pairs.size(); ++i) pairs[i] = fp[packed_register(pc + 1, i)];
  return map_from_pairs(heap, pairs);
}

// Pair number i of those whose registers begin at `words` was put into the map.
[[maybe_unused]] void label_put(Machine& m, Value map, const uint64_t* words, const Value* fp,
                                size_t i) {
  const Value* const key = fp + packed_register(words, 2 * i);
  const Value* const value = fp + packed_register(words, 2 * i + 1);
  label_pair(m.heap(), map, *key, get_label(m, key), get_label(m, value));
}

// Of equal keys the later one counts.
[[maybe_unused]] void label_map(Machine& m, Value map, const uint64_t* pc, const Value* fp) {
  for (size_t i = op_b(pc); i-- > 0;) label_put(m, map, pc + 1, fp, i);
}

}  // namespace

void op_Map(STEP) {
  const uint32_t n = op_b(pc);
  m.heap().set_top(hp);
  const Value map = make_map(m.heap(), pc, fp);
  if constexpr (kLabelled) label_map(m, map, pc, fp);
  label_new(m, pc, hp);
  fp[op_a(pc)] = map;
  hp = m.heap().top();
  NEXT(1 + (2 * n + 3) / 4);
}

namespace {

// badmap, or badkey: raised or, in a guard, failed.
void map_error(STEP, std::string_view what, const Value* culprit) {
  m.heap().set_top(hp);
  const Value reason = m.heap().tuple({Value(Atom::intern(what)), *culprit});
  m.context.error(reason);
  store_label(m, culprit, reason.words() + 2);
  label_new(m, pc, hp);
  hp = m.heap().top();
  return fail_or_raise(m, pc, fp, hp, 1);
}

// The map that an update gives is one of its own, even if it is like the one before.
Value updated_map(Machine& m, Value before, Value after) {
  return kLabelled && before == after ? copy_of_box(m.heap(), after) : after;
}

}  // namespace

void op_MapPut(STEP) {
  const uint32_t n = op_c(pc);
  Value map = fp[op_b(pc)];
  if (!map.is_map()) return map_error(m, pc, fp, hp, "badmap", fp + op_b(pc));
  m.heap().set_top(hp);
  for (uint32_t i = 0; i < n; ++i) {
    map = map_put(m.heap(), map, fp[packed_register(pc + 2, 2 * i)],
                  fp[packed_register(pc + 2, 2 * i + 1)]);
    if constexpr (kLabelled) label_put(m, map, pc + 2, fp, i);
  }
  map = updated_map(m, fp[op_b(pc)], map);
  label_new(m, pc, hp);
  hp = m.heap().top();
  fp[op_a(pc)] = map;
  NEXT(2 + (2 * n + 3) / 4);
}

void op_MapReplace(STEP) {
  const uint32_t n = op_c(pc);
  Value map = fp[op_b(pc)];
  if (!map.is_map()) return map_error(m, pc, fp, hp, "badmap", fp + op_b(pc));
  m.heap().set_top(hp);
  for (uint32_t i = 0; i < n; ++i) {
    const Value* const key = fp + packed_register(pc + 2, 2 * i);
    if (map_get(map, *key).is_none()) return map_error(m, pc, fp, m.heap().top(), "badkey", key);
    map = map_put(m.heap(), map, *key, fp[packed_register(pc + 2, 2 * i + 1)]);
    if constexpr (kLabelled) label_put(m, map, pc + 2, fp, i);
  }
  map = updated_map(m, fp[op_b(pc)], map);
  label_new(m, pc, hp);
  hp = m.heap().top();
  fp[op_a(pc)] = map;
  NEXT(2 + (2 * n + 3) / 4);
}

void op_Fun(STEP) {
  const uint32_t n = op_b(pc);
  hp[0] = Header(BoxKind::Fun, n).word();
  hp[1] = pc[1];
  hp[2] = m.process().pid.raw();
  for (uint32_t i = 0; i < n; ++i) {
    const Value* const capture = fp + packed_register(pc + 2, i);
    hp[3 + i] = capture->raw();
    store_label(m, capture, hp + 3 + i);
  }
  label_object(m, pc, hp);
  fp[op_a(pc)] = Value::box(hp);
  hp += 3 + n;
  NEXT(2 + (n + 3) / 4);
}

void op_ExternalFun(STEP) {
  const Value module = fp[op_b(pc)];
  const Value name = fp[op_c(pc)];
  const Value arity = fp[pc[1]];
  m.heap().set_top(hp);
  if (!module.is_atom() || !name.is_atom() || !arity.is_small() || arity.small() < 0 ||
      arity.small() > 255) {
    m.context.badarg();
    return fail_or_raise(m, pc, fp, m.heap().top(), 2);
  }
  fp[op_a(pc)] = m.heap().external_fun(
      m.code().find_export(module.atom(), name.atom(), static_cast<uint32_t>(arity.small())));
  label_new(m, pc, hp);
  hp = m.heap().top();
  NEXT(3);
}

void op_Stacktrace(STEP) {
  m.heap().set_top(hp);
  fp[op_a(pc)] = stack_trace(m, fp[op_b(pc)]);
  set_label(m, fp + op_a(pc), own_label(pc));
  label_new(m, pc, hp);
  hp = m.heap().top();
  NEXT(1);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
