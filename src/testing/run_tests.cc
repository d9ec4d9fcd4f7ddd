#include "testing/run_tests.h"

#include "testing/run_suite.h"

namespace fathom::testing {

using machine::Machine;
using machine::Value;

namespace {

// EUnit, from one function of the module on.
void start(Machine& m, const TestModule& module, size_t first) {
  machine::Heap& heap = m.heap();
  std::vector<Value> functions;
  functions.reserve(module.functions.size() - first);
  for (size_t i = first; i < module.functions.size(); ++i) {
    const TestFunction& f = module.functions[i];
    functions.push_back(
        heap.tuple({Value::small(static_cast<int64_t>(i)),
                    machine::atom(f.is_generator ? "generator" : "test"), Value(f.name)}));
  }
  m.ensure_module(module.name);
  const Value arguments[] = {Value(module.name), heap.list(functions)};
  m.start(Atom::intern("fathom_eunit"), Atom::intern("run"), arguments);
}

}  // namespace

void run_tests(const TestModule& module, session::Session& session, const Filter& filter,
               const RunOptions& options, const OnResult& on_result) {
  if (module.is_suite) {
    run_suite(module, session, filter, options, on_result);
    return;
  }
  for (size_t next = 0; next < module.functions.size();) {
    if (!TestRun::may_begin()) return;
    TestRun run(module, session, options, on_result);
    run.run([&](Machine& m) { start(m, module, next); });
    if (!run.log().is_cut_short()) return;
    next = run.log().function().value_or(next) + 1;
  }
}

}  // namespace fathom::testing
