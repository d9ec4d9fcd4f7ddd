// Instructions that make values.
#include "machine/interpreter.h"
#include "machine/stack_trace.h"
#include "values/compare.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::machine {

void op_Move(STEP) {
  fp[op_a(pc)] = fp[op_b(pc)];
  NEXT(1);
}

namespace {
void move_packed(Value* fp, uint32_t move) { fp[move & 0xFF] = fp[move >> 8]; }
}  // namespace

void op_Move2(STEP) {
  move_packed(fp, op_a(pc));
  move_packed(fp, op_b(pc));
  NEXT(1);
}

void op_Move3(STEP) {
  move_packed(fp, op_a(pc));
  move_packed(fp, op_b(pc));
  move_packed(fp, op_c(pc));
  NEXT(1);
}

void op_Load(STEP) {
  fp[op_a(pc)] = Value::from_raw(pc[1]);
  NEXT(2);
}

void op_Tuple(STEP) {
  const uint32_t n = op_b(pc);
  hp[0] = Header(BoxKind::Tuple, n).word();
  for (uint32_t i = 0; i < n; ++i) hp[1 + i] = fp[packed_register(pc + 1, i)].raw();
  fp[op_a(pc)] = Value::box(hp);
  hp += 1 + n;
  NEXT(1 + (n + 3) / 4);
}

void op_Cons(STEP) {
  hp[0] = fp[op_b(pc)].raw();
  hp[1] = fp[op_c(pc)].raw();
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

}  // namespace

void op_Map(STEP) {
  const uint32_t n = op_b(pc);
  m.heap().set_top(hp);
  fp[op_a(pc)] = make_map(m.heap(), pc, fp);
  hp = m.heap().top();
  NEXT(1 + (2 * n + 3) / 4);
}

namespace {

// badmap, or badkey: raised or, in a guard, failed.
void map_error(STEP, std::string_view what, Value culprit) {
  m.heap().set_top(hp);
  m.context.error(m.heap().tuple({Value(Atom::intern(what)), culprit}));
  hp = m.heap().top();
  return fail_or_raise(m, pc, fp, hp, 1);
}

}  // namespace

void op_MapPut(STEP) {
  const uint32_t n = op_c(pc);
  Value map = fp[op_b(pc)];
  if (!map.is_map()) return map_error(m, pc, fp, hp, "badmap", map);
  m.heap().set_top(hp);
  for (uint32_t i = 0; i < n; ++i) {
    map = map_put(m.heap(), map, fp[packed_register(pc + 2, 2 * i)],
                  fp[packed_register(pc + 2, 2 * i + 1)]);
  }
  hp = m.heap().top();
  fp[op_a(pc)] = map;
  NEXT(2 + (2 * n + 3) / 4);
}

void op_MapReplace(STEP) {
  const uint32_t n = op_c(pc);
  Value map = fp[op_b(pc)];
  if (!map.is_map()) return map_error(m, pc, fp, hp, "badmap", map);
  m.heap().set_top(hp);
  for (uint32_t i = 0; i < n; ++i) {
    const Value key = fp[packed_register(pc + 2, 2 * i)];
    if (map_get(map, key).is_none()) return map_error(m, pc, fp, m.heap().top(), "badkey", key);
    map = map_put(m.heap(), map, key, fp[packed_register(pc + 2, 2 * i + 1)]);
  }
  hp = m.heap().top();
  fp[op_a(pc)] = map;
  NEXT(2 + (2 * n + 3) / 4);
}

void op_Fun(STEP) {
  const uint32_t n = op_b(pc);
  hp[0] = Header(BoxKind::Fun, n).word();
  hp[1] = pc[1];
  for (uint32_t i = 0; i < n; ++i) hp[2 + i] = fp[packed_register(pc + 2, i)].raw();
  fp[op_a(pc)] = Value::box(hp);
  hp += 2 + n;
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
  hp = m.heap().top();
  NEXT(3);
}

void op_Stacktrace(STEP) {
  m.heap().set_top(hp);
  fp[op_a(pc)] = stack_trace(m, fp[op_b(pc)]);
  hp = m.heap().top();
  NEXT(1);
}

}  // namespace fathom::machine
