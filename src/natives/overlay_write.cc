#include "natives/overlay_write.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/budget.h"
#include "natives/overlay.h"
#include "values/lists.h"
#include "values/maps.h"

// The idea: everything that has a new name is first copied beside its place, under another name,
// while the disk is still as the program found it; so it does not matter what was moved over what.
// Then files that were changed in their places are written, then the copies take their names, and
// what was removed goes last.
//
// Cost: that of the files that are new, changed or moved, in whole.
// Limits: a moved directory is copied. Owners are not changed.

namespace fathom::machine {
namespace {

namespace fs = std::filesystem;

class Writing {
 public:
  explicit Writing(Machine& m) : m_(m), overlay_(m.context) {}

  Result<void> run() {
    const Value nodes = m_.shared().files.nodes;
    if (nodes.is_none()) return {};
    MapPairs pairs(nodes);
    for (Value key, fields; pairs.next(key, fields);) {
      spend();
      if (!key.is_tuple()) continue;
      const FileNode node = *overlay_.node(key, "");
      if (node.is_directory()) {
        take_entries(node);
      } else if (node.is_regular()) {
        changed_.push_back(node);
      }
    }
    for (const FileNode& node : changed_) write_in_place(node);
    for (const std::string& target : targets_) {
      std::error_code error;
      fs::remove_all(target, error);
      fs::rename(beside(target), target, error);
      note(target, error);
    }
    for (const std::string& path : removed_) {
      std::error_code error;
      fs::remove_all(path, error);
      note(path, error);
    }
    if (!problem_.empty()) return Error{problem_};
    return {};
  }

 private:
  static std::string beside(const std::string& path) { return path + ".fathom~"; }

  void note(const std::string& path, const std::error_code& error) {
    if (error && problem_.empty()) problem_ = path + ": " + error.message();
  }

  void take_entries(const FileNode& dir) {
    if (!dir.parts.is_map()) return;
    MapPairs entries(dir.parts);
    for (Value name, what; entries.next(name, what);) {
      spend();
      const std::string path = dir.lower + "/" + std::string(BytesOf(name).text());
      if (what == atom("absent")) {
        removed_.push_back(path);
      } else {
        copy(*overlay_.node(what, ""), beside(path));
        targets_.push_back(path);
      }
    }
  }

  // All of it: a directory with what is in it.
  void copy(const FileNode& root, const std::string& root_path) {
    std::vector<std::pair<FileNode, std::string>> left{{root, root_path}};
    while (!left.empty()) {
      spend();
      const auto [node, path] = std::move(left.back());
      left.pop_back();
      std::error_code error;
      if (node.is_link()) {
        fs::create_symlink(overlay_.target(node), path, error);
        note(path, error);
        continue;
      }
      if (node.is_directory()) {
        fs::create_directory(path, error);
        note(path, error);
        int failure = 0;
        for (const std::string& name : overlay_.names(node, failure)) {
          if (auto child = overlay_.look_up(node, name, failure)) {
            left.emplace_back(std::move(*child), fmt::format("{}/{}", path, name));
          }
        }
      } else {
        write(node, path);
      }
      set_properties(node, path);
    }
  }

  void write(const FileNode& node, const std::string& path) {
    constexpr uint64_t kPortion = 1 << 20;
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    int failure = 0;
    for (int64_t at = 0; at < node.size && failure == 0 && out; at += kPortion) {
      out << overlay_.read(node, at, kPortion, failure);
    }
    out.close();
    if (!out || failure != 0) note(path, std::make_error_code(std::errc::io_error));
  }

  // The pages are read where they are written, so the whole is made beside the file and then
  // written into it: its links stay.
  void write_in_place(const FileNode& node) {
    if (node.links <= 0 || !fs::exists(node.lower)) return;
    if (node.parts.is_map()) {
      const std::string copy = beside(node.lower);
      write(node, copy);
      std::error_code error;
      fs::copy_file(copy, node.lower, fs::copy_options::overwrite_existing, error);
      note(node.lower, error);
      fs::remove(copy, error);
    }
    set_properties(node, node.lower);
  }

  static void set_properties(const FileNode& node, const std::string& path) {
    const timeval times[] = {{node.atime, 0}, {node.mtime, 0}};
    if (chmod(path.c_str(), node.mode & 07777) == 0) utimes(path.c_str(), times);
  }

  Machine& m_;
  Overlay overlay_;
  std::vector<FileNode> changed_;
  std::vector<std::string> targets_;
  std::vector<std::string> removed_;
  std::string problem_;
};

}  // namespace

Result<void> write_files(Machine& m) { return Writing(m).run(); }

}  // namespace fathom::machine
