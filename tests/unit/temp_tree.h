// A directory of one's own for a test, gone when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

class TempTree {
 public:
  TempTree() {
    std::string name = (std::filesystem::temp_directory_path() / "fathom_test_XXXXXX").string();
    if (mkdtemp(name.data())) root_ = std::filesystem::canonical(name).string();
  }
  TempTree(const TempTree&) = delete;
  TempTree& operator=(const TempTree&) = delete;
  ~TempTree() {
    std::error_code error;
    if (!root_.empty()) std::filesystem::remove_all(root_, error);
  }

  const std::string& root() const { return root_; }
  std::string operator/(std::string_view name) const { return root_ + "/" + std::string(name); }

  // A file, with the directories that it needs; a name that ends in a slash is a
  // directory.
  TempTree& add(std::string_view name, std::string_view text = "") {
    const std::filesystem::path path = *this / name;
    std::filesystem::create_directories(path.parent_path());
    if (!name.ends_with('/')) std::ofstream(path, std::ios::binary) << text;
    return *this;
  }
  TempTree& add_all(const std::vector<std::string>& names) {
    for (const std::string& name : names) add(name);
    return *this;
  }
  TempTree& link(std::string_view name, const std::string& target) {
    std::filesystem::create_symlink(target, *this / name);
    return *this;
  }
  TempTree& script(std::string_view name, std::string_view text) {
    add(name, text);
    std::filesystem::permissions(*this / name, std::filesystem::perms::owner_all);
    return *this;
  }

 private:
  std::string root_;
};

// The current directory for a while.
class InDirectory {
 public:
  explicit InDirectory(const std::string& dir) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(dir);
  }
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;
  ~InDirectory() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

}  // namespace fathom
