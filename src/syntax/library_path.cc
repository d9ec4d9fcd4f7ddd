#include "syntax/library_path.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace fathom {

namespace fs = std::filesystem;

namespace {

// A directory that was given to -pa or -pz.
std::optional<AppDir> application_of(const std::string& given) {
  if (!is_directory(given)) return std::nullopt;
  fs::path path = fs::path(given).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // a slash at the end
  if (path.filename() != "ebin") {
    std::string dir = path.string();
    if (dir == ".") return std::nullopt;
    return AppDir{code_server_name(dir), std::move(dir)};
  }
  path = path.parent_path();
  // ebin and foo/ebin: the code server makes these absolute, and these only.
  if (!path.has_parent_path()) path = absolute_path(path.string());
  return AppDir{code_server_name(path.string()), path.string()};
}

void add_erl_libs(std::string_view erl_libs, std::vector<AppDir>& out) {
  while (!erl_libs.empty()) {
    const size_t end = std::min(erl_libs.find(':'), erl_libs.size());
    std::string entry(erl_libs.substr(0, end));
    erl_libs.remove_prefix(std::min(end + 1, erl_libs.size()));
    while (entry.size() > 1 && entry.back() == '/') entry.pop_back();
    if (entry.empty()) continue;
    for (AppDir& library : libraries_in(entry, LibraryKind::ErlLibs)) {
      if (!fs::path(library.dir).has_parent_path()) library.dir = absolute_path(library.dir);
      out.push_back(std::move(library));
    }
  }
}

// Stem to path, of the files in `dir` with that extension; the first one counts.
// Links to directories are not followed, so there are no cycles.
void index_files(const std::string& dir, std::string_view extension,
                 std::unordered_map<std::string, std::string>& out) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator at(dir, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == extension) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) out.emplace(file.stem().string(), file.string());
}

}  // namespace

CodePath::CodePath(CodePathOptions options, std::shared_ptr<const OtpInstallation> otp,
                   std::vector<AppDir> project)
    : options_(std::move(options)), otp_(std::move(otp)), project_(std::move(project)) {}

void CodePath::scan() {
  if (scanned_) return;
  scanned_ = true;
  for (auto dir = options_.first.rbegin(); dir != options_.first.rend(); ++dir) {
    if (auto app = application_of(*dir)) path_.push_back(std::move(*app));
  }
  path_.insert(path_.end(), project_.begin(), project_.end());
  for (const AppDir& library : otp_->libraries()) {
    if (library.name == "kernel" || library.name == "stdlib") path_.push_back(library);
  }
  index_order_ = path_;
  for (const AppDir& library : otp_->libraries()) {
    if (library.name == "erts") index_order_.push_back(library);
  }
  const size_t seen = path_.size();
  add_erl_libs(options_.erl_libs, path_);
  path_.insert(path_.end(), otp_->libraries().begin(), otp_->libraries().end());
  for (const std::string& dir : options_.last) {
    if (auto app = application_of(dir)) path_.push_back(std::move(*app));
  }
  for (const AppDir& app : path_) dirs_.emplace(app.name, app.dir);
  index_order_.insert(index_order_.end(), path_.begin() + static_cast<std::ptrdiff_t>(seen),
                      path_.end());
}

std::string CodePath::library_dir(const std::string& application) {
  scan();
  const auto found = dirs_.find(application);
  return found == dirs_.end() ? std::string() : found->second;
}

void CodePath::index(const AppDir& app) {
  const std::string ebin = path_in(app.dir, "ebin");
  index_files(is_directory(ebin) ? ebin : app.dir, ".beam", modules_);
  index_files(path_in(app.dir, "src"), ".erl", modules_);
}

std::string CodePath::find_module(const std::string& module) {
  scan();
  auto found = modules_.find(module);
  while (found == modules_.end() && indexed_ < index_order_.size()) {
    index(index_order_[indexed_++]);
    found = modules_.find(module);
  }
  return found == modules_.end() ? std::string() : found->second;
}

const std::vector<AppDir>& CodePath::applications() {
  scan();
  return path_;
}

}  // namespace fathom
