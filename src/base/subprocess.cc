#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

extern char** environ;

namespace fathom {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) { fcntl(number_, F_SETFD, FD_CLOEXEC); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  bool open() {
    int ends[2];
    if (pipe(ends) != 0) return false;
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
    return true;
  }
};

// A file without a name that holds the text, to be read from its beginning.
Descriptor input_file(std::string_view text) {
  if (text.empty()) return Descriptor(open("/dev/null", O_RDONLY));
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0 || std::fseek(file.get(), 0, SEEK_SET) != 0) {
    return {};
  }
  return Descriptor(dup(fileno(file.get())));
}

Result<pid_t> start(std::vector<std::string> command, int in, int out, int messages) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return Error{std::strerror(failed)};
  return child;
}

// Milliseconds until then, as poll() wants them; -1: for ever.
int left_until(std::optional<Clock::time_point> deadline) {
  if (!deadline) return -1;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1'000'000));
}

// What is there to read; closed at its end.
void read_some(Descriptor& from, std::string& into, size_t most) {
  std::array<char, 1 << 16> buffer;
  const ssize_t count = read(from.number(), buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return;
  if (count <= 0) return from.close();
  into.append(buffer.data(), std::min(static_cast<size_t>(count), most - into.size()));
}

// Reads both to their ends; false when the time is over before.
bool read_all(Descriptor& out, Descriptor& messages, size_t most,
              std::optional<Clock::time_point> deadline, SubprocessResult& result) {
  while (out.is_open() || messages.is_open()) {
    // poll() passes over negative numbers.
    std::array<pollfd, 2> waiting{{{out.number(), POLLIN, 0}, {messages.number(), POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), left_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0 && left_until(deadline) == 0) return false;
    if (waiting[0].revents != 0) read_some(out, result.output, most);
    if (waiting[1].revents != 0) read_some(messages, result.messages, most);
  }
  return true;
}

// Waits for the child to end; false when the time is over before.
bool wait_for(pid_t child, std::optional<Clock::time_point> deadline, int& status) {
  for (;;) {
    const pid_t ended = waitpid(child, &status, deadline ? WNOHANG : 0);
    if (ended == child) return true;
    if (ended < 0 && errno != EINTR) return true;
    if (ended == 0 && left_until(deadline) == 0) return false;
    if (ended == 0) poll(nullptr, 0, 1);
  }
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Result<SubprocessResult> run_subprocess(const Subprocess& subprocess) {
  std::optional<Clock::time_point> deadline;
  if (subprocess.time_limit) deadline = Clock::now() + *subprocess.time_limit;
  Descriptor in = input_file(subprocess.input);
  Pipe out;
  Pipe messages;
  if (!in.is_open() || !out.open() || !messages.open()) return Error{std::strerror(errno)};
  const Result<pid_t> child =
      start(subprocess.command, in.number(), out.write_end.number(), messages.write_end.number());
  if (!child) return child.error();
  out.write_end.close();
  messages.write_end.close();

  SubprocessResult result;
  int status = 0;
  result.timed_out =
      !read_all(out.read_end, messages.read_end, subprocess.max_output, deadline, result) ||
      !wait_for(*child, deadline, status);
  if (result.timed_out) {
    kill(-*child, SIGKILL);
    wait_for(*child, std::nullopt, status);
  }
  result.exit_code = exit_code_of(status);
  return result;
}

}  // namespace fathom
