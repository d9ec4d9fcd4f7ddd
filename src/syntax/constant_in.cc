// Terms to constant expressions, on an explicit stack: a term with parts opens a
// frame, which takes the nodes of its parts from the stack of results when they
// are done.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/term_print.h"
#include "syntax/abstract.h"

namespace fathom {
namespace {

class ConstantReader {
 public:
  ConstantReader(Loc anchor, Unit& unit, Literals& literals)
      : anchor_(anchor), ast_(unit.ast), literals_(literals) {}

  Result<NodeId> read(Term term) {
    todo_.push_back({term, std::nullopt});
    while (!todo_.empty() && error_.empty()) {
      const Task task = todo_.back();
      todo_.pop_back();
      if (task.close) {
        close(*task.close);
      } else {
        const size_t mark = todo_.size();
        visit(task.term);
        std::reverse(todo_.begin() + static_cast<ptrdiff_t>(mark), todo_.end());
      }
    }
    if (!error_.empty()) return Error{error_};
    return results_.back();
  }

 private:
  struct Frame {
    NodeKind kind;
    size_t parts;
    bool tail = false;  // List: the last part is what stands after the bar
  };
  struct Task {
    Term term;
    std::optional<Frame> close;
  };

  void push(Term term) { todo_.push_back({term, std::nullopt}); }
  void push_close(Frame frame) { todo_.push_back({Term(), frame}); }

  NodeId add(NodeKind kind, std::initializer_list<uint32_t> fields, uint8_t flags = 0) {
    return ast_.add(kind, anchor_, anchor_, anchor_, fields, flags);
  }

  void visit(Term t) {
    switch (t.kind()) {
      case TermKind::Atom:
        return results_.push_back(add(NodeKind::Atom, {field(t.atom())}));
      case TermKind::Integer:
      case TermKind::BigInteger:
        return integer(t);
      case TermKind::Float:
        return real(t.to_float());
      case TermKind::Nil:
      case TermKind::List:
        return list(t);
      case TermKind::Tuple:
        for (const Term part : t.tuple()) push(part);
        return push_close({NodeKind::Tuple, t.tuple().size()});
      case TermKind::Map:
        return map(t.map());
      case TermKind::Bitstring:
        return bitstring(t.bits());
      case TermKind::ExternalFun: {
        const ExternalFun fun = t.external_fun();
        push(fun.module);
        push(fun.function);
        push(Term(fun.arity));
        return push_close({NodeKind::FunRemote, 3});
      }
      case TermKind::Opaque:
        error_ = fmt::format("an attribute holds what no source can write: {}", printed(t));
    }
  }

  void close(const Frame& frame) {
    const std::span<const NodeId> parts = std::span(results_).last(frame.parts);
    NodeId node = kNoNode;
    switch (frame.kind) {
      case NodeKind::FunRemote:
        node = add(frame.kind, {field(parts[0]), field(parts[1]), field(parts[2])});
        break;
      case NodeKind::Map: {
        std::vector<NodeId> pairs;
        for (size_t i = 0; i < parts.size(); i += 2) {
          pairs.push_back(add(NodeKind::MapAssoc, {field(parts[i]), field(parts[i + 1])}));
        }
        node = add(frame.kind, {field(ast_.add_list(pairs))});
        break;
      }
      case NodeKind::List: {
        const NodeId tail = frame.tail ? parts.back() : kNoNode;
        const ListId elements = ast_.add_list(parts.first(parts.size() - frame.tail));
        node = add(frame.kind, {field(elements), field(tail)});
        break;
      }
      default:
        node = add(frame.kind, {field(ast_.add_list(parts))});
    }
    results_.resize(results_.size() - frame.parts);
    results_.push_back(node);
  }

  // A sign is an operator, as in source.
  void signed_leaf(bool negative, NodeId leaf) {
    if (negative) leaf = add(NodeKind::UnaryOp, {field(atoms::minus), field(leaf)});
    results_.push_back(leaf);
  }

  void integer(Term t) {
    const bool negative = t.is_small() ? t.small() < 0 : t.big_is_negative();
    std::string digits;
    append_integer(digits, t);
    if (negative) digits.erase(0, 1);
    const bool inline_value = digits.size() < 10;
    const uint32_t value = inline_value ? static_cast<uint32_t>(std::stoul(digits))
                                        : literals_.add_integer(std::move(digits));
    signed_leaf(negative, add(NodeKind::Integer, {value}, inline_value ? 0 : Node::kPooled));
  }

  void real(double value) {
    signed_leaf(std::signbit(value), add(NodeKind::Float, {literals_.add_float(std::fabs(value))}));
  }

  void list(Term t) {
    if (t.is_cons()) {
      if (auto text = string_text(t)) {
        const uint32_t index = literals_.add_owned_string(std::move(*text));
        return results_.push_back(add(NodeKind::String, {index}));
      }
    }
    size_t count = 0;
    for (const Term item : t.list()) {
      push(item);
      ++count;
    }
    const Term tail = t.list().tail();
    if (!tail.is_nil()) push(tail);
    push_close({NodeKind::List, count + !tail.is_nil(), !tail.is_nil()});
  }

  void map(const MapView& map) {
    for (size_t i = 0; i < map.size(); ++i) {
      push(map.key(map.rank(i)));
      push(map.value(map.rank(i)));
    }
    push_close({NodeKind::Map, 2 * map.size()});
  }

  void bitstring(const BitsView& bits) {
    std::vector<NodeId> segments;
    const auto bytes = bits.bytes();
    for (size_t i = 0; i < bytes.size(); ++i) {
      const uint64_t left = bits.bit_count - 8 * i;
      uint32_t value = bytes[i];
      NodeId size = kNoNode;
      if (left < 8) {
        value >>= 8 - left;
        size = add(NodeKind::Integer, {static_cast<uint32_t>(left)});
      }
      const NodeId number = add(NodeKind::Integer, {value});
      segments.push_back(add(NodeKind::Segment, {field(number), field(size), field(ListId{0})}));
    }
    results_.push_back(add(NodeKind::Binary, {field(ast_.add_list(segments))}));
  }

  Loc anchor_;
  Ast& ast_;
  Literals& literals_;
  std::vector<Task> todo_;
  std::vector<NodeId> results_;
  std::string error_;
};

}  // namespace

Result<NodeId> add_constant(Term term, Loc anchor, Unit& unit, Literals& literals) {
  return ConstantReader(anchor, unit, literals).read(term);
}

}  // namespace fathom
