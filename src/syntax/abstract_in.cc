// Abstract format to tree, on an explicit stack. A term is visited once: that
// opens a frame which says what node it will be and how many children each of
// its fields has, and puts the children on the stack; when they are done, the
// frame is closed and takes their nodes from the stack of results.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/term_print.h"
#include "syntax/abstract.h"
#include "syntax/abstract_kinds.h"
#include "syntax/anchors.h"

namespace fathom {
namespace {

constexpr size_t kMaxFields = 6;

class AbstractReader {
 public:
  AbstractReader(Unit& unit, Literals& literals)
      : unit_(unit), ast_(unit.ast), literals_(literals) {}

  Result<NodeId> read(Term form) {
    push(form, Mode::Node);
    while (!tasks_.empty() && error_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      if (task.mode == Mode::Close) {
        close();
        continue;
      }
      const size_t mark = tasks_.size();
      visit(task);
      std::reverse(tasks_.begin() + static_cast<ptrdiff_t>(mark), tasks_.end());
    }
    if (!error_.empty()) return Error{error_};
    return results_.back();
  }

 private:
  enum class Mode : uint8_t {
    Node,       // a tuple of the abstract format
    Field,      // a field in a record declaration
    Constant,   // any term, to be written as an expression
    Names,      // a list of {Name, Arity}, to be written Name/Arity
    Variables,  // a list of names of variables
    Close,      // the children of the topmost frame are done
  };
  struct Task {
    Term term;
    Mode mode;
    Loc anchor;  // for constants, which have no place of their own
  };
  struct FrameField {
    FieldKind kind = FieldKind::Num;
    uint32_t value = 0;  // Atom, Num; One, Opt, Many: the number of children
  };
  struct Frame {
    NodeKind kind{};
    uint8_t flags = 0;
    Loc anchor;
    Loc end;
    uint32_t field_count = 0;
    size_t results = 0;       // size of results_ when the frame was opened
    size_t alternatives = 0;  // Clause: so many of its guard, the last of guard_sizes_
    size_t cells = 0;         // List: so many cons cells, the last of cells_
    FrameField fields[kMaxFields];
  };

  // --- errors and small checks

  void fail(std::string_view what, Term term) {
    if (!error_.empty()) return;
    std::string text = printed(term);
    if (text.size() > 120) text = text.substr(0, 117) + "...";
    error_ = fmt::format("{}: {}", what, text);
  }

  void push(Term term, Mode mode, Loc anchor = {}) { tasks_.push_back({term, mode, anchor}); }

  bool proper_list(Term term, std::string_view what) {
    if (term.is_list() && term.list().is_proper()) return true;
    fail(what, term);
    return false;
  }

  // --- frames

  // Opens a frame; the task that closes it runs after those of its children,
  // which the caller pushes next. (visit() turns the pushed tasks around.)
  Frame& open(NodeKind kind, Loc anchor, uint8_t flags = 0) {
    Frame& frame = frames_.emplace_back();
    frame.kind = kind;
    frame.flags = flags;
    frame.anchor = frame.end = anchor;
    frame.results = results_.size();
    return frame;
  }
  void done() { push({}, Mode::Close); }

  static void add_field(Frame& frame, FieldKind kind, uint32_t value) {
    FrameField& field = frame.fields[frame.field_count++];
    field.kind = kind;
    field.value = value;
  }
  void one(Frame& frame, Term term, Mode mode = Mode::Node, Loc anchor = {}) {
    add_field(frame, FieldKind::One, 1);
    push(term, mode, anchor);
  }
  void none(Frame& frame) { add_field(frame, FieldKind::Opt, 0); }
  void many(Frame& frame, Term list, Mode mode = Mode::Node, Loc anchor = {}) {
    if (!proper_list(list, "expected a list")) return;
    uint32_t count = 0;
    for (const Term item : list.list()) {
      push(item, mode, anchor);
      ++count;
    }
    add_field(frame, FieldKind::Many, count);
  }
  void guard(Frame& frame, Term list) {
    if (!proper_list(list, "expected a guard")) return;
    add_field(frame, FieldKind::Guard, 0);
    for (const Term alternative : list.list()) {
      if (!proper_list(alternative, "expected a guard")) return;
      uint32_t count = 0;
      for (const Term test : alternative.list()) {
        push(test, Mode::Node);
        ++count;
      }
      guard_sizes_.push_back(count);
      ++frame.alternatives;
    }
  }
  void atom(Frame& frame, Term term) {
    if (!term.is_atom()) return fail("expected an atom", term);
    add_field(frame, FieldKind::Atom, term.atom().id());
  }
  void number(Frame& frame, Term term) {
    if (!term.is_small() || term.small() < 0 || term.small() > 0xFFFF)
      return fail("expected a small number", term);
    add_field(frame, FieldKind::Num, static_cast<uint32_t>(term.small()));
  }

  void close() {
    Frame& frame = frames_.back();
    if (frame.cells > 0) {
      close_list(frame);
    } else {
      uint32_t slots[kMaxFields];
      size_t at = frame.results;
      for (size_t i = 0; i < frame.field_count; ++i)
        slots[i] = field_value(frame, frame.fields[i], &at);
      results_.resize(frame.results);
      results_.push_back(add(frame, std::span(slots, frame.field_count)));
      guard_sizes_.resize(guard_sizes_.size() - frame.alternatives);
    }
    frames_.pop_back();
  }

  uint32_t field_value(const Frame& frame, const FrameField& f, size_t* at) {
    switch (f.kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        return f.value == 0 ? field(kNoNode) : field(results_[(*at)++]);
      case FieldKind::Many: {
        const ListId list = ast_.add_list(std::span(results_).subspan(*at, f.value));
        *at += f.value;
        return field(list);
      }
      case FieldKind::Guard: {
        std::vector<ListId> alternatives;
        for (const uint32_t size : std::span(guard_sizes_).last(frame.alternatives)) {
          alternatives.push_back(ast_.add_list(std::span(results_).subspan(*at, size)));
          *at += size;
        }
        return field(ast_.add_guard(alternatives));
      }
      default:
        return f.value;
    }
  }

  NodeId add(const Frame& frame, std::span<const uint32_t> slots) {
    return ast_.add_fields(frame.kind, frame.anchor, frame.end, frame.anchor, slots, frame.flags);
  }

  // One node for all cons cells whose places are those that source gives them: a cell's
  // place is the first one of its element. Others start a new node, as in list() do those
  // that alone are generated.
  void close_list(const Frame& frame) {
    const size_t count = frame.cells;
    const std::span<const Loc> cells = std::span(cells_).last(count);
    const std::span<const NodeId> parts = std::span(results_).subspan(frame.results);
    NodeId tail = parts.size() > count ? parts[count] : kNoNode;
    size_t end = count;
    for (size_t i = count; i-- > 0;) {
      if (i > 0 && same_place(cells[i], first_anchor(unit_, parts[i]))) continue;
      const uint32_t slots[] = {field(ast_.add_list(parts.subspan(i, end - i))), field(tail)};
      const Loc at = cells[i];
      const Loc last = end == count ? frame.end : at;
      tail = ast_.add_fields(NodeKind::List, at, last, at, slots, frame.flags);
      end = i;
    }
    cells_.resize(cells_.size() - count);
    results_.resize(frame.results);
    results_.push_back(tail);
  }

  bool same_place(Loc a, Loc b) const {
    return a == b || unit_.positions[a.index()] == unit_.positions[b.index()];
  }

  NodeId leaf(NodeKind kind, Loc anchor, uint32_t value, uint8_t flags = 0) {
    const NodeId id = ast_.add(kind, anchor, anchor, anchor, {value}, flags);
    results_.push_back(id);
    return id;
  }

  // --- places

  struct Anno {
    Loc anchor;
    uint8_t flags = 0;
  };

  std::optional<Position> location(Term term) {
    if (term.is_small()) {
      const int64_t line = std::abs(term.small());
      if (line > UINT32_MAX) return std::nullopt;
      return Position{static_cast<uint32_t>(line), 0, {}};
    }
    if (!term.is_tuple(2) || !term[0].is_small() || !term[1].is_small()) return std::nullopt;
    const auto line = term[0].small();
    const auto column = term[1].small();
    if (line < 0 || line > UINT32_MAX || column < 0 || column > UINT32_MAX) return std::nullopt;
    return Position{static_cast<uint32_t>(line), static_cast<uint32_t>(column), {}};
  }

  Anno anno(Term term) {
    Anno result;
    Term place = term;
    Atom text;
    if (term.is_small() && term.small() < 0) result.flags |= Node::kGenerated;
    if (term.is_list()) {
      place = Term(0);
      for (const Term item : term.list()) {
        if (item.is_tagged(atoms::location, 2)) place = item[1];
        if (item.is_tagged(atoms::generated, 2)) result.flags |= Node::kGenerated;
        if (item.is_tagged(atoms::text, 2)) text = Atom::intern(string_text(item[1]).value_or(""));
      }
    }
    auto position = location(place);
    if (!position) {
      fail("expected an annotation", term);
      return result;
    }
    position->text = text;
    if (!unit_.positions.empty() && unit_.positions.back() == *position) {
      result.anchor = Loc::position(static_cast<uint32_t>(unit_.positions.size() - 1));
    } else {
      result.anchor = unit_.add_position(*position);
    }
    return result;
  }

  // --- visits

  void visit(const Task& task) {
    switch (task.mode) {
      case Mode::Node:
        return node(task.term);
      case Mode::Field:
        return record_field_decl(task.term);
      case Mode::Constant:
        return constant(task.term, task.anchor);
      case Mode::Names:
        return names(task.term, task.anchor);
      case Mode::Variables:
        return variables(task.term, task.anchor);
      case Mode::Close:
        return;
    }
  }

  void node(Term t) {
    if (!t.is_tuple() || t.tuple().size() < 2 || !t[0].is_atom()) return fail("expected a node", t);
    const size_t size = t.tuple().size();
    switch (t[0].atom().id()) {
      case atoms::eof.id():
        return leaf_without_fields(NodeKind::Eof, t[1]);
      case atoms::error.id():
      case atoms::warning.id():
        return message(t);
      case atoms::attribute.id():
        return size == 4 ? attribute(t) : fail("expected an attribute", t);
      case atoms::nil.id():
      case atoms::cons.id():
        return list(t);
      case atoms::bin_element.id():
        return size == 5 ? segment(t) : fail("expected a segment", t);
      case atoms::fun_.id():
        return size == 3 ? fun(t) : fail("expected a fun", t);
      case atoms::record.id():
      case atoms::record_field.id():
      case atoms::record_index.id():
        return record(t);
      case atoms::type.id():
      case atoms::remote_type.id():
      case atoms::ann_type.id():
        return type(t);
      case atoms::integer.id():
      case atoms::float_.id():
      case atoms::string.id():
      case atoms::char_.id():
        return size == 3 ? literal(t) : fail("expected a literal", t);
      case atoms::atom.id():
        return size == 3 ? name(NodeKind::Atom, t) : fail("wrong number of elements", t);
      case atoms::var.id():
        return size == 3 ? name(NodeKind::Var, t) : fail("wrong number of elements", t);
      case atoms::receive_.id():
        return receive(t);
      case atoms::maybe_.id():
        return maybe(t);
      default:
        return by_schema(t, kind_of(t[0].atom(), size));
    }
  }

  // The kinds whose tuple is {Tag, Anno, Fields…} with the fields of the schema.
  std::optional<NodeKind> kind_of(Atom tag, size_t size) {
    if (tag == atoms::op) return size == 4 ? NodeKind::UnaryOp : NodeKind::BinaryOp;
    if (tag == atoms::map) return size == 3 ? NodeKind::Map : NodeKind::MapUpdate;
    return plain_kind(tag);
  }

  // {atom, Anno, Name} and {var, Anno, Name}: half of all nodes.
  void name(NodeKind kind, Term t) {
    const Anno at = anno(t[1]);
    if (!t[2].is_atom()) return fail("expected an atom", t[2]);
    leaf(kind, at.anchor, t[2].atom().id(), at.flags);
  }

  void by_schema(Term t, std::optional<NodeKind> kind) {
    if (!kind) return fail("unknown node", t);
    const auto& fields = schema_of(*kind).fields;
    if (t.tuple().size() != fields.size() + 2) return fail("wrong number of elements", t);
    const Anno at = anno(t[1]);
    Frame& frame = open(*kind, at.anchor, at.flags);
    for (size_t i = 0; i < fields.size(); ++i) schema_field(frame, fields[i].kind, t[i + 2]);
    done();
  }

  void schema_field(Frame& frame, FieldKind kind, Term term) {
    switch (kind) {
      case FieldKind::One:
      case FieldKind::Opt:
        return one(frame, term);
      case FieldKind::Many:
        return many(frame, term);
      case FieldKind::Guard:
        return guard(frame, term);
      case FieldKind::Atom:
        return atom(frame, term);
      case FieldKind::Num:
        return number(frame, term);
    }
  }

  void leaf_without_fields(NodeKind kind, Term place) {
    const Anno at = anno(place);
    results_.push_back(ast_.add(kind, at.anchor, at.anchor, at.anchor, {}));
  }

  void message(Term t) {
    unit_.form_messages.push_back({{}, printed(t[1])});
    const Loc at = unit_.add_position({});
    leaf(t[0].is_atom(atoms::error) ? NodeKind::ErrorForm : NodeKind::WarningForm, at,
         static_cast<uint32_t>(unit_.form_messages.size() - 1));
  }

  void literal(Term t) {
    const Anno at = anno(t[1]);
    if (!error_.empty()) return;
    switch (t[0].atom().id()) {
      case atoms::integer.id():
        if (!t[2].is_integer()) return fail("expected an integer", t);
        return integer(t[2], at.anchor, at.flags);
      case atoms::char_.id():
        if (!is_character(t[2])) return fail("expected a character", t);
        leaf(NodeKind::Char, at.anchor, static_cast<uint32_t>(t[2].small()), at.flags);
        return;
      case atoms::float_.id():
        if (!t[2].is_float()) return fail("expected a float", t);
        leaf(NodeKind::Float, at.anchor, literals_.add_float(t[2].to_float()), at.flags);
        return;
      default: {
        auto text = string_text(t[2]);
        if (!text) return fail("expected a string", t);
        leaf(NodeKind::String, at.anchor, literals_.add_owned_string(std::move(*text)), at.flags);
      }
    }
  }

  static bool is_character(Term t) {
    return t.is_small() && t.small() >= 0 && t.small() <= 0x10FFFF;
  }

  void integer(Term value, Loc anchor, uint8_t flags) {
    if (value.is_small() && value.small() >= 0 && value.small() <= 0x7FFFFFFF) {
      leaf(NodeKind::Integer, anchor, static_cast<uint32_t>(value.small()), flags);
      return;
    }
    std::string digits;
    append_integer(digits, value);
    leaf(NodeKind::Integer, anchor, literals_.add_integer(std::move(digits)),
         flags | Node::kPooled);
  }

  void list(Term t) {
    if (t[0].is_atom(atoms::nil)) {
      if (t.tuple().size() != 2) return fail("expected []", t);
      const auto [at, flags] = anno(t[1]);
      return results_.push_back(
          ast_.add(NodeKind::List, at, at, at, {field(ast_.add_list({})), field(kNoNode)}, flags));
    }
    Frame& frame = open(NodeKind::List, {});
    Anno at;
    for (; t.is_tagged(atoms::cons, 4); t = t[3]) {
      at = anno(t[1]);
      if (frame.cells == 0) {
        frame.flags = at.flags;
        frame.anchor = frame.end = at.anchor;
      }
      if (at.flags != frame.flags) break;
      cells_.push_back(at.anchor);
      ++frame.cells;
      push(t[2], Mode::Node);
    }
    if (frame.cells == 0) return fail("expected a list", t);
    const bool is_end = t.is_tagged(atoms::nil, 2) && (at = anno(t[1])).flags == frame.flags;
    is_end ? void(frame.end = at.anchor) : push(t, Mode::Node);
    done();
  }

  void segment(Term t) {
    const Anno at = anno(t[1]);
    Frame& frame = open(NodeKind::Segment, at.anchor, at.flags);
    one(frame, t[2]);
    t[3].is_atom(atoms::default_) ? none(frame) : one(frame, t[3]);
    std::vector<NodeId> types;
    if (!t[4].is_atom(atoms::default_)) {
      if (!proper_list(t[4], "expected the types of a segment")) return;
      for (const Term type_term : t[4].list()) types.push_back(segment_type(type_term, at.anchor));
    }
    add_field(frame, FieldKind::Num, field(ast_.add_list(types)));  // made already
    done();
  }

  NodeId segment_type(Term t, Loc anchor) {
    const bool pair = t.is_tuple(2) && t[0].is_atom() && t[1].is_small() && t[1].small() >= 0 &&
                      t[1].small() <= 0x7FFFFFFF;
    if (!pair && !t.is_atom()) {
      fail("expected the type of a segment", t);
      return kNoNode;
    }
    NodeId value = kNoNode;
    if (pair) {
      value = ast_.add(NodeKind::Integer, anchor, anchor, anchor,
                       {static_cast<uint32_t>(t[1].small())});
    }
    const Atom name = pair ? t[0].atom() : t.atom();
    return ast_.add(NodeKind::SegmentType, anchor, anchor, anchor, {field(name), field(value)});
  }

  void fun(Term t) {
    const Anno at = anno(t[1]);
    const Term what = t[2];
    if (what.is_tagged(atoms::clauses, 2)) {
      many(open(NodeKind::Fun, at.anchor, at.flags), what[1]);
    } else if (what.is_tagged(atoms::function, 3)) {
      if (!what[1].is_atom() || !what[2].is_integer()) return fail("expected name and arity", t);
      Frame& frame = open(NodeKind::FunName, at.anchor, at.flags);
      one(frame, what[1], Mode::Constant, at.anchor);
      one(frame, what[2], Mode::Constant, at.anchor);
    } else if (what.is_tagged(atoms::function, 4)) {
      Frame& frame = open(NodeKind::FunRemote, at.anchor, at.flags);
      // Before R15 the parts were bare atoms and numbers.
      for (size_t i = 1; i < 4; ++i) {
        one(frame, what[i], what[i].is_tuple() ? Mode::Node : Mode::Constant, at.anchor);
      }
    } else {
      return fail("expected a fun", t);
    }
    done();
  }

  void bare_name(Frame& frame, Term name, Loc anchor) {
    if (!name.is_atom()) return fail("expected the name of a record", name);
    one(frame, name, Mode::Constant, anchor);
  }

  void record(Term t) {
    const size_t size = t.tuple().size();
    const Anno at = anno(t[1]);
    if (t[0].is_atom(atoms::record) && size == 4) {
      Frame& frame = open(NodeKind::Record, at.anchor, at.flags);
      bare_name(frame, t[2], at.anchor);
      many(frame, t[3]);
    } else if (t[0].is_atom(atoms::record) && size == 5) {
      Frame& frame = open(NodeKind::RecordUpdate, at.anchor, at.flags);
      one(frame, t[2]);
      bare_name(frame, t[3], at.anchor);
      many(frame, t[4]);
    } else if (t[0].is_atom(atoms::record_field) && size == 4) {
      Frame& frame = open(NodeKind::RecordField, at.anchor, at.flags);
      one(frame, t[2]);
      one(frame, t[3]);
    } else if (t[0].is_atom(atoms::record_field) && size == 5) {
      Frame& frame = open(NodeKind::RecordAccess, at.anchor, at.flags);
      one(frame, t[2]);
      bare_name(frame, t[3], at.anchor);
      one(frame, t[4]);
    } else if (t[0].is_atom(atoms::record_index) && size == 4) {
      Frame& frame = open(NodeKind::RecordIndex, at.anchor, at.flags);
      bare_name(frame, t[2], at.anchor);
      one(frame, t[3]);
    } else {
      return fail("expected a record expression", t);
    }
    done();
  }

  // {'receive', A, Clauses} or {'receive', A, Clauses, Timeout, Body}
  void receive(Term t) {
    const bool timeout = t.tuple().size() == 5;
    if (!timeout && t.tuple().size() != 3) return fail("expected a receive", t);
    const Anno at = anno(t[1]);
    Frame& frame = open(NodeKind::Receive, at.anchor, at.flags);
    many(frame, t[2]);
    timeout ? one(frame, t[3]) : none(frame);
    many(frame, timeout ? t[4] : Term());
    done();
  }

  void maybe(Term t) {
    const bool otherwise = t.tuple().size() == 4;
    if (!otherwise && t.tuple().size() != 3) return fail("expected a maybe", t);
    const Anno at = anno(t[1]);
    Frame& frame = open(NodeKind::Maybe, at.anchor, at.flags);
    many(frame, t[2]);
    otherwise ? one(frame, t[3]) : none(frame);
    done();
  }

  // --- types

  void type(Term t) {
    const size_t size = t.tuple().size();
    if (size < 3) return fail("expected a type", t);
    const Anno at = anno(t[1]);
    if (t[0].is_atom(atoms::ann_type) && size == 3) {
      return type_pair(NodeKind::AnnotatedType, at, t[2]);
    }
    if (t[0].is_atom(atoms::remote_type) && size == 3) {
      if (!t[2].is_list() || t[2].list().size() != 3) return fail("expected a remote type", t);
      auto part = t[2].list().begin();
      Frame& frame = open(NodeKind::RemoteType, at.anchor, at.flags);
      one(frame, *part++);
      one(frame, *part++);
      many(frame, *part);
      return done();
    }
    if (size == 3 && t[2].is_atom(atoms::any))
      return leaf_without_fields(NodeKind::AnyArguments, t[1]);
    if (size != 4 || !t[2].is_atom()) return fail("expected a type", t);
    if (t[3].is_atom(atoms::any)) {
      leaf(NodeKind::AnyType, at.anchor, t[2].atom().id(), at.flags);
      return;
    }
    if (t[2].is_atom(atoms::bounded_fun)) return bounded_fun(t, at);
    if (t[2].is_atom(atoms::constraint)) {
      if (!t[3].is_list() || t[3].list().size() != 2) return fail("expected a constraint", t);
      return type_pair(NodeKind::Constraint, at, *++t[3].list().begin());
    }
    Frame& frame = open(NodeKind::Type, at.anchor, at.flags);
    atom(frame, t[2]);
    many(frame, t[3]);
    done();
  }

  // A node of the two elements of a list.
  void type_pair(NodeKind kind, const Anno& at, Term pair) {
    if (!pair.is_list() || pair.list().size() != 2 || !pair.list().is_proper()) {
      return fail("expected a variable and a type", pair);
    }
    Frame& frame = open(kind, at.anchor, at.flags);
    auto part = pair.list().begin();
    one(frame, *part++);
    one(frame, *part);
    done();
  }

  void bounded_fun(Term t, const Anno& at) {
    if (!t[3].is_list() || t[3].list().size() != 2) return fail("expected a function type", t);
    auto part = t[3].list().begin();
    Frame& frame = open(NodeKind::BoundedFun, at.anchor, at.flags);
    one(frame, *part++);
    many(frame, *part);
    done();
  }

  // --- attributes

  void attribute(Term t) {
    const Anno at = anno(t[1]);
    if (!t[2].is_atom()) return fail("expected an attribute", t);
    const Atom name = t[2].atom();
    const Term value = t[3];
    const bool pair = value.is_tuple(2);
    switch (name.id()) {
      case atoms::record.id():
        if (pair && value[0].is_atom()) return record_decl(at, value);
        break;
      case atoms::type.id():
      case atoms::opaque.id():
      case atoms::nominal.id():
        if (value.is_tuple(3) && value[0].is_atom() && value[1].is_tuple()) {
          return type_decl(at, name, value);
        }
        return plain_attribute(at, name, value);  // -opaque(a). is one to the parser
      case atoms::spec.id():
      case atoms::callback.id():
        if (pair && value[0].is_tuple()) return spec(at, name, value);
        break;
      default:
        return plain_attribute(at, name, value);
    }
    fail("unknown attribute", t);
  }

  void plain_attribute(const Anno& at, Atom name, Term value) {
    Frame& frame = open(NodeKind::Attribute, at.anchor, at.flags);
    atom(frame, name);
    const bool pair = value.is_tuple(2) &&
                      (name == atoms::import || name == atoms::file || name == atoms::module);
    const Mode last = name == atoms::export_ || name == atoms::import ||
                              name == atoms::export_type || name == atoms::optional_callbacks
                          ? Mode::Names
                          : Mode::Constant;
    if (pair) push(value[0], Mode::Constant, at.anchor);
    if (pair && name == atoms::module) {
      push(value[1], Mode::Variables, at.anchor);
    } else {
      push(pair ? value[1] : value, last, at.anchor);
    }
    if (name == atoms::module) {
      const Term module = pair ? value[0] : value;
      if (!module.is_atom()) return fail("expected the name of a module", value);
      unit_.module = module.atom();
    }
    add_field(frame, FieldKind::Many, pair ? 2 : 1);
    done();
  }

  // The parameters of -module(name, [A, B]).
  void variables(Term t, Loc anchor) {
    if (!proper_list(t, "expected variables")) return;
    std::vector<NodeId> names;
    for (const Term name : t.list()) {
      if (!name.is_atom()) return fail("expected a variable", name);
      names.push_back(ast_.add(NodeKind::Var, anchor, anchor, anchor, {field(name.atom())}));
    }
    results_.push_back(ast_.add(NodeKind::List, anchor, anchor, anchor,
                                {field(ast_.add_list(names)), field(kNoNode)}));
  }

  void record_decl(const Anno& at, Term value) {
    Frame& frame = open(NodeKind::RecordDecl, at.anchor, at.flags);
    atom(frame, value[0]);
    many(frame, value[1], Mode::Field);
    done();
  }

  void record_field_decl(Term t) {
    Term type_term;
    const bool typed = t.is_tagged(atoms::typed_record_field, 3);
    if (typed) {
      type_term = t[2];
      t = t[1];
    }
    const bool plain = t.is_tagged(atoms::record_field, 3);
    if (!plain && !t.is_tagged(atoms::record_field, 4)) return fail("expected a record field", t);
    const Anno at = anno(t[1]);
    Frame& frame = open(NodeKind::RecordFieldDecl, at.anchor, at.flags);
    one(frame, t[2]);
    plain ? none(frame) : one(frame, t[3]);
    typed ? one(frame, type_term) : none(frame);
    done();
  }

  void type_decl(const Anno& at, Atom name, Term value) {
    Frame& frame = open(NodeKind::TypeDecl, at.anchor, at.flags);
    atom(frame, name);
    atom(frame, value[0]);
    many(frame, value[2]);
    one(frame, value[1]);
    done();
  }

  void spec(const Anno& at, Atom name, Term value) {
    const Term function = value[0];
    const size_t size = function.tuple().size();
    if (size != 2 && size != 3) return fail("expected a spec", value);
    Frame& frame = open(NodeKind::Spec, at.anchor, at.flags);
    atom(frame, name);
    if (size == 3) {
      bare_name(frame, function[0], at.anchor);
    } else {
      none(frame);
    }
    atom(frame, function[size - 2]);
    number(frame, function[size - 1]);
    many(frame, value[1]);
    done();
  }

  // --- constants

  // [{Name, Arity}] as [Name/Arity], if it is that.
  void names(Term t, Loc anchor) {
    std::vector<NodeId> items;
    for (const Term item : t.is_list() ? t.list() : ListView(Term())) {
      if (!item.is_tuple(2) || !item[0].is_atom() || !item[1].is_small() || item[1].small() < 0) {
        return constant(t, anchor);
      }
      constant(item[0], anchor);
      constant(item[1], anchor);
      const NodeId arity = take_result();
      const NodeId name = take_result();
      items.push_back(ast_.add(NodeKind::BinaryOp, anchor, anchor, anchor,
                               {field(atoms::slash), field(name), field(arity)}));
    }
    if (!t.is_list() || !t.list().is_proper()) return constant(t, anchor);
    results_.push_back(ast_.add(NodeKind::List, anchor, anchor, anchor,
                                {field(ast_.add_list(items)), field(kNoNode)}));
  }

  NodeId take_result() {
    const NodeId id = results_.back();
    results_.pop_back();
    return id;
  }

  void constant(Term t, Loc anchor) {
    auto node = add_constant(t, anchor, unit_, literals_);
    if (!node) {
      error_ = node.error().message;
      return;
    }
    results_.push_back(*node);
  }

  Unit& unit_;
  Ast& ast_;
  Literals& literals_;
  std::vector<Task> tasks_;
  std::vector<Frame> frames_;
  std::vector<uint32_t> guard_sizes_;  // the tests of each alternative
  std::vector<Loc> cells_;
  std::vector<NodeId> results_;
  std::string error_;
};

}  // namespace

Result<NodeId> from_abstract(Term form, Unit& unit, Literals& literals) {
  return AbstractReader(unit, literals).read(form);
}

}  // namespace fathom
