#include "existing_tests.h"

#include <optional>

#include "testing/run_tests.h"

namespace fathom {

generate::Exercised run_existing_tests(session::Session& session, const std::string& except) {
  const testing::FoundTests found = testing::find_tests(session, {});
  generate::Exercised result;
  generate::ClauseRecorder clauses;
  testing::RunOptions by_clauses;
  by_clauses.mode.is_silent = true;
  by_clauses.mode.code.unknowns = true;
  by_clauses.on_machine = [&](machine::Machine& m) { m.unknowns = &clauses; };
  testing::RunOptions by_flows;
  by_flows.mode.is_silent = true;
  by_flows.mode.code.labels = true;
  by_flows.on_machine_end = [&](machine::Machine& m) {
    m.uses().for_each([&](const machine::LabelUse& use) { result.flows.push_back(use); });
  };
  for (const testing::TestModule& module : found.modules) {
    if (module.name.text() == except) continue;
    testing::run_tests(module, session, {}, by_clauses, [&](testing::TestResult&& test) {
      ++result.tests;
      if (test.status != testing::Status::Passed) ++result.failed;
    });
    testing::run_tests(module, session, {}, by_flows, [](testing::TestResult&&) {});
  }
  result.clauses = std::move(clauses.clauses);
  return result;
}

namespace {

// m:f(…) as the author wrote it, and not what a macro is made of.
std::optional<EarlierCall> call_at(const Unit& unit, NodeId id) {
  const Ast& ast = unit.ast;
  if (!ast.is(id, NodeKind::Call) || unit.expansion_of(id)) return std::nullopt;
  const auto call = ast.get<node::Call>(id);
  if (!ast.is(call.function, NodeKind::Remote)) return std::nullopt;
  const auto name = ast.get<node::Remote>(call.function);
  if (!ast.is(name.module, NodeKind::Atom) || !ast.is(name.name, NodeKind::Atom)) {
    return std::nullopt;
  }
  EarlierCall result{
      ast.get<node::Atom>(name.module).value, ast.get<node::Atom>(name.name).value, {}};
  for (const NodeId argument : ast.list(call.arguments)) {
    result.arguments.emplace_back(unit.sources().slice(unit.token_span(argument)));
  }
  return result;
}

}  // namespace

Result<std::vector<EarlierCall>> earlier_calls(session::Session& session, const std::string& path,
                                               std::string text) {
  Diagnostics diagnostics;
  const auto found = session.library().from_text(path, std::move(text), diagnostics);
  if (!found || diagnostics.has_errors()) {
    return Error{path + " has errors, so that its tests cannot be kept; mend it or move it away"};
  }
  std::vector<EarlierCall> result;
  const Unit& unit = *found->unit;
  for (uint32_t i = 0; i < unit.ast.size(); ++i) {
    if (auto call = call_at(unit, NodeId{i})) result.push_back(std::move(*call));
  }
  return result;
}

}  // namespace fathom
