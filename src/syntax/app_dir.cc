#include "syntax/app_dir.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace fathom {

namespace fs = std::filesystem;

namespace {

// A version by its numbers, as strings of digits without leading zeros: OTP
// compares big integers, and a directory may be called foo-20240131123456789012.
using Version = std::vector<std::string>;

bool number_less(const std::string& a, const std::string& b) {
  return std::pair(a.size(), std::string_view(a)) < std::pair(b.size(), std::string_view(b));
}

bool version_less(const Version& a, const Version& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), number_less);
}

// Parts between separators; as in code_server, empty parts do not exist.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  for (std::string& part : split(text, '.')) {
    if (part.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    part.erase(0, std::min(part.find_first_not_of('0'), part.size() - 1));
    version.push_back(std::move(part));
  }
  return version;
}

// One entry of a library directory: code_server calls it a bundle.
struct Bundle {
  std::string name;  // all but the version; the whole where there is none
  Version version;
  std::string file_name;

  bool operator<(const Bundle& other) const {
    if (name != other.name) return name < other.name;
    if (version_less(version, other.version)) return true;
    if (version_less(other.version, version)) return false;
    return file_name < other.file_name;
  }
};

Bundle make_bundle(const std::string& file_name) {
  std::vector<std::string> parts = split(file_name, '-');
  if (parts.size() >= 2) {
    if (std::optional<Version> version = parse_version(parts.back())) {
      std::string name = parts[0];
      for (size_t i = 1; i + 1 < parts.size(); ++i) name += "-" + parts[i];
      return {std::move(name), std::move(*version), file_name};
    }
  }
  return {file_name, {"0"}, file_name};
}

// The name of NAME.app.src and the like in a directory. Where there are several,
// the one that is called like the application's directory counts, else the first.
std::optional<std::string> resource_name(const std::string& dir, const std::string& app_dir,
                                         const std::vector<std::string_view>& suffixes) {
  const Result<std::vector<std::string>> names = list_directory(dir);
  if (!names) return std::nullopt;
  std::optional<std::string> found;
  for (const std::string& name : *names) {
    for (const std::string_view suffix : suffixes) {
      if (!name.ends_with(suffix) || name.size() == suffix.size() || name[0] == '.') continue;
      std::string base = name.substr(0, name.size() - suffix.size());
      if (base == code_server_name(app_dir)) return base;
      if (!found) found = std::move(base);
    }
  }
  return found;
}

}  // namespace

std::string code_server_name(std::string_view dir) {
  while (dir.size() > 1 && dir.back() == '/') dir.remove_suffix(1);
  const size_t slash = dir.rfind('/');
  if (slash != std::string_view::npos) dir.remove_prefix(slash + 1);
  return std::string(dir.substr(0, dir.find('-')));
}

std::vector<AppDir> libraries_in(const std::string& lib_dir, LibraryKind kind) {
  std::vector<AppDir> found;
  const Result<std::vector<std::string>> names = list_directory(lib_dir);
  if (!names) return found;
  std::vector<Bundle> bundles;
  for (const std::string& name : *names) bundles.push_back(make_bundle(name));
  std::sort(bundles.rbegin(), bundles.rend());

  // The newest is chosen before anyone looks whether it holds code at all, so an
  // empty foo-2.0 hides foo-1.0. So does OTP.
  std::string last_name;
  bool first = true;
  for (const Bundle& bundle : bundles) {
    if (!first && bundle.name == last_name) continue;
    first = false;
    last_name = bundle.name;
    const std::string dir = path_in(lib_dir, bundle.file_name);
    if (is_directory(path_in(dir, "ebin"))) {
      found.push_back({code_server_name(dir), dir});
    } else if (bundle.file_name == "ebin" && is_directory(dir)) {
      found.push_back({code_server_name(absolute_path(lib_dir)), lib_dir});
    } else if (kind == LibraryKind::Otp && is_directory(dir)) {
      found.push_back({code_server_name(dir), dir});
    }
  }
  return found;
}

std::optional<AppDir> app_at(const std::string& dir, const std::vector<std::string>& src_dirs) {
  for (const std::string& src : src_dirs) {
    if (auto name = resource_name(path_in(dir, src), dir, {".app.src", ".app.src.script"})) {
      return AppDir{std::move(*name), dir};
    }
  }
  if (auto name = resource_name(path_in(dir, "ebin"), dir, {".app"})) {
    return AppDir{std::move(*name), dir};
  }
  return std::nullopt;
}

std::vector<AppDir> apps_in(const std::string& parent, const std::vector<std::string>& src_dirs) {
  std::vector<AppDir> found;
  const Result<std::vector<std::string>> names = list_directory(parent);
  if (!names) return found;
  for (const std::string& name : *names) {
    if (name[0] == '.') continue;
    if (auto app = app_at(path_in(parent, name), src_dirs)) found.push_back(std::move(*app));
  }
  return found;
}

bool is_plain_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Result<std::vector<std::string>> list_directory(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator at(path.empty() ? "." : path, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  if (error) return Error{"cannot read directory " + path + ": " + error.message()};
  std::sort(names.begin(), names.end());
  return names;
}

std::string path_in(const std::string& dir, const std::string& name) {
  if (dir.empty() || dir == "." || name.starts_with('/')) return name;
  if (name.empty() || name == ".") return dir;
  return dir.ends_with('/') ? dir + name : dir + '/' + name;
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string text = fs::absolute(path.empty() ? "." : path, error).lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace fathom
