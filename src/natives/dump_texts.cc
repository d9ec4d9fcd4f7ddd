#include "natives/dump_texts.h"

#include <fmt/format.h>

#include "base/budget.h"
#include "base/term_print.h"
#include "machine/machine.h"
#include "machine/services.h"
#include "machine/stack_trace.h"
#include "values/convert.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

constexpr std::string_view kAddress = "0x0000000000000000";

std::string text_of(Value value) {
  TermArena arena;
  return printed(to_term(value, arena));
}

std::string function_text(Value module, Value name, Value arity) {
  std::string text;
  append_atom_in_fun(text, module.atom());
  text += ':';
  append_atom_in_fun(text, name.atom());
  const auto arguments = proper_items(arity);
  const int64_t count = arguments ? static_cast<int64_t>(arguments->size()) : arity.small();
  return fmt::format("{}/{}", text, count);
}

std::string state_of(Machine& m, const Process& p) {
  if (&p == &m.process()) return "Running";
  return p.status == Process::Status::Waiting ? "Waiting" : "Scheduled";
}

std::string names_of_links(const Process& p) {
  std::string text;
  MapPairs all(p.links);
  for (Value pid, unused; all.next(pid, unused);) {
    text += (text.empty() ? "" : ", ") + text_of(pid);
  }
  return text;
}

std::string process_text(Machine& m, const Process& p) {
  const Mfa& call = p.initial_call;
  std::string text = fmt::format("=proc:{}\nState: {}\n", text_of(p.pid), state_of(m, p));
  if (!p.name.is_none()) text += fmt::format("Name: {}\n", text_of(p.name));
  text += fmt::format(
      "Spawned as: {}\nSpawned by: {}\nMessage queue length: {}\nLink list: [{}]\nReductions: {}\n",
      function_text(Value(call.module), Value(call.name), Value::small(call.arity)),
      p.parent.is_none() ? "[]" : text_of(p.parent), p.mailbox.size(), names_of_links(p),
      p.reductions);
  if (&p != &m.process()) text += "Stack dump:\n" + backtrace_text(stack_trace(m, p));
  return text;
}

}  // namespace

std::string backtrace_text(Value trace) {
  std::string text;
  for (; trace.is_cons(); trace = trace.tail()) {
    spend();
    const Value frame = trace.head();
    const std::string where =
        function_text(frame.element(0), frame.element(1), frame.element(2)) + " + 0";
    if (text.empty()) {
      text = fmt::format("Program counter: {} ({})\n\n", kAddress, where);
    } else {
      text += fmt::format("{0} Return addr {0} ({1})\n\n", kAddress, where);
    }
  }
  return text + fmt::format("{0} Return addr {0} (<terminate process normally>)\n", kAddress);
}

std::string processes_text(Context& c) {
  std::string text;
  for (const Value pid : all_pids(c.machine)) {
    spend();
    const Process* p = c.machine.processes().find(pid);
    if (p) text += process_text(c.machine, *p);
  }
  return text;
}

std::string memory_text(Context& c) {
  size_t modules = 0;
  c.machine.code().for_each_module([&](const LoadedModule&) { ++modules; });
  return fmt::format(
      "=memory\ntotal: {0}\nprocesses: {0}\nprocesses_used: {0}\nsystem: 0\natom: 0\n"
      "atom_used: 0\nbinary: {1}\ncode: 0\nets: 0\n"
      "=index_table:atom_tab\nsize: {2}\nlimit: 1048576\nentries: {2}\n"
      "=index_table:module_code\nsize: {3}\nlimit: 65536\nentries: {3}\n",
      c.heap.used_bytes(), c.heap.buffer_bytes(), atom_count(), modules);
}

std::string loaded_text(Context& c) {
  std::string text;
  c.machine.code().for_each_module(
      [&](const LoadedModule& module) { text += fmt::format("{} 0\n", module.name.text()); });
  return text;
}

}  // namespace fathom::machine
