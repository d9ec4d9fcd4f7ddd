// Tests and jumps: the code of patterns and guards.
#include "machine/compare.h"
#include "machine/interpreter.h"
#include "machine/maps.h"

namespace fathom::machine {

void op_Jump(STEP) { FAIL(1); }

void op_UnlessIs(STEP) {
  if (fp[op_b(pc)].raw() == pc[1]) NEXT(3);
  FAIL(2);
}

void op_UnlessIsNot(STEP) {
  if (fp[op_b(pc)].raw() != pc[1]) NEXT(3);
  FAIL(2);
}

void op_UnlessLiteral(STEP) {
  if (equal_exact(fp[op_b(pc)], Value::from_raw(pc[1]))) NEXT(3);
  FAIL(2);
}

void op_UnlessTrue(STEP) {
  if (fp[op_b(pc)].is_atom(atoms::true_)) NEXT(2);
  FAIL(1);
}

namespace {

bool has_type(Value v, TypeTest test) {
  switch (test) {
    case TypeTest::Atom:
      return v.is_atom();
    case TypeTest::Binary:
      return v.is_binary();
    case TypeTest::Bitstring:
      return v.is_bitstring();
    case TypeTest::Boolean:
      return v.is_boolean();
    case TypeTest::Float:
      return v.is_float();
    case TypeTest::Function:
      return v.is_fun();
    case TypeTest::Integer:
      return v.is_integer();
    case TypeTest::List:
      return v.is_list();
    case TypeTest::Map:
      return v.is_map();
    case TypeTest::Number:
      return v.is_number();
    case TypeTest::Pid:
      return v.is_pid();
    case TypeTest::Port:
      return v.is_port();
    case TypeTest::Reference:
      return v.is_reference();
    case TypeTest::Tuple:
      return v.is_tuple();
  }
  return false;
}

}  // namespace

void op_UnlessType(STEP) {
  if (has_type(fp[op_b(pc)], static_cast<TypeTest>(op_c(pc)))) NEXT(2);
  FAIL(1);
}

void op_UnlessTuple(STEP) {
  if (fp[op_b(pc)].is_tuple(op_c(pc))) NEXT(2);
  FAIL(1);
}

void op_Element(STEP) {
  fp[op_a(pc)] = fp[op_b(pc)].element(op_c(pc));
  NEXT(1);
}

void op_Uncons(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) FAIL(1);
  fp[op_a(pc)] = list.head();
  fp[op_c(pc)] = list.tail();
  NEXT(2);
}

void op_UnlessCons(STEP) {
  const Value list = fp[op_b(pc)];
  if (!list.is_cons()) FAIL(1);
  fp[op_c(pc)] = list.tail();
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

void op_MapKey(STEP) {
  const Value found = map_get(fp[op_b(pc)], fp[op_c(pc)]);
  if (found.is_none()) FAIL(1);
  fp[op_a(pc)] = found;
  NEXT(2);
}

}  // namespace fathom::machine
