// File names as OTP's filename module handles them: what -include finds is named
// in the forms, so it must be joined the same way.
#pragma once

#include <string>
#include <string_view>

namespace fathom {

// filename:join/2: no double slashes, no trailing one, no `.` but in front; `..` stays.
std::string join_paths(std::string_view directory, std::string_view name);
// filename:dirname/1: "." for a bare name.
std::string directory_of(std::string_view path);
bool is_absolute(std::string_view path);
bool is_regular_file(const std::string& path);
bool is_directory(const std::string& path);

}  // namespace fathom
