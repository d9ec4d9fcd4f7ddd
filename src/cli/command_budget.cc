#include "command_budget.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "command.h"

namespace fathom {
namespace {

std::atomic<Budget*> interruptible = nullptr;

void interrupt(int) {
  if (Budget* budget = interruptible) budget->interrupt();
}

// SA_RESETHAND: the second signal has its usual effect. Who was started with signals ignored
// (nohup, jobs in the background of a script) goes on ignoring them.
void handle(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = interrupt;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

CommandBudget::CommandBudget(Budget::Limits limits) : limits_(limits), budget_(limits) {
  interruptible = &budget_;
  handle(SIGINT);
  handle(SIGTERM);
  scope_.emplace(budget_);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // Where there is no room for a thread (ulimit -v) nobody watches.
  }
}

CommandBudget::~CommandBudget() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  if (watcher_.joinable()) watcher_.join();
  interruptible = nullptr;
}

void CommandBudget::begin() {
  const std::lock_guard lock(mutex_);
  budget_.renew(limits_);
  if (!scope_) scope_.emplace(budget_);
  is_working_ = true;
}

void CommandBudget::end() {
  const std::lock_guard lock(mutex_);
  scope_.reset();
  is_working_ = false;
}

std::string CommandBudget::advice() {
  const Budget::Spent spent = budget_.look();
  if (spent == Budget::Spent::Time) return "; --time-limit allows more";
  return spent == Budget::Spent::Memory ? "; --memory-limit allows more" : "";
}

namespace {

double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Whether work that is late has had its chance to look at the clock: on a busy machine it may
// have been late without having run.
class LateWork {
 public:
  void forget() { since_.reset(); }
  bool has_had_its_chance() {
    constexpr double kUsed = 0.1;  // seconds of processors
    constexpr double kPassed = 1;  // of the clock, for one that waits for the system
    const Times now{seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)};
    if (!since_) since_ = now;
    return now.used - since_->used >= kUsed || now.clock - since_->clock >= kPassed;
  }

 private:
  struct Times {
    double used;
    double clock;
  };
  std::optional<Times> since_;
};

}  // namespace

void CommandBudget::watch() {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
  LateWork late;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kBetweenLooks, [this] { return is_over_; })) {
    const Budget::Spent spent = is_working_ ? budget_.overrun() : Budget::Spent::No;
    if (spent == Budget::Spent::No) late.forget();
    if (spent == Budget::Spent::No) continue;
    if (spent == Budget::Spent::Time && !late.has_had_its_chance()) continue;
    std::fprintf(stderr, "error: %s, inside one operation\n", budget_.reason(spent).c_str());
    _exit(kCouldNotRun);
  }
}

}  // namespace fathom
