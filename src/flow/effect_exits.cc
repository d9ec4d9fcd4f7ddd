// With which reasons processes exit, and exceptions by their class.
#include "flow/effect_evaluator.h"
#include "flow/engine.h"

namespace fathom::flow {
namespace {

// Which of the objects that a process has beside those that its call makes.
constexpr uint32_t kError = 0xFFFFFF03, kThrown = 0xFFFFFF04;

}  // namespace

// With which the processes may exit; `noproc` if there is no such process.
Slot EffectEvaluator::reasons_of(Slot processes) {
  const auto [at, is_new] = reasons_.try_emplace(processes);
  if (!is_new) return at->second;
  const Slot result = at->second = fresh();
  for (const char* name : {"noproc", "noconnection"}) {
    engine_.solver.add(result, engine_.objects.atom(Atom::intern(name)));
  }
  const auto take = [this, result](ObjectId id) {
    if (engine_.objects[id].kind == ObjectKind::Pid) {
      engine_.solver.add_edge(engine_.objects.part(id, kExitReasons), result);
    } else if (engine_.objects[id].kind == ObjectKind::Unknown) {
      engine_.solver.add(result, id);
    }
  };
  each_process(processes, take);
  return result;
}

// An error has a stack trace, and so has what is thrown and not caught. Or it exits normally.
void EffectEvaluator::exit_by_exception(ObjectId process, Slot exceptions) {
  Objects& objects = engine_.objects;
  Solver& solver = engine_.solver;
  solver.add(objects.part(process, kExitReasons), objects.atom(Atom::intern("normal")));
  solver.add_edge(of_class(exceptions, ExceptionClass::Exit), objects.part(process, kExitReasons));
  solver.add_edge(of_class(exceptions, ExceptionClass::Error), exit_error(process));
  const Object& p = objects[process];
  const ObjectId thrown = objects.made(ObjectKind::Tuple, {p.node, p.context, kThrown}, 2);
  solver.add(objects.part(thrown, 0), objects.atom(Atom::intern("nocatch")));
  const Slot throws = of_class(exceptions, ExceptionClass::Throw);
  solver.add_edge(throws, objects.part(thrown, 1));
  engine_.on_first(throws, [this, process, thrown] { exit_with_error(process, thrown); });
}

void EffectEvaluator::exit_with_error(ObjectId process, ObjectId reason) {
  engine_.solver.add(exit_error(process), reason);
}

// Where the reason is in the {Reason, StackTrace} that the process exits with.
Slot EffectEvaluator::exit_error(ObjectId process) {
  Objects& objects = engine_.objects;
  const Object& p = objects[process];
  const ObjectId error = objects.made(ObjectKind::Tuple, {p.node, p.context, kError}, 2);
  const Slot reason = objects.part(error, 0);
  if (failing_.insert(process).second) {
    engine_.solver.add(objects.part(error, 1), objects.unknown());
    engine_.on_first(reason, [this, process, error] {
      engine_.solver.add(engine_.objects.part(process, kExitReasons), error);
    });
  }
  return reason;
}

void EffectEvaluator::raise(Slot handler, Slot exception_class, Slot reason) {
  engine_.on_each(exception_class, [this, handler, reason](ObjectId id) {
    const Object object = engine_.objects[id];
    const auto is = [&](std::string_view name) {
      return object.kind != ObjectKind::Atom || object.atom.text() == name;
    };
    if (object.constant) engine_.solver.add(handler + kRaisedClass, id);
    if (is("error")) engine_.solver.add_edge(reason, of_class(handler, ExceptionClass::Error));
    if (is("exit")) engine_.solver.add_edge(reason, of_class(handler, ExceptionClass::Exit));
    if (is("throw")) engine_.solver.add_edge(reason, of_class(handler, ExceptionClass::Throw));
  });
}

}  // namespace fathom::flow
