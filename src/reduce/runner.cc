#include "reduce/runner.h"

#include <algorithm>

#include "machine/outcome_text.h"

namespace fathom::reduce {
namespace {

bool has_other_processes(machine::Machine& m) {
  bool is_any = false;
  m.processes().for_each([&](const machine::Process& p) { is_any = is_any || !p.is_system; });
  return is_any;
}

}  // namespace

bool is_like(const CallValues& expected, const CallValues& seen) {
  for (size_t i = 0; i < expected.values.size(); ++i) {
    const auto& a = expected.values[i];
    const auto& b = seen.values[i];
    if (expected.is_complete ? a.size() != b.size() : a.size() > b.size()) return false;
    if (!std::equal(a.begin(), a.end(), b.begin())) return false;
  }
  return true;
}

std::string without_identities(std::string_view text) {
  constexpr std::string_view kOpenings[] = {"#Fun<", "#Ref<", "#Port<", "<0."};
  constexpr std::string_view kNames[] = {"#Fun", "#Ref", "#Port", "#Pid"};
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t kind = 0;
    while (kind < std::size(kOpenings) && !text.substr(at).starts_with(kOpenings[kind])) ++kind;
    const size_t close = kind < std::size(kOpenings) ? text.find('>', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[at++];
      continue;
    }
    out += kNames[kind];
    at = close + 1;
  }
  return out;
}

CallValues Runner::run(size_t call, const Modules& modules, uint64_t reductions) const {
  const auto m =
      session_.make_machine({.reductions = reductions, .files = false}, {.is_silent = true});
  for (const auto& module : modules) m->code().load(module.unit, module.core);
  calls_[call].load_into(*m);
  CallValues result;
  result.values.resize(criteria_);
  m->on_note = [&](machine::Value note) {
    const auto number = static_cast<size_t>(note.element(0).small());
    result.values[number].push_back(without_identities(machine::value_text(note.element(1))));
  };
  const machine::Outcome outcome = m->run(calls_[call].module, calls_[call].function, {});
  result.is_complete = outcome.kind == machine::Outcome::Kind::Value && !has_other_processes(*m);
  if (outcome.kind == machine::Outcome::Kind::Limit) result.limit = outcome.message;
  result.reductions = m->statistics().reductions;
  return result;
}

}  // namespace fathom::reduce
