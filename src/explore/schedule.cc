#include "explore/schedule.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/event.h"
#include "machine/process_name.h"

namespace fathom::explore {
namespace {

constexpr std::string_view kHeader = "fathom schedule 1";
constexpr std::string_view kSilent = "silent";
constexpr std::string_view kEnd = "end";
constexpr std::string_view kTimer = "timer";
constexpr std::string_view kArrival = "arrival";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  line = line.substr(0, line.find('%'));
  while (true) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool is_event_word(std::string_view word) {
  using machine::EventKind;
  for (auto kind = static_cast<uint8_t>(EventKind::None) + 1;
       kind < static_cast<uint8_t>(EventKind::Timer); ++kind) {
    if (machine::event_word(static_cast<EventKind>(kind)) == word) return true;
  }
  return false;
}

bool is_pair_name(std::string_view name) {
  const size_t arrow = name.find('>');
  return arrow != std::string_view::npos && machine::parse_process_name(name.substr(0, arrow)) &&
         machine::parse_process_name(name.substr(arrow + 1));
}

bool is_timer_name(std::string_view name) {
  // P.1#3 or P.1; in P#2 and P#2#1 the first # belongs to the process.
  if (machine::parse_process_name(name)) return true;
  const size_t hash = name.rfind('#');
  if (hash == std::string_view::npos || hash + 1 == name.size()) return false;
  const std::string_view number = name.substr(hash + 1);
  return machine::parse_process_name(name.substr(0, hash)).has_value() &&
         std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
}

Error wrong(size_t line, std::string_view reason) {
  return Error{fmt::format("{}: {}", line, reason)};
}

Result<Step> parse_step(const std::vector<std::string_view>& words, size_t line) {
  if (words.size() != 2) return wrong(line, "expected a process and an event, or \"end\"");
  if (words[0] == kTimer) {
    if (!is_timer_name(words[1]))
      return wrong(line, fmt::format("\"{}\" is not a timer", words[1]));
    return Step{std::string(words[1]), std::string(kTimer), "", line};
  }
  if (words[0] == kArrival) {
    if (!is_pair_name(words[1])) {
      return wrong(line, fmt::format("\"{}\" is not a pair of processes", words[1]));
    }
    return Step{std::string(words[1]), std::string(kArrival), "", line};
  }
  if (!machine::parse_process_name(words[0])) {
    return wrong(line, fmt::format("\"{}\" is not the name of a process", words[0]));
  }
  if (!is_event_word(words[1])) {
    return wrong(line, fmt::format("there is no event \"{}\"", words[1]));
  }
  return Step{std::string(words[0]), std::string(words[1]), "", line};
}

}  // namespace

bool Schedule::has_arrivals() const {
  return std::ranges::any_of(steps, [](const Step& step) { return step.what == kArrival; });
}

std::string print_schedule(const Schedule& schedule) {
  std::string text(kHeader);
  text += '\n';
  if (schedule.is_silent) text += fmt::format("{}\n", kSilent);
  for (const Step& step : schedule.steps) {
    const bool is_swapped = step.what == kTimer || step.what == kArrival;
    std::string line = fmt::format("{:<8} {}", is_swapped ? step.what : step.who,
                                   is_swapped ? step.who : step.what);
    if (!step.comment.empty()) line = fmt::format("{:<24} % {}", line, step.comment);
    text += line + '\n';
  }
  if (schedule.has_end) text += fmt::format("{}\n", kEnd);
  return text;
}

Result<Schedule> parse_schedule(std::string_view text) {
  Schedule schedule;
  bool has_header = false;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (!has_header) {
      if (fmt::format("{}", fmt::join(words, " ")) != kHeader) {
        return wrong(number, fmt::format("a schedule begins with the line \"{}\"", kHeader));
      }
      has_header = true;
    } else if (schedule.has_end) {
      return wrong(number, "there is text after \"end\"");
    } else if (words.size() == 1 && words[0] == kSilent && schedule.steps.empty()) {
      schedule.is_silent = true;
    } else if (words.size() == 1 && words[0] == kEnd) {
      schedule.has_end = true;
    } else {
      auto step = parse_step(words, number);
      if (!step) return step.error();
      schedule.steps.push_back(std::move(*step));
    }
  }
  if (!has_header) return wrong(1, fmt::format("a schedule begins with the line \"{}\"", kHeader));
  return schedule;
}

}  // namespace fathom::explore
