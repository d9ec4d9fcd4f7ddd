#include "syntax/otp.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/subprocess.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// Enough of a file to see what it is; `erl` may be anything, even a device.
constexpr size_t kHead = 16 << 10;

std::string head_of(const std::string& path) {
  if (!is_plain_file(path)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string text(kHead, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::string> split_search_path(std::string_view text) {
  std::vector<std::string> dirs;
  while (!text.empty()) {
    const size_t end = std::min(text.find(':'), text.size());
    if (end > 0) dirs.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return dirs;
}

std::string trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

bool is_otp_root(const std::string& dir) {
  return !dir.empty() && is_directory(path_in(dir, "lib")) &&
         (is_directory(path_in(dir, "releases")) || is_plain_file(path_in(dir, "OTP_VERSION")));
}

// A directory that is an OTP, or a prefix that one was installed to.
std::optional<std::string> root_at(const std::string& dir) {
  for (const char* below : {"", "lib/erlang", "lib64/erlang"}) {
    std::string root = path_in(dir, below);
    if (is_otp_root(root)) return root;
  }
  return std::nullopt;
}

// ROOTDIR=/usr/lib/erlang in the start script. A value with a variable in it is
// computed from the script's own place, which has been looked at already.
std::optional<std::string> root_in_script(const std::string& script) {
  const std::string text = head_of(script);
  if (!text.starts_with("#!")) return std::nullopt;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string line = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.starts_with("ROOTDIR=")) continue;
    line.erase(0, 8);
    std::erase(line, '"');
    if (is_otp_root(line)) return line;
  }
  return std::nullopt;
}

std::optional<std::string> root_of_erl(const std::string& erl) {
  std::error_code error;
  const fs::path real = fs::canonical(erl, error);
  // A shim may be a link to its manager's own program, in whose neighbourhood
  // some other OTP lies.
  if (error || real.filename() != "erl") return std::nullopt;
  const fs::path above = real.parent_path().parent_path();
  // .../erlang/bin/erl, .../erlang/erts-13.1.5/bin/erl
  for (const fs::path& dir : {above, above.parent_path()}) {
    if (is_otp_root(dir.string())) return dir.string();
  }
  if (auto root = root_in_script(real.string())) return root;
  return root_at(above.string());
}

// Asks an `erl` for its root.
std::optional<std::string> root_told_by(const std::string& erl, uint32_t limit_ms) {
  const Result<SubprocessResult> answer =
      run_subprocess({.command = {erl, "-noinput", "-boot", "start_clean", "-eval",
                                  "io:format(\"~n~ts~n\", [code:root_dir()]), halt()."},
                      .time_limit = std::chrono::milliseconds(limit_ms),
                      .max_output = kHead});
  if (!answer || answer->timed_out) return std::nullopt;
  // A shim may have printed something before; the root is the last line.
  const std::string text = trim(answer->output);
  std::string root = text.substr(text.rfind('\n') + 1);
  if (!is_otp_root(root)) return std::nullopt;
  return root;
}

std::optional<std::string> root_from_path(const OtpSearch& search) {
  for (const std::string& dir : split_search_path(search.path)) {
    const std::string erl = path_in(dir, "erl");
    if (!is_plain_file(erl) || access(erl.c_str(), X_OK) != 0) continue;
    if (auto root = root_of_erl(erl)) return root;
    if (search.run_limit_ms == 0) continue;
    if (auto root = root_told_by(absolute_path(erl), search.run_limit_ms)) return root;
  }
  return std::nullopt;
}

// The first number in a version: 25 of "25.2.3", 28 of "28.0-rc3".
std::optional<uint32_t> major_of(std::string_view version) {
  uint32_t number = 0;
  const char* end = version.data() + version.size();
  if (std::from_chars(version.data(), end, number).ec != std::errc()) return std::nullopt;
  return number;
}

// The release that a start without further words would boot: start_erl.data has
// "13.1.5 25". Without it, the newest one there.
std::optional<std::string> current_release(const std::string& releases) {
  const std::string data = trim(head_of(path_in(releases, "start_erl.data")));
  if (const size_t space = data.rfind(' '); space != std::string::npos) {
    return data.substr(space + 1);
  }
  std::optional<std::string> newest;
  if (const auto names = list_directory(releases)) {
    for (const std::string& name : *names) {
      const auto number = major_of(name);
      if (!number || !is_plain_file(path_in(releases, name + "/OTP_VERSION"))) continue;
      if (!newest || *major_of(*newest) < *number) newest = name;
    }
  }
  if (newest) return newest;
  // [{release,"Erlang/OTP","25","13.1.5",...
  const std::string text = head_of(path_in(releases, "RELEASES"));
  size_t at = text.find("{release,");
  for (int quotes = 0; at != std::string::npos && quotes < 3; ++quotes) at = text.find('"', at + 1);
  if (at == std::string::npos) return std::nullopt;
  return text.substr(at + 1, text.find('"', at + 1) - at - 1);
}

std::string version_of(const std::string& root) {
  const std::string releases = path_in(root, "releases");
  const std::optional<std::string> release = current_release(releases);
  std::string version;
  if (release) version = trim(head_of(path_in(releases, *release + "/OTP_VERSION")));
  if (version.empty()) version = trim(head_of(path_in(root, "OTP_VERSION")));
  if (version.empty() && release) version = *release;
  // "25.2.3**": patched since it was released.
  version.erase(std::min(version.find('*'), version.size()));
  return version;
}

// The triple that OTP was configured for stands in the first line of a header:
//   /* include/x86_64-pc-linux-gnu/erl_int_sizes_config.h.  Generated from ...
std::string architecture_of(const std::string& root) {
  const std::string text = head_of(path_in(root, "usr/include/erl_int_sizes_config.h"));
  const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  const size_t begin = line.find("include/");
  const size_t end = line.find("/erl_int_sizes_config.h");
  if (begin < end && end != std::string_view::npos) {
    return std::string(line.substr(begin + 8, end - begin - 8));
  }
  utsname system{};
  uname(&system);
  const std::string_view name = system.sysname;
  if (name == "Darwin") return std::string(system.machine) + "-apple-darwin" + system.release;
  if (name == "Linux") return std::string(system.machine) + "-unknown-linux-gnu";
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::string(system.machine) + "-unknown-" + lower;
}

}  // namespace

OtpSearch OtpSearch::from_environment() {
  OtpSearch search;
  search.root = environment("FATHOM_OTP_ROOT");
  search.path = environment("PATH");
  search.prefixes = {"/usr",        "/usr/local", "/opt/homebrew",
                     "/opt/erlang", "/opt/otp",   "/usr/lib/erlang",
                     "/opt/local",  "/usr/pkg",   "/run/current-system/sw"};
  return search;
}

OtpInstallation OtpInstallation::find(const OtpSearch& search) {
  OtpInstallation otp;
  std::optional<std::string> root;
  if (!search.root.empty()) {
    root = root_at(search.root);
    if (!root) otp.problem_ = "no Erlang/OTP in " + search.root + ": it lacks lib or releases";
  } else {
    root = root_from_path(search);
    for (size_t i = 0; !root && i < search.prefixes.size(); ++i) root = root_at(search.prefixes[i]);
    if (!root) {
      otp.problem_ =
          "no Erlang/OTP found: there is no erl on PATH and none in the usual places; "
          "set FATHOM_OTP_ROOT to the directory that holds its lib and releases";
    }
  }
  if (!root) return otp;
  otp.root_ = *root;
  const std::string version = version_of(*root);
  if (const auto release = major_of(version)) {
    otp.release_ = *release;
    otp.version_ = version;
  }
  return otp;
}

std::string OtpInstallation::platform() const {
  return version_ + "-" + architecture_of(root_) + "-" + std::to_string(8 * sizeof(void*));
}

const std::vector<AppDir>& OtpInstallation::libraries() const {
  if (!libraries_) {
    libraries_ = std::make_shared<const std::vector<AppDir>>(
        found() ? libraries_in(lib_dir(), LibraryKind::Otp) : std::vector<AppDir>{});
  }
  return *libraries_;
}

}  // namespace fathom
