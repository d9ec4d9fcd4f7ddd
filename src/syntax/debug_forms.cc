#include "syntax/debug_forms.h"

#include <algorithm>

#include "base/etf.h"
#include "base/etf_tags.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

// Goes through the bytes of a term; where something else stands than is asked for, there is
// nothing.
class TermCursor {
 public:
  TermCursor(std::string_view bytes, size_t at) : bytes_(bytes), at_(at) {}

  size_t at() const { return at_; }
  // Into a tuple of that arity.
  bool enter_tuple(uint8_t arity) {
    if (!is(etf::kSmallTuple) || bytes_.size() < at_ + 2 || byte(1) != arity) return false;
    at_ += 2;
    return true;
  }
  // Into a list: how many elements it has.
  std::optional<size_t> enter_list() {
    constexpr size_t kHeader = 5;  // tag, count
    if (!is(etf::kList) || bytes_.size() < at_ + kHeader) return std::nullopt;
    size_t count = 0;
    for (size_t i = 1; i < kHeader; ++i) count = count << 8 | byte(i);
    at_ += kHeader;
    return count;
  }
  bool is_nil() const { return is(etf::kNil); }
  std::optional<Atom> atom() {
    TermArena arena;
    const std::optional<Term> found = term(arena);
    return found && found->is_atom() ? std::optional(found->atom()) : std::nullopt;
  }
  // From 0 to 255.
  std::optional<uint32_t> small_number() {
    if (!is(etf::kSmallInteger) || bytes_.size() < at_ + 2) return std::nullopt;
    at_ += 2;
    return static_cast<uint8_t>(bytes_[at_ - 1]);
  }
  std::optional<Term> term(TermArena& arena) {
    const auto found = etf::decode_at(bytes_, at_, arena, &at_);
    return found ? std::optional(*found) : std::nullopt;
  }
  bool skip() {
    const auto end = etf::end_of(bytes_, at_);
    if (end) at_ = *end;
    return bool(end);
  }

 private:
  bool is(etf::Tag tag) const { return at_ < bytes_.size() && byte(0) == tag; }
  uint8_t byte(size_t offset) const { return static_cast<uint8_t>(bytes_[at_ + offset]); }

  std::string_view bytes_;
  size_t at_;
};

// {attribute, Anno, spec, …} and the like.
bool is_type_form(TermCursor cursor) {
  static const Atom kNames[] = {Atom::intern("spec"),   Atom::intern("type"),
                                Atom::intern("opaque"), Atom::intern("nominal"),
                                Atom::intern("doc"),    Atom::intern("moduledoc")};
  if (!cursor.enter_tuple(4) || cursor.atom() != atoms::attribute || !cursor.skip()) return false;
  const std::optional<Atom> name = cursor.atom();
  return name && std::ranges::find(kNames, *name) != std::end(kNames);
}

// {function, Anno, Name, Arity, Clauses}
std::optional<FunctionForm> function_form(TermCursor cursor) {
  FunctionForm form;
  form.at = cursor.at();
  if (!cursor.enter_tuple(5) || cursor.atom() != atoms::function || !cursor.skip()) return {};
  const std::optional<Atom> name = cursor.atom();
  const std::optional<uint32_t> arity = name ? cursor.small_number() : std::nullopt;
  if (!arity) return {};
  form.name = *name;
  form.arity = *arity;
  return form;
}

// Into the forms, and how many there are.
std::optional<size_t> enter_forms(TermCursor& cursor) {
  static const Atom debug_info_v1 = Atom::intern("debug_info_v1");
  static const Atom erl_abstract_code = Atom::intern("erl_abstract_code");
  if (!cursor.enter_tuple(3) || cursor.atom() != debug_info_v1 ||
      cursor.atom() != erl_abstract_code || !cursor.enter_tuple(2)) {
    return std::nullopt;
  }
  return cursor.enter_list();
}

Result<NodeId> read_form(TermCursor& cursor, Unit& unit, Literals& literals) {
  TermArena arena;
  const std::optional<Term> form = cursor.term(arena);
  if (!form) return Error{"a form cannot be decoded"};
  auto node = from_abstract(*form, unit, literals);
  if (node) unit.ast.add_form(*node);
  return node;
}

// Reads the forms that `is_passed_over(cursor)` is false for.
template <class F>
bool read_forms(std::string_view bytes, Unit& unit, Literals& literals, F&& is_passed_over) {
  TermCursor cursor(bytes, 0);
  const std::optional<size_t> count = enter_forms(cursor);
  if (!count) return false;
  for (size_t i = 0; i < *count; ++i) {
    const bool ok =
        is_passed_over(cursor) ? cursor.skip() : bool(read_form(cursor, unit, literals));
    if (!ok) return false;
  }
  return cursor.is_nil();
}

}  // namespace

std::optional<DebugForms> DebugForms::find(const BeamFile& beam) {
  const auto chunk = beam.find("Dbgi");
  if (!chunk) return std::nullopt;
  auto bytes = etf::plain_bytes(*chunk);
  if (!bytes) return std::nullopt;
  return DebugForms(std::move(*bytes));
}

bool DebugForms::read(TypeForms types, Unit& unit, Literals& literals) const {
  return read_forms(bytes_, unit, literals, [&](const TermCursor& cursor) {
    return types == TypeForms::Skipped && is_type_form(cursor);
  });
}

bool DebugForms::read_outline(Unit& unit, Literals& literals,
                              std::vector<FunctionForm>& functions) const {
  return read_forms(bytes_, unit, literals, [&](const TermCursor& cursor) {
    if (is_type_form(cursor)) return true;
    auto function = function_form(cursor);
    if (!function) return false;
    function->nodes_before = static_cast<uint32_t>(unit.ast.size());
    functions.push_back(*function);
    return true;
  });
}

Result<NodeId> DebugForms::read_function(const FunctionForm& function, Unit& unit,
                                         Literals& literals) const {
  TermCursor cursor(bytes_, function.at);
  return read_form(cursor, unit, literals);
}

}  // namespace fathom
