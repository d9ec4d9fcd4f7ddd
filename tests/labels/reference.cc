#include "reference.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::machine {

using core::Kind;
namespace node = core::node;

namespace {

using OriginKind = Origin::Kind;

Ref make(Origin origin) { return std::make_shared<const Origin>(std::move(origin)); }
Ref integer(int64_t n, Label label) {
  return make({.kind = OriginKind::Integer, .label = label, .number = n, .atom = {}});
}
Ref atom_of(Atom atom, Label label) {
  return make({.kind = OriginKind::Atom, .label = label, .atom = atom});
}
Ref atom_of(std::string_view text, Label label) { return atom_of(Atom::intern(text), label); }
Ref boolean(bool b, Label label) { return atom_of(b ? "true" : "false", label); }
Ref nil(Label label) { return make({.kind = OriginKind::Nil, .label = label, .atom = {}}); }
Ref structure(OriginKind kind, std::vector<Ref> parts, Label label) {
  return make({.kind = kind, .label = label, .atom = {}, .bytes = {}, .parts = std::move(parts)});
}
Ref cons(Ref head, Ref tail, Label label) {
  return structure(OriginKind::Cons, {std::move(head), std::move(tail)}, label);
}
Ref tuple(std::vector<Ref> parts, Label label) {
  return structure(OriginKind::Tuple, std::move(parts), label);
}
Ref binary_of(std::string bytes, Label label) {
  return make({.kind = OriginKind::Binary, .label = label, .atom = {}, .bytes = std::move(bytes)});
}

bool is(const Ref& value, OriginKind kind) { return value->kind == kind; }
bool is_list(const Ref& value) { return is(value, OriginKind::Cons) || is(value, OriginKind::Nil); }

// The value without its labels: equal values have equal texts.
std::string text_of(const Ref& value) {
  std::string text;
  switch (value->kind) {
    case OriginKind::Integer:
      return fmt::format("{}", value->number);
    case OriginKind::Atom:
      return std::string(value->atom.text());
    case OriginKind::Nil:
      return "[]";
    case OriginKind::Binary:
      return fmt::format("<<{}>>", value->bytes);
    case OriginKind::Other:
      return "other";
    case OriginKind::Fun:
      text = fmt::format("fun{}", static_cast<uint32_t>(value->code));
      break;
    default:
      text = fmt::format("{}", static_cast<int>(value->kind));
      break;
  }
  for (const Ref& part : value->parts) text += "(" + text_of(part) + ")";
  return text;
}
bool same(const Ref& a, const Ref& b) { return text_of(a) == text_of(b); }

// Of integers and atoms.
bool is_less(const Ref& a, const Ref& b) {
  if (a->kind != b->kind) return a->kind < b->kind;
  return is(a, OriginKind::Integer) ? a->number < b->number : a->atom.text() < b->atom.text();
}

// ---- Maps

using Pairs = std::vector<std::pair<Ref, Ref>>;

Pairs pairs_of(const Ref& map) {
  Pairs pairs;
  for (size_t i = 0; i < map->parts.size(); i += 2) {
    pairs.emplace_back(map->parts[i], map->parts[i + 1]);
  }
  return pairs;
}
Ref map_of(const Pairs& pairs, Label label) {
  std::vector<Ref> parts;
  for (const auto& [key, value] : pairs) parts.insert(parts.end(), {key, value});
  return structure(OriginKind::Map, std::move(parts), label);
}
// A key that is there stays.
void put(Pairs& pairs, const Ref& key, const Ref& value) {
  const auto at =
      std::ranges::find_if(pairs, [&](const auto& p) { return !is_less(p.first, key); });
  if (at != pairs.end() && same(at->first, key)) {
    at->second = value;
  } else {
    pairs.insert(at, {key, value});
  }
}
void remove(Pairs& pairs, const Ref& key) {
  std::erase_if(pairs, [&](const auto& p) { return same(p.first, key); });
}
Ref find(const Pairs& pairs, const Ref& key) {
  for (const auto& [k, value] : pairs) {
    if (same(k, key)) return value;
  }
  return nullptr;
}

Ref constant(Term term, Label label) {
  if (term.is_small()) return integer(term.small(), label);
  if (term.is_atom()) return atom_of(term.atom(), label);
  if (term.is_nil()) return nil(label);
  if (term.is_binary()) return binary_of(std::string(term.bits().text()), label);
  if (term.is_cons()) {
    std::vector<Ref> items;
    for (const Term item : term.list()) items.push_back(constant(item, label));
    Ref list = constant(term.list().tail(), label);
    for (size_t i = items.size(); i-- > 0;) list = cons(items[i], list, label);
    return list;
  }
  if (term.is_tuple()) {
    std::vector<Ref> parts;
    for (const Term part : term.tuple()) parts.push_back(constant(part, label));
    return tuple(std::move(parts), label);
  }
  Pairs pairs;
  const auto map = term.map();
  for (size_t i = 0; i < map.size(); ++i) {
    put(pairs, constant(map.key(i), label), constant(map.value(i), label));
  }
  return map_of(pairs, label);
}

std::vector<Ref> items_of(Ref list) {
  std::vector<Ref> items;
  for (; is(list, OriginKind::Cons); list = list->parts[1]) items.push_back(list->parts[0]);
  return items;
}
Ref list_of(const std::vector<Ref>& items, Ref tail, Label label) {
  for (size_t i = items.size(); i-- > 0;) tail = cons(items[i], tail, label);
  return tail;
}

}  // namespace

std::vector<Ref> Reference::values(core::ListId list, const Frame& frame) const {
  std::vector<Ref> values;
  for (const VarId v : module_.vars(list)) values.push_back(frame[static_cast<size_t>(v)]);
  return values;
}

void Reference::raise(NodeId id, std::string_view exception_class, Ref reason) {
  if (module_[id].in_guard) throw GuardFailed{};
  throw Raised{atom_of(exception_class, label(id)), std::move(reason)};
}

Ref Reference::run(Atom function) { return call(*module_.find(function, 0), {}); }

Ref Reference::call(core::FunctionId id, const std::vector<Ref>& arguments) {
  const core::Function& f = module_[id];
  Frame frame(f.variables.size());
  for (const NodeId n : module_.nodes(f.body)) {
    if (module_[n].kind == Kind::Entry) {
      const auto parameters = module_.vars(module_.get<node::Entry>(n).parameters);
      for (size_t i = 0; i < parameters.size(); ++i) {
        if (core::exists(parameters[i])) frame[static_cast<size_t>(parameters[i])] = arguments[i];
      }
    } else if (module_[n].kind == Kind::Return) {
      return frame[static_cast<size_t>(module_.get<node::Return>(n).value)];
    } else {
      node(n, frame);
    }
  }
  return nullptr;
}

Ref Reference::region(core::RegionId id, Frame& frame) {
  for (const NodeId n : module_.nodes(id)) node(n, frame);
  const VarId value = module_[id].value;
  return core::exists(value) ? frame[static_cast<size_t>(value)] : nullptr;
}

// ---- Patterns ---------------------------------------------------------------

bool Reference::match_segment(NodeId id, Frame& frame) {
  const auto at = [&](VarId v) -> Ref& { return frame[static_cast<size_t>(v)]; };
  const auto m = module_.get<node::MatchSegment>(id);
  const auto spec = core::SegmentSpec::unpack(m.spec);
  const std::string& bytes = at(m.subject)->bytes;
  const auto position = static_cast<size_t>(at(m.position)->number);
  const size_t wanted =
      spec.all ? bytes.size() - position : static_cast<size_t>(at(m.size)->number) * spec.unit / 8;
  if (position + wanted > bytes.size()) return false;
  const std::string part = bytes.substr(position, wanted);
  if (core::exists(module_[id].result)) {
    int64_t number = 0;
    for (const char c : part) number = number << 8 | static_cast<uint8_t>(c);
    at(module_[id].result) = spec.type == core::SegmentSpec::Type::Integer
                                 ? integer(number, label(id))
                                 : binary_of(part, label(id));
  }
  at(m.next) = integer(static_cast<int64_t>(position + wanted), label(id));
  return true;
}

bool Reference::matches(NodeId id, Frame& frame) {
  const auto at = [&](VarId v) -> Ref& { return frame[static_cast<size_t>(v)]; };
  const auto set = [&](VarId v, const Ref& value) {
    if (core::exists(v)) at(v) = value;
  };
  const VarId result = module_[id].result;
  switch (module_[id].kind) {
    case Kind::Bind:
      set(result, at(module_.get<node::Bind>(id).subject));
      return true;
    case Kind::MatchEqual: {
      const auto m = module_.get<node::MatchEqual>(id);
      if (!same(at(m.subject), at(m.value))) return false;
      use(at(m.subject), id);
      return true;
    }
    case Kind::MatchLiteral: {
      const auto m = module_.get<node::MatchLiteral>(id);
      if (!same(at(m.subject), constant(module_[m.value], kNoLabel))) return false;
      use(at(m.subject), id);
      return true;
    }
    case Kind::MatchTuple: {
      const auto m = module_.get<node::MatchTuple>(id);
      const auto elements = module_.vars(m.elements);
      const Ref subject = at(m.subject);
      if (!is(subject, OriginKind::Tuple) || subject->parts.size() != elements.size()) return false;
      use(subject, id);
      for (size_t i = 0; i < elements.size(); ++i) set(elements[i], subject->parts[i]);
      return true;
    }
    case Kind::MatchCons: {
      const auto m = module_.get<node::MatchCons>(id);
      const Ref subject = at(m.subject);
      if (!is(subject, OriginKind::Cons)) return false;
      use(subject, id);
      set(m.head, subject->parts[0]);
      set(m.tail, subject->parts[1]);
      return true;
    }
    case Kind::MatchMap: {
      const Ref subject = at(module_.get<node::MatchMap>(id).subject);
      if (!is(subject, OriginKind::Map)) return false;
      use(subject, id);
      return true;
    }
    case Kind::MatchKey: {
      const auto m = module_.get<node::MatchKey>(id);
      const Ref value = find(pairs_of(at(m.subject)), at(m.key));
      if (value) set(result, value);
      return value != nullptr;
    }
    case Kind::MatchBits: {
      const Ref subject = at(module_.get<node::MatchBits>(id).subject);
      if (!is(subject, OriginKind::Binary)) return false;
      use(subject, id);
      set(result, integer(0, label(id)));
      return true;
    }
    case Kind::MatchSegment:
      return match_segment(id, frame);
    case Kind::MatchEnd: {
      const auto m = module_.get<node::MatchEnd>(id);
      return at(m.position)->number == static_cast<int64_t>(at(m.subject)->bytes.size());
    }
    case Kind::Test: {
      const Ref value = at(module_.get<node::Test>(id).value);
      return is(value, OriginKind::Atom) && value->atom.text() == "true";
    }
    default:  // keys, sizes, what a guard computes
      node(id, frame);
      return true;
  }
}

bool Reference::guard_holds(core::RegionId id, Frame& frame) {
  try {
    return std::ranges::all_of(module_.nodes(id), [&](NodeId n) { return matches(n, frame); });
  } catch (const GuardFailed&) {
    return false;
  }
}

bool Reference::clause_matches(NodeId id, Frame& frame) {
  const auto c = module_.get<node::Clause>(id);
  if (!guard_holds(c.patterns, frame)) return false;
  const auto guards = module_.regions(c.guards);
  return guards.empty() ||
         std::ranges::any_of(guards, [&](core::RegionId g) { return guard_holds(g, frame); });
}

// ---- Control ----------------------------------------------------------------

Ref Reference::case_value(NodeId id, Frame& frame) {
  const auto c = module_.get<node::Case>(id);
  for (const NodeId clause : module_.nodes(c.clauses)) {
    if (clause_matches(clause, frame)) {
      return region(module_.get<node::Clause>(clause).body, frame);
    }
  }
  return region(c.otherwise, frame);
}

Ref Reference::receive_value(NodeId id, Frame& frame) {
  const auto r = module_.get<node::Receive>(id);
  for (size_t i = 0; i < mailbox_.size(); ++i) {
    frame[static_cast<size_t>(r.message)] = mailbox_[i];
    for (const NodeId clause : module_.nodes(r.clauses)) {
      if (!clause_matches(clause, frame)) continue;
      mailbox_.erase(mailbox_.begin() + static_cast<std::ptrdiff_t>(i));
      return region(module_.get<node::Clause>(clause).body, frame);
    }
  }
  return region(r.after, frame);
}

Ref Reference::try_value(NodeId id, Frame& frame) {
  const auto t = module_.get<node::Try>(id);
  const auto set = [&](VarId v, const Ref& value) {
    if (core::exists(v)) frame[static_cast<size_t>(v)] = value;
  };
  try {
    set(t.value, region(t.body, frame));
  } catch (const Raised& raised) {
    set(t.exception_class, raised.exception_class);
    set(t.reason, raised.reason);
    set(t.trace, make({.atom = {}}));
    return region(t.handler, frame);
  }
  return region(t.success, frame);
}

Ref Reference::apply(NodeId id, const Ref& fun, std::vector<Ref> arguments) {
  use(fun, id);
  arguments.insert(arguments.end(), fun->parts.begin(), fun->parts.end());
  return call(fun->code, arguments);
}

// ---- Nodes ------------------------------------------------------------------

Ref Reference::binary(NodeId id, const Frame& frame) {
  std::string bytes;
  for (const NodeId n : module_.nodes(module_.get<node::Binary>(id).segments)) {
    const auto s = module_.get<node::Segment>(n);
    const auto spec = core::SegmentSpec::unpack(s.spec);
    const Ref value = frame[static_cast<size_t>(s.value)];
    if (spec.type == core::SegmentSpec::Type::Bits) {
      bytes += value->bytes;
      continue;
    }
    const auto bits = static_cast<uint64_t>(frame[static_cast<size_t>(s.size)]->number) * spec.unit;
    for (uint64_t left = bits; left > 0; left -= 8) {
      bytes += static_cast<char>(value->number >> (left - 8));
    }
  }
  return binary_of(std::move(bytes), label(id));
}

Ref Reference::updated(NodeId id, const Frame& frame) {
  const bool has_map = module_[id].kind != Kind::Map;
  Pairs pairs;
  if (has_map) pairs = pairs_of(frame[module_.slot(id, 0)]);
  const auto added = values(core::ListId{module_.slot(id, has_map ? 1 : 0)}, frame);
  for (size_t i = 0; i < added.size(); i += 2) {
    if (!has_map) remove(pairs, added[i]);  // of equal keys the later one counts
    put(pairs, added[i], added[i + 1]);
  }
  return map_of(pairs, label(id));
}

Ref Reference::call_value(NodeId id, const Frame& frame) {
  if (module_[id].kind == Kind::Call) {
    const auto c = module_.get<node::Call>(id);
    return call(c.function, values(c.arguments, frame));
  }
  if (module_[id].kind == Kind::Apply) {
    const auto c = module_.get<node::Apply>(id);
    return apply(id, frame[static_cast<size_t>(c.function)], values(c.arguments, frame));
  }
  const auto c = module_.get<node::CallRemote>(id);
  return native(id, fmt::format("{}:{}", c.module.text(), c.name.text()),
                values(c.arguments, frame));
}

void Reference::node(NodeId id, Frame& frame) {
  const auto at = [&](VarId v) -> const Ref& { return frame[static_cast<size_t>(v)]; };
  const VarId result = module_[id].result;
  Ref value;
  switch (module_[id].kind) {
    case Kind::Literal:
      value = constant(module_[module_.get<node::Literal>(id).value], label(id));
      break;
    case Kind::Copy:
      value = at(module_.get<node::Copy>(id).value);
      break;
    case Kind::Tuple:
      value = tuple(values(module_.get<node::Tuple>(id).elements, frame), label(id));
      break;
    case Kind::Cons: {
      const auto c = module_.get<node::Cons>(id);
      value = cons(at(c.head), at(c.tail), label(id));
      break;
    }
    case Kind::Map:
    case Kind::MapPut:
    case Kind::MapReplace:
      value = updated(id, frame);
      break;
    case Kind::Binary:
      value = binary(id, frame);
      break;
    case Kind::Fun: {
      const auto f = module_.get<node::Fun>(id);
      value = make({.kind = OriginKind::Fun,
                    .label = label(id),
                    .atom = {},
                    .bytes = {},
                    .parts = values(f.captures, frame),
                    .code = f.code});
      break;
    }
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::Apply:
      value = call_value(id, frame);
      break;
    case Kind::Case:
      value = case_value(id, frame);
      break;
    case Kind::Receive:
      value = receive_value(id, frame);
      break;
    case Kind::Try:
      value = try_value(id, frame);
      break;
    case Kind::Raise: {
      const auto r = module_.get<node::Raise>(id);
      throw Raised{at(r.exception_class), at(r.reason)};
    }
    case Kind::NoMatch: {
      const auto m = module_.get<node::NoMatch>(id);
      const Ref error = atom_of(m.error, label(id));
      const auto culprits = values(m.values, frame);
      const bool is_plain = culprits.empty() || m.error.text() == "function_clause";
      raise(id, "error", is_plain ? error : tuple({error, culprits[0]}, label(id)));
    }
    case Kind::Entry:
    case Kind::Return:
    case Kind::Clause:
    case Kind::Segment:
      break;
    default:
      if (!matches(id, frame)) throw std::runtime_error("a pattern outside of a clause");
      return;
  }
  if (core::exists(result) && value) frame[static_cast<size_t>(result)] = value;
}

// ---- Native functions -------------------------------------------------------

Ref Reference::list_native(std::string_view name, const std::vector<Ref>& a, Label label) {
  if (name == "erlang:hd") return a[0]->parts[0];
  if (name == "erlang:tl") return a[0]->parts[1];
  if (name == "erlang:length") return integer(static_cast<int64_t>(items_of(a[0]).size()), label);
  if (name == "erlang:++") {
    if (is(a[0], OriginKind::Nil)) return a[1];
    if (is(a[1], OriginKind::Nil)) return a[0];
    return list_of(items_of(a[0]), a[1], label);
  }
  if (name == "lists:reverse") {
    std::vector<Ref> items = items_of(a[0]);
    std::ranges::reverse(items);
    return list_of(items, a[1], label);
  }
  if (name == "lists:keyfind") {
    for (const Ref& item : items_of(a[2])) {
      if (same(item->parts[static_cast<size_t>(a[1]->number) - 1], a[0])) return item;
    }
    return boolean(false, label);
  }
  if (name == "erlang:element") return a[1]->parts[static_cast<size_t>(a[0]->number) - 1];
  if (name == "erlang:setelement") {
    std::vector<Ref> parts = a[1]->parts;
    parts[static_cast<size_t>(a[0]->number) - 1] = a[2];
    return tuple(std::move(parts), label);
  }
  if (name == "erlang:append_element") {
    std::vector<Ref> parts = a[0]->parts;
    parts.push_back(a[1]);
    return tuple(std::move(parts), label);
  }
  if (name == "erlang:tuple_to_list") return list_of(a[0]->parts, nil(label), label);
  if (name == "erlang:list_to_tuple") return tuple(items_of(a[0]), label);
  return nullptr;
}

Ref Reference::map_native(std::string_view name, const std::vector<Ref>& a, Label label) {
  if (name == "maps:get") return find(pairs_of(a[1]), a[0]);
  if (name == "maps:find") {
    const Ref found = find(pairs_of(a[1]), a[0]);
    return found ? tuple({atom_of("ok", label), found}, label) : atom_of("error", label);
  }
  if (name == "maps:put") {
    Pairs pairs = pairs_of(a[2]);
    put(pairs, a[0], a[1]);
    return map_of(pairs, label);
  }
  if (name == "maps:remove") {
    Pairs pairs = pairs_of(a[1]);
    if (!find(pairs, a[0])) return a[1];
    remove(pairs, a[0]);
    return map_of(pairs, label);
  }
  if (name == "maps:merge") {
    if (a[0] == a[1]) return a[0];
    // The keys of the second one count.
    Pairs pairs = pairs_of(a[0]);
    for (const auto& [key, value] : pairs_of(a[1])) {
      remove(pairs, key);
      put(pairs, key, value);
    }
    return map_of(pairs, label);
  }
  if (name == "maps:from_list") {
    Pairs pairs;
    for (const Ref& item : items_of(a[0])) {
      remove(pairs, item->parts[0]);
      put(pairs, item->parts[0], item->parts[1]);
    }
    return map_of(pairs, label);
  }
  if (name == "maps:keys" || name == "maps:values") {
    std::vector<Ref> items;
    for (const auto& [key, value] : pairs_of(a[0])) {
      items.push_back(name == "maps:keys" ? key : value);
    }
    return list_of(items, nil(label), label);
  }
  return nullptr;
}

Ref Reference::process_native(std::string_view name, const std::vector<Ref>& a, Label label) {
  if (name == "erlang:self") return make({.label = label, .atom = {}});
  if (name == "erlang:!") {
    mailbox_.push_back(a[1]);
    return a[1];
  }
  if (name == "erlang:spawn") {
    call(a[0]->code, a[0]->parts);
    return make({.label = label, .atom = {}});
  }
  if (name == "erlang:put" || name == "erlang:get" || name == "erlang:erase") {
    const Ref found = find(dictionary_, a[0]);
    if (name == "erlang:put") put(dictionary_, a[0], a[1]);
    if (name == "erlang:erase") remove(dictionary_, a[0]);
    return found ? found : atom_of("undefined", label);
  }
  if (name == "ets:new") {
    table_.clear();
    return make({.label = label, .atom = {}});
  }
  if (name == "ets:insert") {
    table_[text_of(a[1]->parts[0])] = a[1];
    return boolean(true, label);
  }
  if (name == "ets:lookup") {
    const auto found = table_.find(text_of(a[1]));
    return found == table_.end() ? nil(label) : cons(found->second, nil(label), label);
  }
  return nullptr;
}

Ref Reference::native(NodeId id, std::string_view name, const std::vector<Ref>& a) {
  const Label own = label(id);
  if (name == "erlang:throw" || name == "erlang:error" || name == "erlang:exit") {
    raise(id, name.substr(7), a[0]);
  }
  if (name == "erlang:+") {
    if (!is(a[0], OriginKind::Integer) || !is(a[1], OriginKind::Integer)) {
      raise(id, "error", atom_of("badarith", own));
    }
    return integer(a[0]->number + a[1]->number, own);
  }
  if (name == "lists:duplicate") return nil(own);  // whose value is not needed
  if (name == "erlang:<") return boolean(is_less(a[0], a[1]), own);
  if (name == "erlang:=:=") return boolean(same(a[0], a[1]), own);
  if (name == "erlang:is_atom") return boolean(is(a[0], OriginKind::Atom), own);
  if (name == "erlang:is_integer") return boolean(is(a[0], OriginKind::Integer), own);
  if (name == "erlang:is_tuple") return boolean(is(a[0], OriginKind::Tuple), own);
  if (name == "erlang:is_list") return boolean(is_list(a[0]), own);
  if (name == "erlang:is_map") return boolean(is(a[0], OriginKind::Map), own);
  for (const auto family :
       {&Reference::list_native, &Reference::map_native, &Reference::process_native}) {
    if (const Ref value = (this->*family)(name, a, own)) return value;
  }
  throw std::runtime_error(fmt::format("{} is not in the reference", name));
}

std::string shown_with_labels(const core::Module& module, const Ref& value) {
  std::string text;
  switch (value->kind) {
    case OriginKind::Integer:
    case OriginKind::Atom:
    case OriginKind::Nil:
      text = text_of(value);
      break;
    case OriginKind::Binary:
      text = "<<";
      for (const char c : value->bytes) text += fmt::format(" {}", static_cast<uint8_t>(c));
      break;
    case OriginKind::Other:
      text = "other";
      break;
    default:
      text = fmt::format("{}", static_cast<int>(value->kind));
      for (const Ref& part : value->parts) text += "(" + shown_with_labels(module, part) + ")";
      break;
  }
  const Label first = node_label(module, core::NodeId{0});
  const bool is_own = value->label >= first && value->label - first < module.size();
  return is_own ? fmt::format("{}@{}", text, value->label - first) : text;
}

}  // namespace fathom::machine
