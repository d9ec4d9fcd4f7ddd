#include "syntax/abstract.h"
#include "syntax/anchors.h"
#include "syntax/bit_syntax.h"

namespace fathom {
namespace {

// A tree to a term, children first: a node is visited twice, the second time when
// the terms of its children are the last ones on the stack of values.
class AbstractWriter {
 public:
  AbstractWriter(const Unit& unit, TermArena& arena, Columns columns)
      : unit_(unit), ast_(unit.ast), arena_(arena), columns_(columns) {}

  Term write(NodeId root) {
    todo_.push_back({root, false});
    while (!todo_.empty()) {
      const Visit visit = todo_.back();
      if (!visit.children_done) {
        todo_.back().children_done = true;
        const size_t mark = todo_.size();
        push_children(visit.node);
        std::reverse(todo_.begin() + static_cast<ptrdiff_t>(mark), todo_.end());
        continue;
      }
      todo_.pop_back();
      build(visit.node);
    }
    return values_.back();
  }

 private:
  struct Visit {
    NodeId node;
    bool children_done;
  };

  // Children that the abstract format holds as plain terms are not visited.
  void push_children(NodeId id) {
    switch (ast_.kind(id)) {
      case NodeKind::Attribute:
      case NodeKind::FunName:
        return;
      case NodeKind::Segment: {
        const auto view = ast_.get<node::Segment>(id);
        push(view.value);
        if (exists(view.size)) push(view.size);
        return;
      }
      case NodeKind::Record:
        return push_list(ast_.get<node::Record>(id).fields);
      case NodeKind::RecordUpdate: {
        const auto view = ast_.get<node::RecordUpdate>(id);
        push(view.record);
        return push_list(view.fields);
      }
      case NodeKind::RecordAccess: {
        const auto view = ast_.get<node::RecordAccess>(id);
        push(view.record);
        return push(view.field);
      }
      case NodeKind::RecordIndex:
        return push(ast_.get<node::RecordIndex>(id).field);
      case NodeKind::Spec:
        return push_list(ast_.get<node::Spec>(id).signatures);
      default:
        ast_.for_each_child(id, [&](NodeId child) { push(child); });
    }
  }
  void push(NodeId id) { todo_.push_back({id, false}); }
  void push_list(ListId list) {
    for (const NodeId id : ast_.list(list)) push(id);
  }

  // --- annotations

  Term location(Loc anchor) {
    const Position at = unit_.otp_position(anchor);
    if (at.column == 0 || columns_ == Columns::Dropped) return Term(at.line);
    return arena_.tuple({Term(at.line), Term(at.column)});
  }

  // epp keeps the text of quoted atoms that a feature could reserve.
  std::string_view kept_text(Loc anchor) const {
    if (anchor.kind() == Loc::Kind::Position) return unit_.positions[anchor.index()].text.text();
    const SourceMap& sources = unit_.sources();
    const FileId file = sources.file_of(anchor);
    const std::string_view rest =
        sources.text(file).substr(anchor.index() - sources.start(file).index(), 7);
    if (!rest.starts_with('\'')) return {};
    if (rest == "'maybe'") return rest;
    if (rest.starts_with("'else'")) return rest.substr(0, 6);
    return {};
  }

  Term anno_at(Loc anchor) {
    const Term at = location(anchor);
    const std::string_view text = kept_text(anchor);
    if (text.empty()) return at;
    return arena_.list(
        {arena_.tuple({atoms::text, arena_.string(text)}), arena_.tuple({atoms::location, at})});
  }

  Term anno(const Node& n) { return anno(n.flags, n.anchor); }
  Term anno(uint8_t flags, Loc anchor) {
    if (!(flags & Node::kGenerated)) return anno_at(anchor);
    return arena_.list({arena_.tuple({atoms::generated, Term(atoms::true_)}),
                        arena_.tuple({atoms::location, location(anchor)})});
  }

  // --- values of children, left to right

  std::span<const Term> take(size_t count) {
    taken_.assign(values_.end() - static_cast<ptrdiff_t>(count), values_.end());
    values_.resize(values_.size() - count);
    return taken_;
  }
  size_t size(ListId list) const { return ast_.list(list).size(); }
  Term list_of(std::span<const Term> items) { return arena_.list(items); }
  Atom name_of(NodeId atom) const { return ast_.get<node::Atom>(atom).value; }
  Term integer_value(NodeId id) {
    const uint32_t value = ast_.get<node::Integer>(id).value;
    if (!(ast_[id].flags & Node::kPooled)) return arena_.integer(uint64_t{value});
    return *arena_.parse_integer(unit_.literals().integers[value], 10);
  }

  void build(NodeId id) {
    const Term term = assemble(id, ast_[id]);
    values_.push_back(term);
  }

  Term assemble(NodeId id, const Node& n) {
    switch (n.kind) {
      case NodeKind::Integer:
        return arena_.tuple({atoms::integer, anno(n), integer_value(id)});
      case NodeKind::Float:
        return arena_.tuple(
            {atoms::float_, anno(n),
             arena_.real(unit_.literals().floats[ast_.get<node::Float>(id).value])});
      case NodeKind::String:
        return arena_.tuple(
            {atoms::string, anno(n),
             arena_.string(unit_.literals().strings[ast_.get<node::String>(id).value])});
      case NodeKind::List:
        return cons_cells(id, n);
      case NodeKind::Segment:
        return segment(id, n);
      case NodeKind::MapUpdate:
        return renamed(atoms::map, id, n);
      case NodeKind::UnaryOp:
        return renamed(atoms::op, id, n);
      case NodeKind::Record:
      case NodeKind::RecordUpdate:
      case NodeKind::RecordAccess:
      case NodeKind::RecordIndex:
        return record(id, n);
      case NodeKind::Receive:
      case NodeKind::Maybe:
        return with_optional_end(id, n);
      case NodeKind::Fun:
      case NodeKind::FunName:
      case NodeKind::FunRemote:
        return fun(id, n);
      case NodeKind::AnyType:
      case NodeKind::AnyArguments:
      case NodeKind::RemoteType:
      case NodeKind::AnnotatedType:
      case NodeKind::BoundedFun:
      case NodeKind::Constraint:
        return type(id, n);
      case NodeKind::Attribute:
      case NodeKind::RecordDecl:
      case NodeKind::RecordFieldDecl:
      case NodeKind::TypeDecl:
      case NodeKind::Spec:
      case NodeKind::ErrorForm:
      case NodeKind::WarningForm:
      case NodeKind::Eof:
        return form(id, n);
      default:
        return renamed(Atom::intern(schema_of(n.kind).tag), id, n);
    }
  }

  // {Tag, Anno, Fields…}, the fields in the order of the schema.
  Term renamed(Atom tag, NodeId id, const Node& n) {
    const NodeSchema& schema = schema_of(n.kind);
    size_t count = 0;
    ast_.for_each_child(id, [&](NodeId) { ++count; });
    std::span<const Term> children = take(count);
    const auto next = [&](size_t many) {
      const auto part = children.subspan(0, many);
      children = children.subspan(many);
      return part;
    };
    Term items[8] = {tag, anno(n)};
    size_t used = 2;
    for (size_t i = 0; i < schema.fields.size(); ++i) {
      const uint32_t value = ast_.slot(id, i);
      Term& item = items[used++];
      switch (schema.fields[i].kind) {
        case FieldKind::One:
          item = next(1)[0];
          break;
        case FieldKind::Opt:
          if (exists(NodeId{value})) {
            item = next(1)[0];
          } else {
            --used;
          }
          break;
        case FieldKind::Many:
          item = list_of(next(size(ListId{value})));
          break;
        case FieldKind::Guard: {
          std::vector<Term> alternatives;
          for (const ListId a : ast_.guard(ListId{value}))
            alternatives.push_back(list_of(next(size(a))));
          item = list_of(alternatives);
          break;
        }
        case FieldKind::Atom:
          item = Term(Atom(value));
          break;
        case FieldKind::Num:
          item = arena_.integer(uint64_t{value});
          break;
      }
    }
    return arena_.tuple(std::span(items, used));
  }

  Term cons_cells(NodeId id, const Node& n) {
    const auto view = ast_.get<node::List>(id);
    const auto elements = ast_.list(view.elements);
    if (elements.empty()) return arena_.tuple({atoms::nil, anno(n)});
    Term rest;
    if (exists(view.tail)) {
      rest = take(1)[0];
    } else {
      rest = arena_.tuple({atoms::nil, anno(n.flags, nil_anchor(unit_, id))});
    }
    const std::span<const Term> items = take(elements.size());
    for (size_t i = elements.size(); i-- > 0;) {
      const Term at = anno(n.flags, i == 0 ? n.anchor : first_anchor(unit_, elements[i]));
      rest = arena_.tuple({atoms::cons, at, items[i], rest});
    }
    return rest;
  }

  Term segment(NodeId id, const Node& n) {
    const auto view = ast_.get<node::Segment>(id);
    const Term size_term = exists(view.size) ? take(1)[0] : Term(atoms::default_);
    const Term value = take(1)[0];
    std::vector<Term> types;
    for (const NodeId t : ast_.list(view.types)) {
      const auto type_view = ast_.get<node::SegmentType>(t);
      Term type_term = type_view.name;
      if (exists(type_view.value))
        type_term = arena_.tuple({type_term, integer_value(type_view.value)});
      types.push_back(type_term);
    }
    const Term type_list = types.empty() ? Term(atoms::default_) : list_of(types);
    return arena_.tuple({atoms::bin_element, anno(n), value, size_term, type_list});
  }

  Term record(NodeId id, const Node& n) {
    switch (n.kind) {
      case NodeKind::Record: {
        const auto view = ast_.get<node::Record>(id);
        const Term fields = list_of(take(size(view.fields)));
        return arena_.tuple({atoms::record, anno(n), name_of(view.name), fields});
      }
      case NodeKind::RecordUpdate: {
        const auto view = ast_.get<node::RecordUpdate>(id);
        const Term fields = list_of(take(size(view.fields)));
        const Term base = take(1)[0];
        return arena_.tuple({atoms::record, anno(n), base, name_of(view.name), fields});
      }
      case NodeKind::RecordAccess: {
        const auto view = ast_.get<node::RecordAccess>(id);
        const auto parts = take(2);
        return arena_.tuple({atoms::record_field, anno(n), parts[0], name_of(view.name), parts[1]});
      }
      default: {
        const auto view = ast_.get<node::RecordIndex>(id);
        return arena_.tuple({atoms::record_index, anno(n), name_of(view.name), take(1)[0]});
      }
    }
  }

  // {'receive', A, Clauses} has no more elements without `after`; the generic rule
  // leaves the timeout out, but not the empty body after it.
  Term with_optional_end(NodeId id, const Node& n) {
    const bool short_form =
        n.kind == NodeKind::Receive && !exists(ast_.get<node::Receive>(id).timeout);
    const Term full = renamed(n.kind == NodeKind::Receive ? atoms::receive_ : atoms::maybe_, id, n);
    return short_form ? arena_.tuple(full.tuple().first(3)) : full;
  }

  Term fun(NodeId id, const Node& n) {
    Term what;
    if (n.kind == NodeKind::Fun) {
      what = arena_.tuple({atoms::clauses, list_of(take(size(ast_.get<node::Fun>(id).clauses)))});
    } else if (n.kind == NodeKind::FunName) {
      const auto view = ast_.get<node::FunName>(id);
      what = arena_.tuple({atoms::function, name_of(view.name), integer_value(view.arity)});
    } else {
      const auto parts = take(3);
      what = arena_.tuple({atoms::function, parts[0], parts[1], parts[2]});
    }
    return arena_.tuple({atoms::fun_, anno(n), what});
  }

  Term type(NodeId id, const Node& n) {
    switch (n.kind) {
      case NodeKind::AnyType:
        return arena_.tuple({atoms::type, anno(n), ast_.get<node::AnyType>(id).name, atoms::any});
      case NodeKind::AnyArguments:
        return arena_.tuple({atoms::type, anno(n), atoms::any});
      case NodeKind::RemoteType: {
        const Term arguments = list_of(take(size(ast_.get<node::RemoteType>(id).arguments)));
        const auto parts = take(2);
        return arena_.tuple(
            {atoms::remote_type, anno(n), arena_.list({parts[0], parts[1], arguments})});
      }
      case NodeKind::AnnotatedType:
        return arena_.tuple({atoms::ann_type, anno(n), list_of(take(2))});
      case NodeKind::BoundedFun: {
        const Term constraints = list_of(take(size(ast_.get<node::BoundedFun>(id).constraints)));
        const Term function = take(1)[0];
        return arena_.tuple(
            {atoms::type, anno(n), atoms::bounded_fun, arena_.list({function, constraints})});
      }
      default: {  // Constraint
        const Term parts = list_of(take(2));
        const Term subtype = arena_.tuple({atoms::atom, anno(n), atoms::is_subtype});
        return arena_.tuple(
            {atoms::type, anno(n), atoms::constraint, arena_.list({subtype, parts})});
      }
    }
  }

  Term form(NodeId id, const Node& n) {
    switch (n.kind) {
      case NodeKind::Attribute: {
        const auto view = ast_.get<node::Attribute>(id);
        return arena_.tuple({atoms::attribute, anno(n), view.name, attribute_value(view)});
      }
      case NodeKind::RecordDecl: {
        const auto view = ast_.get<node::RecordDecl>(id);
        const Term fields = list_of(take(size(view.fields)));
        return arena_.tuple(
            {atoms::attribute, anno(n), atoms::record, arena_.tuple({view.name, fields})});
      }
      case NodeKind::RecordFieldDecl:
        return record_field_decl(ast_.get<node::RecordFieldDecl>(id), n);
      case NodeKind::TypeDecl: {
        const auto view = ast_.get<node::TypeDecl>(id);
        const Term definition = take(1)[0];
        const Term parameters = list_of(take(size(view.parameters)));
        return arena_.tuple({atoms::attribute, anno(n), view.attribute,
                             arena_.tuple({view.name, definition, parameters})});
      }
      case NodeKind::Spec: {
        const auto view = ast_.get<node::Spec>(id);
        const Term signatures = list_of(take(size(view.signatures)));
        const Term arity = arena_.integer(uint64_t{view.arity});
        const Term function = exists(view.module)
                                  ? arena_.tuple({name_of(view.module), view.name, arity})
                                  : arena_.tuple({view.name, arity});
        return arena_.tuple(
            {atoms::attribute, anno(n), view.attribute, arena_.tuple({function, signatures})});
      }
      case NodeKind::Eof:
        return arena_.tuple({atoms::eof, location(n.anchor)});
      default: {  // ErrorForm, WarningForm
        const FormMessage& message = unit_.form_messages[ast_.slot(id, 0)];
        const Term what =
            arena_.tuple({location(n.anchor), atoms::fathom, arena_.string(message.text)});
        return arena_.tuple({n.kind == NodeKind::ErrorForm ? atoms::error : atoms::warning, what});
      }
    }
  }

  Term record_field_decl(const node::RecordFieldDecl& view, const Node& n) {
    const Term type_term = exists(view.type) ? take(1)[0] : Term();
    const Term value = exists(view.value) ? take(1)[0] : Term();
    const Term name = take(1)[0];
    const Term field = exists(view.value)
                           ? arena_.tuple({atoms::record_field, anno(n), name, value})
                           : arena_.tuple({atoms::record_field, anno(n), name});
    return exists(view.type) ? arena_.tuple({atoms::typed_record_field, field, type_term}) : field;
  }

  // One value is the value; -import, -file and old -module have a pair.
  Term attribute_value(const node::Attribute& view) {
    std::vector<Term> values;
    for (const NodeId id : ast_.list(view.values)) {
      const bool variables = view.name == atoms::module && !values.empty();
      if (variables) {
        values.push_back(variable_names(id));
      } else if (view.name == atoms::doc && ast_.is(id, NodeKind::Map)) {
        values.push_back(documentation(id));
      } else {
        values.push_back(constant(id));
      }
    }
    return values.size() == 1 ? values[0] : arena_.tuple(values);
  }

  Term constant(NodeId id) {
    const auto value = constant_value(unit_, id, arena_, NameArity::Pair);
    return value ? *value : Term(atoms::undefined);  // the parser has checked: cannot happen
  }

  // A map of constants, but for the call that `equiv` names.
  Term documentation(NodeId map) {
    std::vector<Term> items;
    for (const NodeId id : ast_.list(ast_.get<node::Map>(map).fields)) {
      const auto pair = ast_.get<node::MapAssoc>(id);
      items.push_back(constant(pair.key));
      items.push_back(ast_.is(pair.value, NodeKind::Call)
                          ? AbstractWriter(unit_, arena_, columns_).write(pair.value)
                          : constant(pair.value));
    }
    return arena_.map(items);
  }

  Term variable_names(NodeId list) {
    std::vector<Term> names;
    for (const NodeId id : ast_.list(ast_.get<node::List>(list).elements)) {
      names.push_back(ast_.get<node::Var>(id).name);
    }
    return list_of(names);
  }

  const Unit& unit_;
  const Ast& ast_;
  TermArena& arena_;
  Columns columns_;
  std::vector<Visit> todo_;
  std::vector<Term> values_;
  std::vector<Term> taken_;
};

}  // namespace

Term to_abstract(const Unit& unit, NodeId id, TermArena& arena, Columns columns) {
  return AbstractWriter(unit, arena, columns).write(id);
}

}  // namespace fathom
