// Tests and jumps: the code of patterns and guards.
#include "machine/interpreter.h"
#include "machine/label_moves.h"
#include "values/compare.h"
#include "values/maps.h"

namespace fathom::machine::FATHOM_INTERPRETER {

void op_Jump(STEP) { FAIL(1); }

void op_UnlessIs(STEP) {
  if (fp[op_b(pc)].raw() != pc[1]) FAIL(2);
  note_use(m, pc, fp + op_b(pc));
  NEXT(3);
}

void op_UnlessIsNot(STEP) {
  if (fp[op_b(pc)].raw() != pc[1]) NEXT(3);
  FAIL(2);
}

void op_UnlessLiteral(STEP) {
  if (!equal_exact(fp[op_b(pc)], Value::from_raw(pc[1]))) FAIL(2);
  note_use(m, pc, fp + op_b(pc));
  NEXT(3);
}

void op_UnlessTrue(STEP) {
  if (fp[op_b(pc)].is_atom(atoms::true_)) NEXT(2);
  FAIL(1);
}

#define TYPE_TEST(Id, test)           \
  void op_UnlessType##Id(STEP) {      \
    if (fp[op_b(pc)].test()) NEXT(2); \
    FAIL(1);                          \
  }

TYPE_TEST(Atom, is_atom)
TYPE_TEST(Binary, is_binary)
TYPE_TEST(Bitstring, is_bitstring)
TYPE_TEST(Boolean, is_boolean)
TYPE_TEST(Float, is_float)
TYPE_TEST(Function, is_fun)
TYPE_TEST(Integer, is_integer)
TYPE_TEST(List, is_list)
TYPE_TEST(Number, is_number)
TYPE_TEST(Pid, is_pid)
TYPE_TEST(Port, is_port)
TYPE_TEST(Reference, is_reference)
TYPE_TEST(Tuple, is_tuple)

// Those of patterns.
void op_UnlessTypeMap(STEP) {
  if (!fp[op_b(pc)].is_map()) FAIL(1);
  note_use(m, pc, fp + op_b(pc));
  NEXT(2);
}

void op_UnlessTuple(STEP) {
  if (!fp[op_b(pc)].is_tuple(op_c(pc))) FAIL(1);
  note_use(m, pc, fp + op_b(pc));
  NEXT(2);
}

void op_UseLabel(STEP) {
  if constexpr (kLabelled) m.uses().add(static_cast<Label>(pc[1]), label_word(pc));
  NEXT(2);
}

namespace {

// Element i of the tuple, to a register.
inline void take_element([[maybe_unused]] Machine& m, Value tuple, size_t i, Value* to) {
  *to = tuple.element(i);
  load_label(m, tuple.words() + 1 + i, to);
}

}  // namespace

void op_Element(STEP) {
  take_element(m, fp[op_b(pc)], op_c(pc), fp + op_a(pc));
  NEXT(1);
}

void op_Element2(STEP) {
  const Value tuple = fp[op_b(pc)];
  const uint32_t first = op_a(pc);
  const uint32_t second = op_c(pc);
  take_element(m, tuple, first >> 8, fp + (first & 0xFF));
  take_element(m, tuple, second >> 8, fp + (second & 0xFF));
  NEXT(1);
}

void op_Uncons(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) FAIL(1);
  note_use(m, pc, fp + op_b(pc));
  fp[op_a(pc)] = list.head();
  load_label(m, list.words(), fp + op_a(pc));
  fp[op_c(pc)] = list.tail();
  load_label(m, list.words() + 1, fp + op_c(pc));
  NEXT(2);
}

void op_UnlessCons(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) FAIL(1);
  note_use(m, pc, fp + op_b(pc));
  fp[op_c(pc)] = list.tail();
  load_label(m, list.words() + 1, fp + op_c(pc));
  NEXT(2);
}

// ---- Jumps by a table -------------------------------------------------------

namespace {

// How far to go: the entry's offset, or that of the instruction's fail word.
inline int32_t selected(const uint64_t* pc, uint64_t word) {
  const uint32_t bits = op_c(pc);
  const size_t mask = (size_t{1} << bits) - 1;
  const uint64_t* table = pc + 2;
  for (size_t i = select_slot(word, bits);; ++i) {
    const uint64_t* entry = table + 2 * (i & mask);
    if (entry[0] == word) return fail_word(entry[1]).offset;
    if (entry[0] == Value::none().raw()) return fail_word(pc[1]).offset;
  }
}

}  // namespace

#define BEHIND_TABLE NEXT(2 + (size_t{2} << op_c(pc)))

void op_Select(STEP) {
  const Value v = fp[op_b(pc)];
  if (!v.is_immediate()) BEHIND_TABLE;
  DISPATCH(pc + selected(pc, v.raw()));
}

void op_SelectTag(STEP) {
  const Value v = fp[op_b(pc)];
  if (!v.is_tuple()) BEHIND_TABLE;
  const size_t arity = v.arity();
  if (arity == 0 || !v.element(0).is_atom()) FAIL(1);
  DISPATCH(pc + selected(pc, tag_word(arity, v.element(0))));
}

void op_SelectHead(STEP) {
  const Value v = fp[op_b(pc)];
  if (!v.is_cons()) BEHIND_TABLE;
  if (!v.head().is_immediate()) FAIL(1);
  DISPATCH(pc + selected(pc, v.head().raw()));
}

namespace {
[[maybe_unused]] Label label_of_key(Machine& m, Value map, Value key) {
  return m.heap().labels_of(pair_place(map, key).value).word;
}
}  // namespace

void op_MapKey(STEP) {
  const Value found = map_get(fp[op_b(pc)], fp[op_c(pc)]);
  if (found.is_none()) FAIL(1);
  if constexpr (kLabelled) {
    set_label(m, fp + op_a(pc), label_of_key(m, fp[op_b(pc)], fp[op_c(pc)]));
  }
  fp[op_a(pc)] = found;
  NEXT(2);
}

}  // namespace fathom::machine::FATHOM_INTERPRETER
