#include "syntax/paths.h"

#include <sys/stat.h>

#include <algorithm>

namespace fathom {

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

std::string join_paths(std::string_view directory, std::string_view name) {
  std::string joined;
  if (!is_absolute(name)) {
    joined = directory;
    joined += '/';
  }
  joined += name;
  std::string out = is_absolute(joined) ? "/" : "";
  for (size_t at = 0; at < joined.size();) {
    const size_t end = std::min(joined.find('/', at), joined.size());
    const std::string_view part = std::string_view(joined).substr(at, end - at);
    if (!part.empty() && (part != "." || out.empty())) {
      if (!out.empty() && out.back() != '/') out += '/';
      out += part;
    }
    at = end + 1;
  }
  return out;
}

std::string directory_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  if (slash == 0) return "/";
  return join_paths(path.substr(0, slash), "");
}

bool is_regular_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) return false;  // the system sees the part before it
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

bool is_directory(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

}  // namespace fathom
