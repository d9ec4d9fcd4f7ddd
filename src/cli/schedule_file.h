// Schedules in files.
#pragma once

#include <string>

#include "explore/schedule.h"

namespace fathom {

// The message of an error begins with the path.
Result<explore::Schedule> read_schedule(const std::string& path);
Result<void> write_schedule(const std::string& path, const explore::Schedule& schedule);

}  // namespace fathom
