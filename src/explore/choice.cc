#include "explore/choice.h"

#include <fmt/format.h>

#include <charconv>
#include <mutex>
#include <unordered_set>

namespace fathom::explore {

const std::string ProcessName::kNone;

ProcessName::ProcessName(std::string_view text) {
  if (text.empty()) {
    text_ = &kNone;
    return;
  }
  static std::mutex mutex;
  static std::unordered_set<std::string> names;  // its elements stay where they are
  const std::lock_guard lock(mutex);
  text_ = &*names.emplace(text).first;
}

std::string Choice::name() const {
  switch (kind) {
    case ActorKind::Process:
      return process.text();
    case ActorKind::Timer:
      return fmt::format("{}#{}", process.text(), ordinal);
    case ActorKind::Channel:
      return fmt::format("{}>{}", process.text(), to.text());
  }
  return "";
}

namespace {

bool is_process_name(std::string_view name) {
  return machine::parse_process_name(name).has_value();
}

// P.1#3; in P#2#1 the first # belongs to the process.
std::optional<Choice> parse_timer(std::string_view name) {
  const size_t hash = name.rfind('#');
  if (hash == std::string_view::npos || !is_process_name(name.substr(0, hash))) return std::nullopt;
  const std::string_view digits = name.substr(hash + 1);
  uint32_t ordinal = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Choice{ActorKind::Timer, ordinal, ProcessName(name.substr(0, hash)), {}};
}

std::optional<Choice> parse_channel(std::string_view name) {
  const size_t arrow = name.find('>');
  if (arrow == std::string_view::npos) return std::nullopt;
  const std::string_view from = name.substr(0, arrow);
  const std::string_view to = name.substr(arrow + 1);
  if (!is_process_name(from) || !is_process_name(to)) return std::nullopt;
  return Choice{ActorKind::Channel, 0, ProcessName(from), ProcessName(to)};
}

}  // namespace

std::optional<Choice> parse_choice(ActorKind kind, std::string_view name) {
  switch (kind) {
    case ActorKind::Process:
      if (!is_process_name(name)) return std::nullopt;
      return Choice{ActorKind::Process, 0, ProcessName(name), {}};
    case ActorKind::Timer:
      return parse_timer(name);
    case ActorKind::Channel:
      return parse_channel(name);
  }
  return std::nullopt;
}

}  // namespace fathom::explore
