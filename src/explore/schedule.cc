#include "explore/schedule.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::explore {

using machine::EventKind;

namespace {

constexpr std::string_view kHeader = "fathom schedule 1";
constexpr std::string_view kLate = "late";
// What may stand between the header and the steps.
struct Setting {
  std::string_view word;
  bool Schedule::*is_set;
};
constexpr Setting kSettings[] = {
    {"silent", &Schedule::is_silent},
    {kLate, &Schedule::delays_delivery},
    {"leaders", &Schedule::watches_leaders},
    {"beginnings", &Schedule::watches_beginnings},
    {"dictionaries", &Schedule::watches_dictionaries},
};
constexpr std::string_view kError = "error";
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

const Setting* setting_of(const std::vector<std::string_view>& words) {
  if (words.size() != 1) return nullptr;
  const auto* const found = std::ranges::find(kSettings, words[0], &Setting::word);
  return found == std::end(kSettings) ? nullptr : found;
}

std::optional<EventKind> event_of_word(std::string_view word) {
  for (auto kind = static_cast<uint8_t>(EventKind::None) + 1;
       kind < static_cast<uint8_t>(EventKind::Timer); ++kind) {
    if (machine::event_word(static_cast<EventKind>(kind)) == word) {
      return static_cast<EventKind>(kind);
    }
  }
  return std::nullopt;
}

Error wrong(size_t line, std::string_view why) { return Error{fmt::format("{}: {}", line, why)}; }

// "timer P" is that of a receive of P. "timer P#2" could be that of a receive of P#2 as well as
// the second timer that P has set; it is the latter, since schedules of programs rarely have
// processes that nobody has started.
std::optional<Choice> parse_timer_or_process(std::string_view name) {
  const auto choice = parse_choice(ActorKind::Timer, name);
  return choice ? choice : parse_choice(ActorKind::Process, name);
}

Result<Step> parse_step(const std::vector<std::string_view>& words, size_t line) {
  if (words.size() != 2) return wrong(line, "expected a process and an event, or \"end\"");
  if (words[0] == kTimer) {
    const auto choice = parse_timer_or_process(words[1]);
    if (!choice) return wrong(line, fmt::format("\"{}\" is not a timer", words[1]));
    return Step{*choice, EventKind::Timer, "", line};
  }
  if (words[0] == kArrival) {
    const auto choice = parse_choice(ActorKind::Channel, words[1]);
    if (!choice) return wrong(line, fmt::format("\"{}\" is not a pair of processes", words[1]));
    return Step{*choice, EventKind::Arrival, "", line};
  }
  const auto choice = parse_choice(ActorKind::Process, words[0]);
  if (!choice) {
    return wrong(line, fmt::format("\"{}\" is not the name of a process", words[0]));
  }
  const auto kind = event_of_word(words[1]);
  if (!kind) return wrong(line, fmt::format("there is no event \"{}\"", words[1]));
  return Step{*choice, *kind, "", line};
}

}  // namespace

std::string print_schedule(const Schedule& schedule) {
  std::string text(kHeader);
  text += '\n';
  for (const Setting& setting : kSettings) {
    if (schedule.*setting.is_set) text += fmt::format("{}\n", setting.word);
  }
  for (const Choice& channel : schedule.late) {
    text += fmt::format("{:<8} {}\n", kLate, channel.name());
  }
  if (const Schedule::Fault& fault = schedule.fault; !fault.kind.empty()) {
    text += fmt::format("{:<8} {} {}\n", kError, fault.kind, fault.process);
  }
  for (const Step& step : schedule.steps) {
    const bool is_word_first = step.kind == EventKind::Timer || step.kind == EventKind::Arrival;
    const std::string word(machine::event_word(step.kind));
    const std::string name = step.choice.name();
    std::string line =
        is_word_first ? fmt::format("{:<8} {}", word, name) : fmt::format("{:<8} {}", name, word);
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
    } else if (const Setting* setting = setting_of(words); setting && schedule.steps.empty()) {
      schedule.*setting->is_set = true;
    } else if (words.size() == 2 && words[0] == kLate && schedule.steps.empty()) {
      const auto channel = parse_choice(ActorKind::Channel, words[1]);
      if (!channel) {
        return wrong(number, fmt::format("\"{}\" is not a pair of processes", words[1]));
      }
      schedule.late.push_back(*channel);
    } else if (words.size() == 3 && words[0] == kError && schedule.steps.empty()) {
      schedule.fault = {std::string(words[1]), std::string(words[2])};
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
