// A program as a slicer sees it: the author's functions, who calls them, what decides where
// control goes in them.
//
// Calls, funs and reachable code come from the flow analysis; control dependence is computed here.
// Code of libraries is not sliced, it runs as it is: so of a call into a library it only counts
// which of the author's functions are called from there in the end, and which state that
// others can see (dictionaries, tables, mailboxes) may be read or changed there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/origin_index.h"
#include "flow/analysis.h"
#include "slice/control.h"
#include "slice/library_rules.h"

namespace fathom::slice {

enum class ProcedureId : uint32_t {};
enum class CallId : uint32_t {};
inline constexpr ProcedureId kNoProcedure{0xFFFFFFFF};
inline constexpr CallId kNoCall{0xFFFFFFFF};
constexpr bool exists(ProcedureId id) { return id != kNoProcedure; }
constexpr bool exists(CallId id) { return id != kNoCall; }

// State that is not in values, as bits.
enum Channel : uint8_t {
  kDictionary = 1,
  kTables = 2,
  kProcesses = 4,  // links, names, exits, …
  kElse = 8,
  kMessages = 16,
};
using Channels = uint8_t;
inline constexpr Channels kAllChannels = kDictionary | kTables | kProcesses | kElse | kMessages;

struct Access {
  Channels reads = 0;
  Channels writes = 0;
};
// Of a function without code here.
Access access_of(const flow::FunctionName& name);

struct Target {
  ProcedureId callee{};
  bool is_direct = false;  // the arguments are its parameters; else they come by ways of a library
  bool is_start = false;   // it is only started there, by another process: nobody gets its value
};

// A node that calls.
struct Call {
  ProcedureId caller{};
  core::NodeId node{};
  std::vector<Target> targets;
  bool is_opaque = false;   // code that is not sliced gets the arguments
  bool is_outside = false;  // code that is not known may be called
  Access access;
  // Of a call into a library of which it is known what it does; null: it is not.
  const std::span<const RuleWay>* rule = nullptr;
};

struct FunUse {
  ProcedureId procedure{};
  core::NodeId node{};
};

// One of the author's functions that is reached.
struct Procedure {
  const core::Module* module = nullptr;
  core::FunctionId function{};
  flow::InstanceId instance{};
  bool is_loop = false;    // of a comprehension
  bool is_caught = false;  // an exception that leaves it may be seen
  bool may_raise = false;
  bool has_try = false;
  // OTP's gen_server calls it, and nobody else of OTP does: of its result and its parameters it is
  // known what they are for (servers.cc). Which parameter is the server's state, from 0 on.
  bool is_server_callback = false;
  bool ends_for_good = false;  // if it raises, nobody sees more than that the process is gone
  std::optional<uint32_t> server_state = {};
  // The Case that gives the result of such a callback, and chooses by the request.
  std::optional<core::NodeId> request_switch = {};
  std::unique_ptr<Control> control;
  TestOutcomes tests;
  std::vector<core::VarId> parameters;
  core::VarId result = core::kNoVar;
  std::vector<std::vector<core::NodeId>> definitions;  // by VarId
  std::vector<core::NodeId> raising;                   // that may end in an exception
  std::vector<core::NodeId> steps;                     // of a loop: tests of its generators
  std::vector<core::NodeId> cases;                     // with more than one clause
  std::vector<CallId> calls;                           // in it
  std::vector<CallId> callers;
  std::vector<FunUse> made_at;  // where funs of it are made
  std::unordered_map<core::NodeId, CallId> call_at;

  const core::Function& code() const { return (*module)[function]; }
};

// That a later clause of the same Case does what `clause` does (alike_clauses.h).
struct Alike {
  ProcedureId procedure{};
  core::NodeId node{};  // the Case
  size_t clause = 0;    // by their order in it
  size_t into = 0;
};

// One execution of a program: what happened in it.
struct ExecutionFacts {
  std::function<bool(const core::Module&, core::NodeId)> is_executed;
  std::function<bool(const core::Module&, core::RegionId)> is_entered;
  // Which call has sent what which receive has taken; none: some messages went other ways.
  struct Message {
    core::GlobalNodeId send{};
    core::GlobalNodeId receive{};
    // Something shared was accessed before it was sent, and by others after it was taken.
    bool orders_accesses = false;
  };
  std::optional<std::vector<Message>> messages = {};
};

class Model {
 public:
  Model(const flow::Analysis& analysis, flow::Code& code);

  // From now on it is a model of this execution alone.
  void restrict_to(const ExecutionFacts& execution);
  bool is_of_execution() const { return is_of_execution_; }
  // Whether it is known which messages were taken where.
  bool has_known_messages() const { return has_known_messages_; }
  // Sends to a receive, receives of a send: those of the execution, or all that are possible.
  std::span<const FunUse> partners(core::GlobalNodeId node) const {
    const auto found = partners_.find(node);
    if (found == partners_.end()) return {};
    return found->second;
  }
  // Receives of an execution that put accesses of shared state in order.
  const std::vector<FunUse>& ordering_receives() const { return ordering_receives_; }
  // Whether all that a call sends is taken by the author's own receives, or by none.
  bool is_known_send(core::GlobalNodeId node) const { return known_sends_.contains(node); }

  const Procedure& operator[](ProcedureId id) const { return procedures_[static_cast<size_t>(id)]; }
  const Call& operator[](CallId id) const { return calls_[static_cast<size_t>(id)]; }
  size_t size() const { return procedures_.size(); }
  size_t call_count() const { return calls_.size(); }
  // None: control never comes to the function.
  ProcedureId find(const core::Module& module, core::FunctionId function) const;
  const core::OriginIndex& origins(const core::Module& module) const {
    return *origins_.at(&module);
  }
  // The AST node above, or none; by AST node.
  const std::vector<core::AstId>& parents(const core::Module& module) const {
    return parents_.at(&module);
  }
  const std::vector<const core::Module*>& modules() const { return modules_; }
  // Calls from the author's code to unknown code, which may call what it knows of.
  const std::vector<CallId>& outside_calls() const { return outside_calls_; }
  const std::vector<ProcedureId>& outside_callees() const { return outside_callees_; }
  // Calls of gen_server:call and gen_server:cast.
  struct Request {
    CallId call{};
    bool has_reply = false;
  };
  const std::vector<Request>& requests() const { return requests_; }
  // Whether replies of servers come to these calls alone.
  bool has_plain_replies() const { return has_plain_replies_; }
  const std::vector<ProcedureId>& server_callbacks() const { return server_callbacks_; }
  // Whether the clause of a callback, in the Case that gives its result, may take the request.
  bool may_serve(ProcedureId callback, size_t clause, const Request& request) const;
  // The functions that hand a fun of this code to whoever called them from outside.
  std::span<const ProcedureId> handed_out_by(ProcedureId fun) const {
    const auto found = handed_out_by_.find(fun);
    if (found == handed_out_by_.end()) return {};
    return found->second;
  }
  // The receives of all procedures.
  const std::vector<FunUse>& receives() const { return receives_; }
  // Processes see how others end.
  bool has_exit_signals() const { return has_exit_signals_; }
  const std::vector<ProcedureId>& started() const { return started_; }

  // The atom that the pattern of a tuple, a MatchTuple, demands as first element.
  std::optional<Atom> tag_of_pattern(core::GlobalNodeId match) const {
    const auto found = pattern_tags_.find(match);
    if (found == pattern_tags_.end()) return std::nullopt;
    return found->second;
  }
  // Clauses that could be alike, as far as the program shows.
  const std::vector<Alike>& possibly_alike() const { return possibly_alike_; }
  // Whether all tables that the author's code makes are sets whose keys are the first elements.
  bool has_plain_tables() const { return has_plain_tables_; }

  // Whether the call goes on with a loop of a comprehension, in whose function or an inner one it
  // stands. It happens whatever the filters say.
  bool goes_on(const Call& call) const;

 private:
  struct Behind {  // what can happen in code of libraries, from a function on
    std::vector<ProcedureId> callees;
    Access access;
    bool is_outside = false;
  };

  void add_procedures();
  void add_definitions(ProcedureId id);
  void add_calls();
  void add_messages();
  void add_rules();
  bool calls_own_funs_alone(const Call& call, std::span<const core::VarId> arguments) const;
  void find_table_kinds();
  void find_servers();
  void find_requests();
  void find_request_switch(Procedure& p);
  void find_handed_out();
  bool are_ends_final() const;
  void add_target(Call& call, const flow::CallEdge& edge);
  const Behind& behind(flow::InstanceId library);
  bool is_entered(const Procedure& p, core::RegionId region) const;
  void judge_tests();
  void find_raising();
  void find_caught();
  bool is_exit_signal(const flow::Send& send) const;
  void make_controls();
  void find_possibly_alike();
  bool raises(const Procedure& p, core::NodeId node) const;
  Procedure& at(ProcedureId id) { return procedures_[static_cast<size_t>(id)]; }
  core::GlobalNodeId at_global(ProcedureId p, core::NodeId node) const {
    return (*this)[p].module->global(node);
  }
  ProcedureId own(flow::InstanceId instance) const {
    return by_instance_[static_cast<size_t>(instance)];
  }

  const flow::Analysis& analysis_;
  flow::Code& code_;
  std::vector<Procedure> procedures_;
  std::vector<Call> calls_;
  std::vector<ProcedureId> by_instance_;
  std::unordered_map<const core::Module*, std::vector<ProcedureId>> by_function_;
  std::vector<const core::Module*> modules_;
  std::unordered_map<const core::Module*, std::unique_ptr<core::OriginIndex>> origins_;
  std::unordered_map<const core::Module*, std::vector<core::AstId>> parents_;
  std::vector<CallId> outside_calls_;
  std::vector<ProcedureId> outside_callees_;
  std::unordered_map<ProcedureId, std::vector<ProcedureId>> handed_out_by_;
  std::vector<FunUse> receives_;
  std::vector<ProcedureId> started_;
  bool has_exit_signals_ = false;
  bool is_of_execution_ = false;
  bool has_known_messages_ = false;
  bool has_plain_tables_ = true;
  bool has_plain_replies_ = true;
  std::vector<Request> requests_;
  std::vector<ProcedureId> server_callbacks_;
  std::unordered_map<ProcedureId, size_t> dispatch_of_requests_;  // of callbacks: in the facts
  std::unordered_map<core::GlobalNodeId, Atom> pattern_tags_;
  std::unordered_map<core::GlobalNodeId, std::vector<FunUse>> partners_;
  std::unordered_set<core::GlobalNodeId> known_sends_;
  std::vector<FunUse> ordering_receives_;
  std::vector<Alike> possibly_alike_;
  // Edges of libraries, by instance.
  std::vector<std::vector<flow::InstanceId>> library_callees_;
  std::vector<Access> library_access_;
  std::vector<bool> library_outside_;
  std::unordered_map<flow::InstanceId, Behind> behind_;
  std::unordered_map<const core::Module*, std::vector<bool>> never_taken_;  // clauses, by AST node
};

// By AST node of the unit: whether it is a clause that an earlier one leaves nothing to.
std::vector<bool> subsumed_clauses(const core::Module& module, const core::OriginIndex& origins);

}  // namespace fathom::slice
