#include "schedule_file.h"

#include <fmt/format.h>

#include "command.h"

namespace fathom {

Result<explore::Schedule> read_schedule(const std::string& path) {
  auto text = read_file(path);
  if (!text) return Error{fmt::format("{}: {}", path, text.error().message)};
  auto schedule = explore::parse_schedule(*text);
  if (!schedule) return Error{fmt::format("{}:{}", path, schedule.error().message)};
  return schedule;
}

Result<void> write_schedule(const std::string& path, const explore::Schedule& schedule) {
  Output out;
  if (auto opened = out.open(path); !opened) return opened;
  out.write(explore::print_schedule(schedule));
  return out.close();
}

}  // namespace fathom
