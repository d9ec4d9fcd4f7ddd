#include "generate/fun_text.h"

#include <fmt/format.h>

#include "base/term_print.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::generate {

using machine::Value;
using symbolic::Store;

namespace {

bool has_open(Value v) { return !Store::first_open(v).is_none(); }

// Values that do not read back: funs, pids, ports, references.
bool is_opaque(Value v) {
  return v.is_fun() || v.is_pid() || v.is_port() || v.is_reference() || v.is_unknown();
}

bool has_opaque(Value value) {
  std::vector<Value> open = {value};
  while (!open.empty()) {
    const Value v = Store::known(open.back());
    open.pop_back();
    if (v.is_small() || v.is_atom() || v.is_nil()) continue;
    if (is_opaque(v)) return true;
    if (v.is_cons()) {
      open.push_back(v.tail());
      open.push_back(v.head());
      continue;
    }
    const machine::SlotRange range = machine::value_slots(v.words());
    for (size_t i = range.from; i < range.to; ++i) open.push_back(Value::from_raw(v.words()[i]));
  }
  return false;
}

std::string fun_text(Store& store, Value fun) {
  const symbolic::UnknownState s = store.state(fun);
  int arity = s.arity;
  for (const symbolic::Alternative& a : store.types().alternatives(s.type)) {
    if (arity < 0 && a.kind == symbolic::Alternative::Kind::Fun) arity = a.arity;
  }
  if (arity < 0) arity = 0;
  std::string text = "fun";
  std::string last = "ok";
  const std::vector<Store::Entry> entries = store.entries(fun);
  for (const Store::Entry& entry : entries) {
    text += "(";
    Value arguments = store.under_solution(entry.key);
    for (bool first = true; arguments.is_cons(); arguments = arguments.tail(), first = false) {
      text += (first ? "" : ", ") + input_text(store, arguments.head());
    }
    last = input_text(store, store.under_solution(entry.value));
    text += ") -> " + last + "; ";
  }
  text += "(";
  for (int i = 0; i < arity; ++i) text += i == 0 ? "_" : ", _";
  if (arity == 0 && !entries.empty()) {
    // One clause is all there can be.
    return "fun() -> " + last + " end";
  }
  return text + ") -> " + last + " end";
}

}  // namespace

std::string input_text(Store& store, Value value) {
  value = store.under_solution(value);
  if (!has_open(value)) {
    TermArena arena;
    return printed(machine::to_term(value, arena));
  }
  if (value.is_unknown()) return fun_text(store, value);
  if (value.is_tuple()) {
    std::string text = "{";
    for (size_t i = 0; i < value.arity(); ++i) {
      text += (i == 0 ? "" : ", ") + input_text(store, value.element(i));
    }
    return text + "}";
  }
  if (value.is_cons()) {
    std::string text = "[";
    for (bool first = true; value.is_cons(); value = Store::known(value.tail()), first = false) {
      text += (first ? "" : ", ") + input_text(store, value.head());
    }
    return text + (value.is_nil() ? "]" : " | " + input_text(store, value) + "]");
  }
  std::string text = "#{";
  machine::MapPairs pairs(value);
  bool first = true;
  for (Value key, item; pairs.next(key, item); first = false) {
    text += (first ? "" : ", ") + input_text(store, key) + " => " + input_text(store, item);
  }
  return text + "}";
}

std::string literal_text(Value value, bool& is_literal) {
  if (has_opaque(value)) is_literal = false;
  if (has_open(value)) return "_";
  TermArena arena;
  return printed(machine::to_term(value, arena));
}

}  // namespace fathom::generate
