#include "generate/fun_text.h"

#include <fmt/format.h>

#include <set>

#include "base/budget.h"
#include "base/term_print.h"
#include "values/convert.h"
#include "values/maps.h"

namespace fathom::generate {

using machine::Value;
using symbolic::Store;

namespace {

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
    symbolic::add_parts_of(v, open);
  }
  return false;
}

std::string arguments_text(Store& store, Value key) {
  std::string text;
  Value arguments = store.under_solution(key);
  for (bool first = true; arguments.is_cons(); arguments = arguments.tail(), first = false) {
    text += (first ? "" : ", ") + input_text(store, arguments.head());
  }
  return text;
}

std::string result_text(Store& store, const Store::Entry& call) {
  std::string value = input_text(store, store.under_solution(call.value));
  if (!call.exception_class.is_atom()) return value;
  return fmt::format("{}({})", call.exception_class.atom().text(), value);
}

std::string fun_text(Store& store, Value fun) {
  const symbolic::UnknownState s = store.state(fun);
  int arity = s.arity;
  for (const symbolic::Alternative& a : store.types().alternatives(s.type)) {
    if (arity < 0 && a.kind == symbolic::Alternative::Kind::Fun) arity = a.arity;
  }
  if (arity < 0) arity = 0;
  // Calls that are not in the table are like the last one.
  std::string clauses;
  std::string last = "ok";
  bool is_constant = true;
  for (const Store::Entry& entry : store.entries(fun)) {
    const std::string result = result_text(store, entry);
    is_constant = is_constant && (clauses.empty() || result == last);
    last = result;
    clauses += "(" + arguments_text(store, entry.key) + ") -> " + result + "; ";
  }
  std::string any;
  for (int i = 0; i < arity; ++i) any += i == 0 ? "_" : ", _";
  return "fun" + (is_constant ? "" : clauses) + "(" + any + ") -> " + last + " end";
}

}  // namespace

std::string input_text(Store& store, Value value) {
  value = store.under_solution(value);
  if (!has_opaque(value)) {
    TermArena arena;
    return printed(machine::to_term(value, arena));
  }
  if (value.is_unknown()) return fun_text(store, value);
  if (value.is_pid()) return "self()";
  if (value.is_reference()) return "make_ref()";
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

bool has_twice(Store& store, std::span<const Value> values) {
  std::set<uint64_t> found;
  std::vector<Value> open(values.begin(), values.end());
  while (!open.empty()) {
    spend();
    const Value v = Store::known(open.back());
    open.pop_back();
    if (v.is_immediate() || v.is_pid()) continue;
    if (v.is_reference() || v.is_unknown()) {
      if (!found.insert(v.raw()).second) return true;
    }
    if (v.is_unknown()) {
      for (const Store::Entry& call : store.entries(v)) {
        open.push_back(call.key);
        open.push_back(call.value);
      }
    } else {
      symbolic::add_parts_of(v, open);
    }
  }
  return false;
}

std::string literal_text(Value value, bool& is_literal) {
  if (has_opaque(value)) is_literal = false;
  if (!Store::first_open(value).is_none()) return "_";
  TermArena arena;
  return printed(machine::to_term(value, arena));
}

}  // namespace fathom::generate
