// Both directions are a loop over a stack of what is left to do: a term or value
// to be converted and the place where the result belongs. Maps are finished when
// their keys and values are, which is an entry of its own, below theirs.
#include "values/convert.h"

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/etf.h"
#include "base/term_print.h"
#include "values/arithmetic.h"
#include "values/bits.h"
#include "values/identifiers.h"
#include "values/maps.h"

namespace fathom::machine {

// ---- Terms to values --------------------------------------------------------

namespace {

class ToValue {
 public:
  ToValue(Heap& heap, const ExportLookup& exports, const FunLookup& funs, int depth = 0)
      : heap_(heap), exports_(exports), funs_(funs), depth_(depth) {}

  Value run(Term term) {
    Value result;
    put(term, &result);
    while (!left_.empty()) {
      spend();
      Task task = std::move(left_.back());
      left_.pop_back();
      if (task.pairs) {
        *task.to = map_from_pairs(heap_, {task.pairs.get(), task.count});
      } else {
        enter(task.term, task.to);
      }
    }
    return result;
  }

 private:
  struct Task {
    Term term;
    Value* to;
    std::unique_ptr<Value[]> pairs;  // of a map to be finished
    size_t count = 0;
  };

  // At once what has no parts, the rest later.
  void put(Term term, Value* to) {
    switch (term.kind()) {
      case TermKind::Nil:
        *to = Value::nil();
        return;
      case TermKind::Integer:
        *to = Value::small(term.small());
        return;
      case TermKind::Atom:
        *to = Value(term.atom());
        return;
      case TermKind::BigInteger:
        *to = heap_.integer(term.big_is_negative(), term.big_limbs());
        return;
      case TermKind::Float:
        *to = heap_.real(term.to_float());
        return;
      case TermKind::Bitstring:
        *to = heap_.bitstring(term.bits().data, 0, term.bits().bit_count);
        return;
      case TermKind::ExternalFun: {
        const ExternalFun fun = term.external_fun();
        *to = heap_.external_fun(exports_(fun.module, fun.function, fun.arity));
        return;
      }
      case TermKind::Opaque:
        *to = from_opaque(term.opaque());
        return;
      case TermKind::List:
      case TermKind::Tuple:
      case TermKind::Map:
        left_.push_back({term, to, nullptr, 0});
        return;
    }
  }

  static bool is_pid(Term term) {
    return term.kind() == TermKind::Opaque && term.opaque().kind == OpaqueKind::Pid;
  }

  Value from_opaque(const OpaqueView& opaque) {
    if (opaque.kind == OpaqueKind::LocalFun) {
      const Value fun = local_fun(opaque.external);
      return fun.is_none() ? heap_.foreign(opaque.kind, opaque.external) : fun;
    }
    const Identifier identifier = parse_identifier(opaque.kind, opaque.external);
    const std::optional<uint64_t> local = local_number(identifier);
    if (!local) return heap_.foreign(opaque.kind, opaque.external);
    switch (opaque.kind) {
      case OpaqueKind::Pid:
        return Value::pid(*local);
      case OpaqueKind::Port:
        return Value::port(*local);
      case OpaqueKind::Reference:
      case OpaqueKind::LocalFun:
        break;
    }
    return heap_.reference(*local);
  }

  // The fun that was written as these bytes, or none(): its code is not there. What it has captured
  // is converted for itself, up to so many funs in funs.
  Value local_fun(std::string_view external) {
    constexpr int kMaxFuns = 1000;             // as many as are written (external.cc)
    constexpr size_t kIndex = 1 + 4 + 1 + 16;  // behind tag, size, arity and digest
    constexpr size_t kNames = kIndex + 4 + 4;
    if (!funs_ || depth_ >= kMaxFuns || external.size() < kNames) return Value::none();
    TermArena arena;
    size_t at = kNames;
    const auto next = [&]() -> std::optional<Term> {
      const Result<Term> term = etf::decode_at(external, at, arena, &at);
      return term ? std::optional(*term) : std::nullopt;
    };
    const auto number_at = [&](size_t place) {
      uint32_t number = 0;
      for (size_t i = 0; i < 4; ++i)
        number = number << 8 | static_cast<uint8_t>(external[place + i]);
      return number;
    };
    const std::optional<Term> module = next();
    const std::optional<Term> old_index = next();
    const std::optional<Term> number = next();
    const std::optional<Term> creator = next();
    if (!module || !old_index || !number || !creator) return Value::none();
    if (!module->is_atom() || !number->is_small() || !is_pid(*creator)) return Value::none();
    const LocalFunction* code =
        funs_(module->atom(), number_at(kIndex), static_cast<uint32_t>(number->small()));
    if (!code || code->captures != number_at(kIndex + 4)) return Value::none();
    std::vector<Value> captures;
    for (uint32_t i = 0; i < code->captures; ++i) {
      const std::optional<Term> captured = next();
      if (!captured) return Value::none();
      captures.push_back(ToValue(heap_, exports_, funs_, depth_ + 1).run(*captured));
    }
    return heap_.fun(code, from_opaque(creator->opaque()), captures);
  }

  void enter(Term term, Value* to) {
    if (term.is_cons()) return enter_list(term.chunk(), to);
    if (term.is_tuple()) return enter_tuple(term.tuple(), to);
    const MapView map = term.map();
    Task finish{{}, to, std::make_unique<Value[]>(2 * map.size() + 1), 2 * map.size()};
    Value* pairs = finish.pairs.get();
    left_.push_back(std::move(finish));
    for (size_t i = 0; i < map.size(); ++i) {
      put(map.key(i), pairs + 2 * i);
      put(map.value(i), pairs + 2 * i + 1);
    }
  }

  void enter_tuple(std::span<const Term> items, Value* to) {
    uint64_t* words = heap_.allocate(1 + items.size());
    words[0] = Header(BoxKind::Tuple, items.size()).word();
    *to = Value::box(words);
    for (size_t i = 0; i < items.size(); ++i) {
      put(items[i], reinterpret_cast<Value*>(words + 1 + i));
    }
  }

  void enter_list(const ListChunk& chunk, Value* to) {
    const size_t count = chunk.items.size();
    uint64_t* words = heap_.allocate(2 * count);
    *to = Value::cons_at(words);
    for (size_t i = 0; i < count; ++i) {
      put(chunk.items[i], reinterpret_cast<Value*>(words + 2 * i));
      if (i + 1 < count) words[2 * i + 1] = Value::cons_at(words + 2 * i + 2).raw();
    }
    put(chunk.rest, reinterpret_cast<Value*>(words + 2 * count - 1));
  }

  Heap& heap_;
  const ExportLookup& exports_;
  const FunLookup& funs_;
  int depth_;  // of funs
  std::vector<Task> left_;
};

}  // namespace

Value to_value(Term term, Heap& heap, const ExportLookup& exports, const FunLookup& funs) {
  return ToValue(heap, exports, funs).run(term);
}

// ---- Values to terms --------------------------------------------------------

namespace {

class ToTerm {
 public:
  ToTerm(TermArena& arena, const PidNames& pid_names) : arena_(arena), pid_names_(pid_names) {}

  Term run(Value value) {
    Term result;
    put(value, &result);
    while (!left_.empty()) {
      spend();
      const Task task = left_.back();
      left_.pop_back();
      if (task.to == nullptr) {
        arena_.finish_map(task.map);
      } else {
        enter(task.value, task.to);
      }
    }
    return result;
  }

 private:
  struct Task {
    Value value;
    Term* to;  // null: the map is to be finished
    Term map;
  };

  void put(Value value, Term* to) {
    if (value.is_small()) {
      *to = arena_.integer(value.small());
    } else if (value.is_atom()) {
      *to = value.atom();
    } else if (value.is_nil()) {
      *to = Term();
    } else if (value.is_cons() || value.is_tuple() || value.is_map() || value.is_fun()) {
      left_.push_back({value, to, {}});
    } else {
      *to = leaf(value);
    }
  }

  Term leaf(Value value) {
    if (value.is_float()) return arena_.real(value.real());
    if (value.is_big()) return arena_.integer(IntegerView(value));
    if (value.is_bitstring()) return bits(bits_of(value));
    if (value.is_pid() || value.is_port() || value.is_reference()) {
      const Identifier identifier = identifier_of(value);
      return arena_.opaque(identifier.kind, text_of(value, identifier),
                           external_form(value, identifier));
    }
    return Term();  // a mark of ours
  }

  std::string text_of(Value value, const Identifier& identifier) const {
    std::string name;
    if (pid_names_ && value.is_local_pid()) name = pid_names_(value.local_number());
    return name.empty() ? print_identifier(identifier) : name;
  }

  static std::string external_form(Value value, const Identifier& identifier) {
    std::string external;
    if (value.is_box(BoxKind::Foreign)) {
      external.assign(reinterpret_cast<const char*>(value.words() + 2), value.words()[1]);
    } else {
      append_external(external, identifier);
    }
    return external;
  }

  Term bits(BitsView view) {
    if (view.is_aligned()) return arena_.bitstring(view.data(), view.size);
    std::string bytes((view.size + 7) / 8, '\0');
    copy_bits(view, reinterpret_cast<uint8_t*>(bytes.data()), 0);
    return arena_.bitstring(bytes.data(), view.size);
  }

  void enter(Value value, Term* to) {
    if (value.is_cons()) return enter_list(value, to);
    if (value.is_tuple()) {
      const TermDraft draft = arena_.draft_tuple(value.arity());
      *to = draft.term;
      for (size_t i = 0; i < draft.slots.size(); ++i) put(value.element(i), &draft.slots[i]);
      return;
    }
    if (value.is_fun()) {
      *to = fun(value);
      return;
    }
    const TermDraft draft = arena_.draft_map(map_size(value));
    *to = draft.term;
    left_.push_back({{}, nullptr, draft.term});
    MapPairs pairs(value);
    size_t i = 0;
    for (Value key, item; pairs.next(key, item); i += 2) {
      put(key, &draft.slots[i]);
      put(item, &draft.slots[i + 1]);
    }
  }

  void enter_list(Value list, Term* to) {
    size_t count = 0;
    for (Value rest = list; rest.is_cons(); rest = rest.tail()) ++count;
    const TermDraft draft = arena_.draft_list(count);
    *to = draft.term;
    for (size_t i = 0; i < count; ++i, list = list.tail()) put(list.head(), &draft.slots[i]);
    put(list, &draft.slots[count]);
  }

  // The code of a fun stays in the machine: its term has a name, and no bytes.
  Term fun(Value value) {
    if (value.is_box(BoxKind::ExternalFun)) {
      const Mfa& target = *value.external();
      return arena_.external_fun(target.module, target.name, static_cast<uint8_t>(target.arity));
    }
    std::string text = "#Fun<";
    if (value.is_box(BoxKind::Fun)) {
      const LocalFunction& code = *value.fun_code();
      append_atom_in_fun(text, code.module);
      text += fmt::format(".{}.{}>", code.index, fun_number(code));
      return arena_.opaque(OpaqueKind::LocalFun, text, {});
    }
    const std::string_view external(reinterpret_cast<const char*>(value.words() + 2),
                                    value.words()[1]);
    return arena_.opaque(OpaqueKind::LocalFun, text + "foreign>", external);
  }

  TermArena& arena_;
  const PidNames& pid_names_;
  std::vector<Task> left_;
};

}  // namespace

uint32_t fun_number(const LocalFunction& code) {
  uint32_t number = 0;
  for (const char c : code.name.text()) number = number * 31 + static_cast<uint8_t>(c);
  return number & 0x7FFFFFF;
}

Term to_term(Value value, TermArena& arena, const PidNames& pid_names) {
  return ToTerm(arena, pid_names).run(value);
}

}  // namespace fathom::machine
