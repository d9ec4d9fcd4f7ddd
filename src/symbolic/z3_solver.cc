// The last link of the chain: Z3, for what is left.
//
// Integers are Z3's, of any size. div and rem truncate, as Erlang's do, where Z3's round down.
// band, bor and bxor are those of 64-bit vectors, so that "no" is not an answer where they occur
// unless the operands are known to fit: it is "don't know".
//
// It is limited by its own unit of effort, and not by time: the answers are then the same on every
// machine, and the timers of Z3 4.8.12 can wait for each other for ever. For the same reason it is
// the simple solver, without tactics, which set timers.
//
// That unit does not bound everything: products of large numbers may take for ever between two
// looks at it. So Z3 runs in a process of its own, which ends after some time of the processor.
//
// Cost: a fork, 1 ms or so, beside what Z3 takes.
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3++.h>

#include <csignal>
#include <optional>
#include <utility>

#include "base/budget.h"
#include "symbolic/solver.h"

namespace fathom::symbolic {

struct Z3Solver::State {
  z3::context context;
};

Z3Solver::Z3Solver() = default;
Z3Solver::~Z3Solver() = default;

namespace {

constexpr unsigned kEffort = 100'000;
constexpr unsigned kBits = 64;

class Translation {
 public:
  Translation(z3::context& context, const Problem& problem)
      : context_(context), expressions_(problem.expressions) {}

  z3::expr condition(const Condition& c) {
    const z3::expr a = term(c.a);
    const z3::expr b = term(c.b);
    switch (c.relation) {
      case Relation::Equal:
        return a == b;
      case Relation::NotEqual:
        return a != b;
      case Relation::Less:
        return a < b;
      case Relation::LessEqual:
        break;
    }
    return a <= b;
  }
  z3::expr variable(uint32_t v) { return context_.int_const(("x" + std::to_string(v)).c_str()); }
  // Something was cut down to 64 bits.
  bool is_approximate = false;

 private:
  // With a stack of its own: terms may be deep.
  z3::expr term(ExprId id) {
    std::vector<ExprId> open = {id};
    while (!open.empty()) {
      const ExprId e = open.back();
      if (known_.contains(e)) {
        open.pop_back();
        continue;
      }
      const Expr& x = expressions_[e];
      const bool has_a = x.a == kNoExpr || known_.contains(x.a);
      const bool has_b = x.b == kNoExpr || known_.contains(x.b);
      if (!has_a) open.push_back(x.a);
      if (!has_b) open.push_back(x.b);
      if (has_a && has_b) known_.emplace(e, make(x));
    }
    return known_.at(id);
  }

  z3::expr make(const Expr& x) {
    if (x.op == ExprOp::Constant) return context_.int_val(x.value);
    if (x.op == ExprOp::Variable) return variable(static_cast<uint32_t>(x.value));
    const z3::expr a = known_.at(x.a);
    if (x.op == ExprOp::Absolute) return z3::ite(a >= 0, a, -a);
    const z3::expr b = known_.at(x.b);
    switch (x.op) {
      case ExprOp::Add:
        return a + b;
      case ExprOp::Subtract:
        return a - b;
      case ExprOp::Multiply:
        return a * b;
      case ExprOp::Divide:
        return z3::ite(a >= 0, a / b, -((-a) / b));
      case ExprOp::Remainder:
        return z3::ite(a >= 0, z3::mod(a, b), -z3::mod(-a, b));
      case ExprOp::ShiftLeft:
        return a * power(x.b);
      case ExprOp::ShiftRight:
        return a / power(x.b);
      default:
        return bitwise(x, a, b);
    }
  }

  z3::expr power(ExprId by) {
    const int64_t bits = expressions_.constant_of(by).value_or(0);
    return context_.int_val((int64_t{1} << (bits > 62 ? 62 : bits)));
  }

  z3::expr bitwise(const Expr& x, const z3::expr& a, const z3::expr& b) {
    const auto mask = expressions_.constant_of(x.b);
    if (x.op == ExprOp::And && mask && *mask >= 0 && ((*mask + 1) & *mask) == 0) {
      return z3::mod(a, context_.int_val(*mask + 1));
    }
    is_approximate = true;
    const z3::expr p = z3::int2bv(kBits, a);
    const z3::expr q = z3::int2bv(kBits, b);
    const z3::expr result = x.op == ExprOp::And ? p & q : x.op == ExprOp::Or ? p | q : p ^ q;
    return z3::bv2int(result, true);
  }

  z3::context& context_;
  const Expressions& expressions_;
  std::unordered_map<ExprId, z3::expr> known_;
};

bool read_model(z3::solver& solver, Translation& translation, const Problem& problem,
                Model& model) {
  const z3::model found = solver.get_model();
  for (const uint32_t v : problem.variables) {
    const z3::expr value = found.eval(translation.variable(v), true);
    int64_t n = 0;
    if (!value.is_numeral_i64(n)) return false;
    if (model.size() <= v) model.resize(v + 1);
    model[v] = n;
  }
  return true;
}

Answer ask_z3(z3::context& context, const Problem& problem, Model& model) {
  try {
    z3::solver solver(context, z3::solver::simple());
    z3::params params(context);
    params.set("rlimit", kEffort);
    solver.set(params);
    Translation translation(context, problem);
    for (const Condition& c : problem.conditions) solver.add(translation.condition(c));
    const z3::check_result result = solver.check();
    if (result == z3::unsat) return translation.is_approximate ? Answer::Unknown : Answer::No;
    if (result != z3::sat) return Answer::Unknown;
    Model found = model;
    if (!read_model(solver, translation, problem, found)) return Answer::Unknown;
    for (const Condition& c : problem.conditions) {
      if (!problem.expressions.holds(c, found).value_or(false)) return Answer::Unknown;
    }
    model = std::move(found);
    return Answer::Yes;
  } catch (const std::exception&) {
    return Answer::Unknown;
  }
}

// What the other process sends: the answer, then the values of the problem's variables.
using Message = std::vector<int64_t>;

// In the other process.
[[noreturn]] void answer_and_exit(int pipe, z3::context& context, const Problem& problem,
                                  const Model& model) {
  constexpr suseconds_t kMicroseconds = 300'000;  // of the processor
  constexpr rlim_t kMemory = rlim_t{1} << 30;
  std::signal(SIGPROF, SIG_DFL);
  const itimerval time{{}, {0, kMicroseconds}};
  setitimer(ITIMER_PROF, &time, nullptr);
  const rlim_t addresses = process_memory().addresses + kMemory;
  const rlimit memory{addresses, addresses};
  setrlimit(RLIMIT_AS, &memory);
  Model found = model;
  Message message = {static_cast<int64_t>(ask_z3(context, problem, found))};
  for (const uint32_t v : problem.variables) message.push_back(v < found.size() ? found[v] : 0);
  const size_t bytes = message.size() * sizeof message[0];
  _exit(write(pipe, message.data(), bytes) == static_cast<ssize_t>(bytes) ? 0 : 1);
}

// Reads the message, and looks at the budget meanwhile. False: the process has ended without it.
bool receive(int pipe, Message& message) {
  constexpr int kMilliseconds = 20;
  auto* to = reinterpret_cast<char*>(message.data());
  size_t left = message.size() * sizeof message[0];
  while (left > 0) {
    pollfd ready{pipe, POLLIN, 0};
    if (poll(&ready, 1, kMilliseconds) <= 0) {
      spend(detail::kWorkPerLook);
      continue;
    }
    const ssize_t got = read(pipe, to, left);
    if (got <= 0) return false;
    to += got;
    left -= static_cast<size_t>(got);
  }
  return true;
}

// A process that is ended at the latest when its maker goes out of scope.
struct Child {
  explicit Child(pid_t of) : id(of) {}
  ~Child() {
    kill(id, SIGKILL);
    waitpid(id, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  pid_t id;
};

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() = default;
  ~Pipe() {
    close_writing();
    if (ends[0] >= 0) close(ends[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_writing() {
    if (ends[1] >= 0) close(std::exchange(ends[1], -1));
  }
};

}  // namespace

Answer Z3Solver::decide(const Problem& problem, Model& model) {
  if (!state_) state_ = std::make_unique<State>();
  Pipe channel;
  if (pipe(channel.ends) != 0) return Answer::Unknown;
  const pid_t id = fork();
  if (id < 0) return Answer::Unknown;
  if (id == 0) answer_and_exit(channel.ends[1], state_->context, problem, model);
  const Child child(id);
  channel.close_writing();
  Message message(1 + problem.variables.size());
  if (!receive(channel.ends[0], message)) return Answer::Unknown;
  const auto answer = static_cast<Answer>(message[0]);
  if (answer != Answer::Yes) return answer;
  for (size_t i = 0; i < problem.variables.size(); ++i) {
    const uint32_t v = problem.variables[i];
    if (model.size() <= v) model.resize(v + 1);
    model[v] = message[1 + i];
  }
  return Answer::Yes;
}

}  // namespace fathom::symbolic
