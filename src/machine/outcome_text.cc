#include "machine/outcome_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/term_print.h"
#include "machine/interpreter.h"
#include "machine/stack_trace.h"
#include "syntax/print.h"
#include "values/convert.h"

namespace fathom::machine {
namespace {

// Cut where a reader would lose patience.
std::string cut(const std::string& text) {
  constexpr size_t kMost = 120;
  if (text.size() <= kMost) return text;
  size_t end = kMost;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // inside a character
  return text.substr(0, end) + "…";
}

std::string mailbox_text(const Mailbox& mailbox) {
  constexpr size_t kMost = 5;
  if (mailbox.size() == 0) return "its mailbox is empty";
  std::string text = mailbox.size() == 1
                         ? "1 message that it does not take: "
                         : fmt::format("{} messages that it does not take: ", mailbox.size());
  for (size_t i = 0; i < std::min(mailbox.size(), kMost); ++i) {
    if (i > 0) text += ", ";
    text += cut(value_text(mailbox[i]));
  }
  return mailbox.size() > kMost ? text + ", …" : text;
}

// The pattern of a clause, as in the source but on one line.
std::string clause_text(const Unit& unit, NodeId clause) {
  const auto parts = unit.ast.get<fathom::node::Clause>(clause);
  std::string text;
  for (const NodeId pattern : unit.ast.list(parts.patterns)) text += print_expr(unit, pattern);
  std::string line;
  for (const char c : text) {
    const char plain = c == '\n' ? ' ' : c;
    if (plain != ' ' || !line.ends_with(' ')) line += plain;
  }
  return cut(line);
}

std::string frames_text(Value trace) {
  std::string text;
  for (; trace.is_cons(); trace = trace.tail())
    text += "\n  in " + stack_frame(trace.head()).text();
  return text;
}

}  // namespace

std::optional<core::NodeId> waiting_node(Machine& m, const Process& p) {
  const Function* f = m.code().function_at(p.pc);
  if (!f || Instruction(*p.pc).op() != Op::ReceivePeek) return std::nullopt;
  return fail_word(p.pc[1]).node;
}

std::string awaited_text(Machine& m, const Process& p) {
  constexpr size_t kMost = 4;
  const auto node = waiting_node(m, p);
  if (!node) return "";
  const LoadedModule& module = *m.code().function_at(p.pc)->owner;
  const Unit& unit = *module.unit;
  const NodeId origin = (*module.core)[*node].origin;
  if (!fathom::exists(origin) || unit.ast.kind(origin) != NodeKind::Receive) return "";
  const auto clauses = unit.ast.list(unit.ast.get<fathom::node::Receive>(origin).clauses);
  std::string text;
  for (size_t i = 0; i < std::min(clauses.size(), kMost); ++i) {
    if (i > 0) text += " or ";
    text += clause_text(unit, clauses[i]);
  }
  return clauses.size() > kMost ? text + " or …" : text;
}

std::string value_text(Value value) { return named_value_text(value, {}); }

std::string named_value_text(Value value, const PidNames& pid_names) {
  TermArena arena;
  return printed(to_term(value, arena, pid_names));
}

std::string pretty_text(Machine& m, Value value) {
  constexpr size_t kLine = 80;
  constexpr size_t kMost = 100'000;  // io_lib takes its time
  std::string text = value_text(value);
  if (text.size() <= kLine || text.size() > kMost) return text;
  const Value format[] = {m.heap().string("~tp"), m.heap().list({&value, 1})};
  const Outcome chars = m.run(Atom::intern("io_lib"), Atom::intern("format"), format);
  if (chars.kind != Outcome::Kind::Value) return text;
  const Outcome bytes =
      m.run(Atom::intern("unicode"), Atom::intern("characters_to_binary"), {&chars.value, 1});
  if (bytes.kind != Outcome::Kind::Value || !bytes.value.is_binary()) return text;
  const BitsView bits = bits_of(bytes.value);
  return {reinterpret_cast<const char*>(bits.data()), bits.size / 8};
}

StackFrame stack_frame(Value frame, const PidNames& pid_names) {
  StackFrame result;
  if (!frame.is_tuple(4)) {
    result.function = named_value_text(frame, pid_names);
    return result;
  }
  result.module = value_text(frame.element(0));
  result.function = value_text(frame.element(1));
  const Value arguments = frame.element(2);
  if (arguments.is_small()) {
    result.function += fmt::format("/{}", arguments.small());
  } else {
    std::string list;
    for (Value rest = arguments; rest.is_cons(); rest = rest.tail()) {
      if (!list.empty()) list += ", ";
      list += named_value_text(rest.head(), pid_names);
    }
    result.function += fmt::format("({})", list);
  }
  for (Value rest = frame.element(3); rest.is_cons(); rest = rest.tail()) {
    const Value item = rest.head();
    if (!item.is_tuple(2)) continue;
    if (item.element(0).is_atom(atoms::file)) {
      TermArena arena;
      result.file = string_text(to_term(item.element(1), arena)).value_or("");
    } else if (item.element(1).is_small()) {
      result.line = item.element(1).small();
    }
  }
  return result;
}

std::string StackFrame::text() const {
  std::string text = module.empty() ? function : fmt::format("{}:{}", module, function);
  if (!file.empty()) text += fmt::format("  ({}:{})", file, line);
  return text;
}

std::string waiting_text(Machine& m, const Process& p) {
  const Value trace = stack_trace(m, p);
  const std::string name = p.name.is_none() ? "" : fmt::format(" ({})", value_text(p.name));
  const std::string place = trace.is_cons() ? " in " + stack_frame(trace.head()).text() : "";
  const std::string awaited = awaited_text(m, p);
  return fmt::format("{}{} waits{}{}: {}", value_text(p.pid), name,
                     awaited.empty() ? "" : " for " + awaited, place, mailbox_text(p.mailbox));
}

std::string deadlock_text(Machine& m) {
  std::string text(kDeadlock);
  m.processes().for_each([&](const Process& p) {
    if (!p.is_system) text += "\n  " + waiting_text(m, p);
  });
  return text;
}

std::string outcome_text(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::Exception:
      return fmt::format("{}: {}{}", value_text(outcome.exception_class), value_text(outcome.value),
                         frames_text(outcome.trace));
    case Outcome::Kind::Unsupported:
      return outcome.message + (outcome.trace.is_cons() ? frames_text(outcome.trace.tail()) : "");
    case Outcome::Kind::Limit:
    case Outcome::Kind::Deadlock:
      return outcome.message;
    case Outcome::Kind::Value:
    case Outcome::Kind::Halt:
      break;
  }
  return "";
}

}  // namespace fathom::machine
