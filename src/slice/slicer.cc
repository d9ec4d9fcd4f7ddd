#include "slice/slicer.h"

#include <algorithm>

#include "base/budget.h"
#include "core/constant_parts.h"
#include "core/walk.h"
#include "slice/syntax_groups.h"

namespace fathom::slice {

using core::Kind;
using core::NodeId;
using core::RegionId;
using core::VarId;

namespace {

enum PointFlag : uint8_t {
  kKept = 1,
  kOutcome = 2,
  kReached = 4,
  kQueued = 8,
  kExpanded = 16,
  kIgnored = 32
};
enum ProcedureFlag : uint8_t { kAscends = 1, kRaised = 2, kIsLooping = 4 };

}  // namespace

Slicer::Slicer(const Model& model, Precision precision)
    : model_(model), precision_(precision), trees_(precision == Precision::Fields) {
  uint32_t vars = 0;
  uint32_t points = 0;
  for (uint32_t i = 0; i < model.size(); ++i) {
    const Procedure& p = model[ProcedureId{i}];
    first_var_.push_back(vars);
    first_point_.push_back(points);
    vars += static_cast<uint32_t>(p.definitions.size());
    points += static_cast<uint32_t>(p.control->size());
  }
  needs_.assign(vars, kNothing);
  var_causes_.resize(vars);
  flags_.assign(points, 0);
  point_causes_.resize(points);
  procedure_flags_.assign(model.size(), 0);
}

bool Slicer::is_kept(ProcedureId p, NodeId node) const {
  const PointId id = model_[p].control->point(node);
  return exists(id) && (flags_[point(p, id)] & kKept) != 0;
}

bool Slicer::has_outcome(ProcedureId p, NodeId node) const {
  const PointId id = model_[p].control->point(node);
  return exists(id) && (flags_[point(p, id)] & kOutcome) != 0;
}

void Slicer::run() {
  while (!todo_.empty()) {
    spend(1);
    ++steps_;
    const Item item = todo_.back();
    todo_.pop_back();
    const PointId id = model_[item.procedure].control->point(item.node);
    flags_[point(item.procedure, id)] &= static_cast<uint8_t>(~kQueued);
    cause_ = Fact::of(item.procedure, item.node);
    expand(item.procedure, item.node);
    evaluate(item.procedure, item.node);
  }
}

void Slicer::decides_nothing(ProcedureId p, NodeId test) {
  const PointId id = model_[p].control->point(test);
  if (exists(id)) flags_[point(p, id)] |= kIgnored;
}

void Slicer::fail(ProcedureId p, NodeId node) {
  outcome(p, node, Reason::Criterion);
  const core::Module& m = *model_[p].module;
  if (m[node].kind != Kind::CallRemote && m[node].kind != Kind::NoMatch) return;
  core::for_each_use(m, node, [&](VarId v) { grow(p, v, kWhole, Reason::Criterion); });
}

// ---- What grows -------------------------------------------------------------

void Slicer::enqueue(ProcedureId p, NodeId node) {
  const PointId id = model_[p].control->point(node);
  if (!exists(id)) return;
  uint8_t& flags = flags_[point(p, id)];
  if ((flags & kQueued) != 0) return;
  flags |= kQueued;
  todo_.push_back({p, node});
}

void Slicer::grow(ProcedureId p, VarId v, NeedId need, Reason reason) {
  if (!core::exists(v) || !is_some(need)) return;
  if (precision_ != Precision::Fields) need = kWhole;
  note(Fact::of(p, v), reason);
  NeedId& known = needs_[var(p, v)];
  const NeedId joined = trees_.join(known, need);
  if (joined == known) return;
  if (!is_some(known)) var_causes_[var(p, v)] = {cause_, reason};
  known = joined;
  const Fact before = cause_;
  cause_ = Fact::of(p, v);
  for (const NodeId node : model_[p].definitions[static_cast<size_t>(v)]) {
    if ((*model_[p].module)[node].kind == Kind::Entry) {
      keep_callers_arguments(p);
    } else {
      keep(p, node, Reason::Value);
      enqueue(p, node);
    }
  }
  cause_ = before;
}

// A parameter is needed: kept calls give it, kept funs capture it.
void Slicer::keep_callers_arguments(ProcedureId p) {
  for (const CallId id : model_[p].callers) {
    const Call& call = model_[id];
    if (is_kept(call.caller, call.node)) enqueue(call.caller, call.node);
  }
  for (const FunUse& use : model_[p].made_at) {
    if (is_kept(use.procedure, use.node)) enqueue(use.procedure, use.node);
  }
  if (!model_[p].is_server_callback) return;
  for (const Model::Request& request : model_.requests()) {
    const Call& call = model_[request.call];
    if (is_kept(call.caller, call.node)) enqueue(call.caller, call.node);
  }
}

void Slicer::keep(ProcedureId p, NodeId node, Reason reason) {
  const PointId id = model_[p].control->point(node);
  if (!exists(id)) return;  // control never comes there
  note(Fact::of(p, node), reason);
  uint8_t& flags = flags_[point(p, id)];
  if ((flags & kKept) != 0) return;
  flags |= kKept;
  point_causes_[point(p, id)] = {cause_, reason};
  enqueue(p, node);
}

// What follows from it that the node is kept at all.
void Slicer::expand(ProcedureId p, NodeId node) {
  const PointId id = model_[p].control->point(node);
  uint8_t& flags = flags_[point(p, id)];
  if ((flags & kExpanded) != 0 || (flags & kKept) == 0) return;
  flags |= kExpanded;
  control(p, id);
  keep_syntax(p, node);
  keep_partners(p, node);
  uint8_t& of_procedure = procedure_flags_[static_cast<size_t>(p)];
  if (!model_[p].is_loop || (of_procedure & kIsLooping) != 0) return;
  of_procedure |= kIsLooping;
  for (const NodeId step : model_[p].steps) outcome(p, step, Reason::Syntax);
  for (const CallId call : model_[p].calls) {
    if (model_.goes_on(model_[call])) keep(p, model_[call].node, Reason::Call);
  }
}

void Slicer::outcome(ProcedureId p, NodeId node, Reason reason) {
  const PointId id = model_[p].control->point(node);
  if (!exists(id)) return;
  keep(p, node, reason);
  uint8_t& flags = flags_[point(p, id)];
  if ((flags & kOutcome) != 0) return;
  flags |= kOutcome;
  enqueue(p, node);
}

void Slicer::control(ProcedureId p, PointId id) {
  uint8_t& flags = flags_[point(p, id)];
  if ((flags & kReached) != 0) return;
  flags |= kReached;
  const Procedure& procedure = model_[p];
  const Control& all = *procedure.control;
  bool goes_on = false;
  if (all.is_node(id)) {
    const auto call = procedure.call_at.find(all.node(id));
    goes_on = call != procedure.call_at.end() && model_.goes_on(model_[call->second]);
  }
  for (const PointId c : all.controllers(id)) {
    const NodeId node = all.node(c);
    // The next element is looked at whatever was made of this one.
    if (goes_on && is_test((*procedure.module)[node].kind)) continue;
    if ((flags_[point(p, c)] & kIgnored) == 0) outcome(p, node, Reason::Control);
  }
}

void Slicer::raised(ProcedureId p) {
  uint8_t& flags = procedure_flags_[static_cast<size_t>(p)];
  if ((flags & kRaised) != 0) return;
  flags |= kRaised;
  for (const NodeId node : model_[p].control->leaving()) outcome(p, node, Reason::Raised);
}

void Slicer::ascend(ProcedureId first) {
  std::vector<ProcedureId> todo{first};
  while (!todo.empty()) {
    const ProcedureId p = todo.back();
    todo.pop_back();
    uint8_t& flags = procedure_flags_[static_cast<size_t>(p)];
    if ((flags & kAscends) != 0) continue;
    flags |= kAscends;
    // What several processes do is in the order in which they wait for each other.
    const auto& started = model_.started();
    if (std::find(started.begin(), started.end(), p) != started.end() &&
        !model_.has_known_messages()) {
      demand(kProcesses);
    }
    for (const CallId id : model_[p].callers) {
      const Call& call = model_[id];
      if (model_.goes_on(call) && call.caller != p) continue;
      keep(call.caller, call.node, Reason::Call);
      todo.push_back(call.caller);
    }
    const auto& outside = model_.outside_callees();
    if (std::find(outside.begin(), outside.end(), p) != outside.end()) {
      for (const ProcedureId entry : model_.handed_out_by(p)) {
        grow(entry, model_[entry].result, kWhole, Reason::Call);
        todo.push_back(entry);
      }
      for (const CallId id : model_.outside_calls()) {
        keep(model_[id].caller, model_[id].node, Reason::Call);
        todo.push_back(model_[id].caller);
      }
    }
  }
}

// What puts the changes of these in order, with them.
Channels Slicer::demand_order(Channels channels) {
  // Of one execution it is known who came first, and who got which message.
  if (!model_.has_known_messages()) {
    // Processes that share a table wait for each other by messages.
    if ((channels & (kTables | kElse)) != 0 && !model_.started().empty()) channels |= kProcesses;
    if ((channels & (kProcesses | kMessages)) != 0) channels |= kProcesses | kMessages;
    return channels;
  }
  channels &= static_cast<Channels>(~kMessages);
  for (const FunUse& receive : model_.ordering_receives()) {
    if (channels == 0 || is_kept(receive.procedure, receive.node)) continue;
    keep(receive.procedure, receive.node, Reason::State);
    ascend(receive.procedure);
  }
  return channels;
}

// Whatever may change what is read there.
void Slicer::demand(Channels channels) {
  channels = demand_order(channels);
  const auto added = static_cast<Channels>(channels & ~demanded_);
  if (added == 0) return;
  demanded_ |= added;
  for (uint32_t i = 0; i < model_.call_count(); ++i) {
    const Call& call = model_[CallId{i}];
    if ((call.access.writes & added) == 0) continue;
    keep(call.caller, call.node, Reason::State);
    if ((added & kTables) != 0) enqueue(call.caller, call.node);  // all that it inserts counts now
    ascend(call.caller);
  }
  if ((added & kProcesses) == 0) return;
  if (!model_.has_known_messages()) {
    for (const FunUse& receive : model_.receives()) {
      keep(receive.procedure, receive.node, Reason::State);
      ascend(receive.procedure);
    }
  }
  if (!model_.has_exit_signals()) return;
  for (const ProcedureId p : model_.started()) {
    raised(p);
    ascend(p);
  }
}

// Whatever may change this entry of a dictionary.
void Slicer::demand_entry(Selector key) {
  if ((demanded_ & kDictionary) != 0) return;
  if (std::find(demanded_entries_.begin(), demanded_entries_.end(), key) !=
      demanded_entries_.end()) {
    return;
  }
  demanded_entries_.push_back(key);
  for (uint32_t i = 0; i < model_.call_count(); ++i) {
    const Call& call = model_[CallId{i}];
    if ((call.access.writes & kDictionary) == 0) continue;
    const auto written = dictionary_key(call.caller, call.node);
    if (written && !(*written == key)) continue;
    keep(call.caller, call.node, Reason::State);
    ascend(call.caller);
  }
}

// Who has sent what it has taken; who has taken what it has sent, which would lie about else.
void Slicer::keep_partners(ProcedureId p, NodeId node) {
  if (!model_.has_known_messages()) return;
  for (const FunUse& other : model_.partners(model_[p].module->global(node))) {
    keep(other.procedure, other.node, Reason::State);
    ascend(other.procedure);
  }
}

// ---- What follows from a node -----------------------------------------------

bool Slicer::is_needed_result(ProcedureId p, NodeId node) const {
  const VarId result = (*model_[p].module)[node].result;
  return core::exists(result) && is_some(need_of(p, result));
}

void Slicer::evaluate(ProcedureId p, NodeId node) {
  const core::Module& m = *model_[p].module;
  operands_.clear();
  operands(p, node, operands_);
  const Fact self = cause_;
  for (const Operand& o : operands_) {
    const bool is_given = o.cause.kind != Fact::Kind::None;
    if (is_given) cause_ = o.cause;
    grow(p, o.variable, o.need, is_given ? Reason::Argument : Reason::Value);
    cause_ = self;
  }
  switch (m[node].kind) {
    case Kind::Call:
    case Kind::CallRemote:
    case Kind::CallDynamic:
    case Kind::Apply:
      return evaluate_call(p, node);
    case Kind::Binary:
      for (const NodeId s : m.nodes(m.get<core::node::Binary>(node).segments)) {
        core::for_each_use(m, s, [&](VarId v) { grow(p, v, kWhole, Reason::Value); });
      }
      return;
    case Kind::Receive:
      evaluate_receive(p, node);
      return evaluate_regions(p, node);
    case Kind::Try:
      evaluate_try(p, node);
      return evaluate_regions(p, node);
    case Kind::Maybe: {
      const auto view = m.get<core::node::Maybe>(node);
      const NeedId mismatch = need_of(p, view.mismatch);
      if (is_some(mismatch)) {
        for (const NodeId left : model_[p].control->left_to(node)) {
          keep(p, left, Reason::Value);
          grow(p, m.get<core::node::Leave>(left).mismatch, mismatch, Reason::Value);
        }
      }
      return evaluate_regions(p, node);
    }
    case Kind::Case:
      return evaluate_regions(p, node);
    default:
      return;
  }
}

// The value is that of whichever region was chosen.
void Slicer::evaluate_regions(ProcedureId p, NodeId node) {
  if (!is_needed_result(p, node)) return;
  const core::Module& m = *model_[p].module;
  const NeedId need = need_of(p, m[node].result);
  size_t clause = 0;
  core::for_each_value_region(m, node, [&](RegionId region) {
    const size_t index = clause++;
    if (!core::exists(region)) return;
    const PointId id = model_[p].control->point(region);
    if (!exists(id) || !core::exists(m[region].value)) return;
    control(p, id);
    grow(p, m[region].value, clause_need(p, node, index, need), Reason::Value);
  });
}

void Slicer::evaluate_try(ProcedureId p, NodeId node) {
  const core::Module& m = *model_[p].module;
  const auto view = m.get<core::node::Try>(node);
  if (core::exists(view.value) && core::exists(m[view.body].value)) {
    grow(p, m[view.body].value, need_of(p, view.value), Reason::Value);
  }
  bool is_seen = false;
  for (const VarId v : {view.exception_class, view.reason, view.trace}) {
    is_seen = is_seen || (core::exists(v) && is_some(need_of(p, v)));
  }
  if (!is_seen) return;
  for (const NodeId raising : model_[p].control->caught_by(node)) {
    outcome(p, raising, Reason::Raised);
  }
}

// A receive takes a message out of the mailbox: which one, is decided by all of its clauses, and
// by all that was received before.
void Slicer::evaluate_receive(ProcedureId p, NodeId node) {
  const core::Module& m = *model_[p].module;
  const auto view = m.get<core::node::Receive>(node);
  if (core::exists(view.timeout)) grow(p, view.timeout, kWhole, Reason::Value);
  demand(kMessages);
  // What is needed of the message is needed where it is sent.
  for (const FunUse& send : model_.partners(m.global(node))) {
    if (is_kept(send.procedure, send.node)) enqueue(send.procedure, send.node);
  }
  // In the story of an execution the reader knows a message by its tag.
  const auto is_certain = [&](NodeId test) {
    return !model_.is_of_execution() && model_[p].tests.never_fail.contains(test);
  };
  for (const NodeId c : m.nodes(view.clauses)) {
    const auto clause = m.get<core::node::Clause>(c);
    const auto tests = [&](RegionId region) {
      for (const NodeId n : m.nodes(region)) {
        if (is_test(m[n].kind) && !is_certain(n)) outcome(p, n, Reason::Syntax);
      }
    };
    tests(clause.patterns);
    for (const RegionId guard : m.regions(clause.guards)) tests(guard);
  }
}

void Slicer::evaluate_call(ProcedureId p, NodeId node) {
  const Procedure& procedure = model_[p];
  const auto found = procedure.call_at.find(node);
  if (found == procedure.call_at.end()) return;
  const Call& call = model_[found->second];
  const VarId result = (*procedure.module)[node].result;
  const NeedId need = core::exists(result) ? need_of(p, result) : kNothing;
  const bool is_raising = has_outcome(p, node);
  bool is_through_library = false;
  if (is_some(need)) grow_replies(found->second);
  if (call.rule) evaluate_rule(call, need, is_raising);
  for (const Target& target : call.targets) {
    if (call.rule && !target.is_direct) continue;
    if (target.is_start) {
      // How it ends others see by signals alone.
      if (model_.has_exit_signals()) raised(target.callee);
      continue;
    }
    is_through_library = is_through_library || !target.is_direct;
    grow(target.callee, model_[target.callee].result,
         target.is_direct ? need : callback_result(target.callee), Reason::Result);
    const bool is_seen = is_raising || !target.is_direct;
    if (is_seen && !model_[target.callee].ends_for_good) raised(target.callee);
    // The loop of a comprehension is written with its generator.
    for (const NodeId step : model_[target.callee].steps) {
      outcome(target.callee, step, Reason::Syntax);
    }
  }
  Channels reads = call.access.reads;
  if ((reads & kTables) != 0 && demand_entry_of_table(p, node, need)) {
    reads &= static_cast<Channels>(~kTables);
  }
  if (is_some(need) || is_raising || is_through_library) {
    if (const auto key = dictionary_key(p, node)) {
      demand_entry(*key);
      reads &= static_cast<Channels>(~kDictionary);
    }
    demand(reads);
  }
  const auto& outside = model_.outside_calls();
  if (std::find(outside.begin(), outside.end(), found->second) == outside.end()) return;
  for (const ProcedureId callee : model_.outside_callees()) {
    grow(callee, model_[callee].result, kWhole, Reason::Result);
    raised(callee);
  }
}

// ---- Syntax -----------------------------------------------------------------

bool Slicer::is_first(const core::Module& m, core::AstId place, Done what) {
  if (notes_dependences_) return true;
  std::vector<uint8_t>& done = done_[&m];
  if (done.empty()) done.resize(m.unit().ast.size());
  uint8_t& flags = done[static_cast<size_t>(place)];
  const auto flag = static_cast<uint8_t>(1u << static_cast<unsigned>(what));
  if ((flags & flag) != 0) return false;
  flags |= flag;
  return true;
}

void Slicer::keep_tests(ProcedureId p, core::AstId below) {
  const Procedure& procedure = model_[p];
  const core::Module& m = *procedure.module;
  if (!is_first(m, below, Done::Tests)) return;
  const core::OriginIndex& origins = model_.origins(m);
  std::vector<core::AstId> todo{below};
  while (!todo.empty()) {
    const core::AstId at = todo.back();
    todo.pop_back();
    for (const NodeId n : origins.nodes_of(at)) {
      if (core::is_part(m, n) || m.function_of(n) != procedure.function) continue;
      if (is_test(m[n].kind)) outcome(p, n, Reason::Syntax);
      // Code that is never reached is written all the same.
      core::for_each_use(m, n, [&](VarId v) {
        if (procedure.code().variables[static_cast<size_t>(v)] != Atom()) {
          grow(p, v, kShape, Reason::Syntax);
        }
      });
    }
    m.unit().ast.for_each_child(at, [&](core::AstId child) { todo.push_back(child); });
  }
}

// The tests that come from the AST node itself.
void Slicer::keep_tests_at(const core::Module& m, core::AstId origin) {
  for (const NodeId n : model_.origins(m).nodes_of(origin)) {
    if (core::is_part(m, n) || !is_test(m[n].kind)) continue;
    const ProcedureId p = model_.find(m, m.function_of(n));
    if (exists(p)) outcome(p, n, Reason::Syntax);
  }
}

// The start of the generator's loop.
void Slicer::keep_generator(const core::Module& m, core::AstId generator) {
  for (const NodeId n : model_.origins(m).nodes_of(generator)) {
    if (core::is_part(m, n) || m[n].kind != Kind::Call) continue;
    const ProcedureId p = model_.find(m, m.function_of(n));
    if (!exists(p)) continue;
    const auto call = model_[p].call_at.find(n);
    if (call == model_[p].call_at.end() || !model_.goes_on(model_[call->second])) {
      keep(p, n, Reason::Syntax);
    }
  }
}

void Slicer::keep_receive(const core::Module& m, core::AstId receive) {
  for (const NodeId n : model_.origins(m).nodes_of(receive)) {
    if (core::is_part(m, n) || m[n].kind != Kind::Receive) continue;
    const ProcedureId p = model_.find(m, m.function_of(n));
    if (exists(p)) keep(p, n, Reason::Control);
  }
}

// In a guard or a filter: all of it. In the pattern of a binary: all of that.
void Slicer::keep_surroundings(ProcedureId p, core::AstId origin, bool is_in_test) {
  const core::Module& m = *model_[p].module;
  const Ast& ast = m.unit().ast;
  for (core::AstId at = origin; fathom::exists(at);) {
    const core::AstId above = model_.parents(m)[static_cast<size_t>(at)];
    if (!fathom::exists(above)) return;
    if (is_in_test && ast.is(at, NodeKind::Binary)) return keep_tests(p, at);
    switch (ast.kind(above)) {
      case NodeKind::Function:
      case NodeKind::Fun:
      case NodeKind::NamedFun:
        return;
      case NodeKind::Clause:
        if (is_in_test && is_guard_of(ast, above, at)) {
          for (const ListId alternative : ast.guard(ast.get<node::Clause>(above).guard)) {
            for (const core::AstId test : ast.list(alternative)) keep_tests(p, test);
          }
        }
        is_in_test = false;
        break;
      case NodeKind::Receive:
        // Control comes into it when a message has.
        if (at != ast.get<node::Receive>(above).timeout) keep_receive(m, above);
        break;
      default:
        if (is_generator(ast.kind(above)) && !ast.is(above, NodeKind::Zip) &&
            core::AstId{ast.slot(above, 1)} == at) {
          return keep_generator(m, above);
        }
        if (is_filter_of(ast, above, at)) {
          if (is_in_test) keep_tests(p, at);
          return keep_tests_at(m, at);
        }
        break;
    }
    at = above;
  }
}

// What cannot be written without the node.
void Slicer::keep_syntax(ProcedureId p, NodeId node) {
  const Procedure& procedure = model_[p];
  const core::Module& m = *procedure.module;
  const core::Node& n = m[node];
  if (!fathom::exists(n.origin)) return;
  const Ast& ast = m.unit().ast;
  const std::vector<core::AstId>& parents = model_.parents(m);
  const auto parent = [&](core::AstId id) { return parents[static_cast<size_t>(id)]; };
  if (precision_ == Precision::Statements) keep_all(p, statement_of(ast, parents, n.origin));
  if (const core::AstId macro = macro_of(m.unit(), parents, n.origin); fathom::exists(macro)) {
    keep_all(p, macro);
  }
  keep_surroundings(p, n.origin, is_test(n.kind) || n.in_guard);
  // An operation that looks at its operand is written with the look.
  if (is_looking(ast, n.origin)) keep_tests_at(m, n.origin);
  if (is_short_circuit(ast, n.origin)) keep_tests_at(m, ast.get<node::BinaryOp>(n.origin).left);
  if (!is_test(n.kind)) return;
  keep_tests_at(m, n.origin);
  if (n.kind != Kind::MatchKey) return;
  for (const NodeId other : model_.origins(m).nodes_of(parent(n.origin))) {
    if (!core::is_part(m, other) && m[other].kind == Kind::MatchMap)
      outcome(p, other, Reason::Syntax);
  }
}

// Everything at and below.
void Slicer::keep_all(ProcedureId p, core::AstId below) {
  const core::Module& m = *model_[p].module;
  if (!fathom::exists(below) || !is_first(m, below, Done::All)) return;
  const Ast& ast = m.unit().ast;
  const core::AstId statement = below;
  std::vector<core::AstId> todo{below};
  while (!todo.empty()) {
    const core::AstId at = todo.back();
    todo.pop_back();
    if (at != statement && precision_ == Precision::Statements &&
        statement_of(ast, model_.parents(m), at) != statement) {
      continue;
    }
    for (const NodeId n : model_.origins(m).nodes_of(at)) {
      if (core::is_part(m, n)) continue;
      const ProcedureId in = model_.find(m, m.function_of(n));
      if (!exists(in) || m[n].kind == Kind::NoMatch) continue;
      keep(in, n, Reason::Syntax);
      if (core::exists(m[n].result)) grow(in, m[n].result, kWhole, Reason::Syntax);
      core::for_each_use(m, n, [&](VarId v) { grow(in, v, kWhole, Reason::Syntax); });
    }
    ast.for_each_child(at, [&](core::AstId child) { todo.push_back(child); });
  }
}

// ---- Explanations -----------------------------------------------------------

Dependence Slicer::why(Fact fact) const {
  Cause cause;
  if (fact.kind == Fact::Kind::Variable) {
    cause = var_causes_[var(fact.procedure, fact.variable())];
  } else if (fact.kind == Fact::Kind::Node) {
    const PointId id = model_[fact.procedure].control->point(fact.node());
    if (exists(id)) cause = point_causes_[point(fact.procedure, id)];
  }
  return {fact, cause.fact, cause.reason};
}

}  // namespace fathom::slice
