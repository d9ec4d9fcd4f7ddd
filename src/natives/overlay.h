// The file system as a program sees it: the disk, and in memory whatever the program has changed.
//
// A run must not change its user's disk, and a search must be able to take back what a program has
// written. So each change is kept in immutable maps (SharedState::files): going back is one word.
//
// An object of the file system (a node) has a key: {Device, Inode} if it is on the disk, else a
// number. `nodes` holds those that the program has made or changed. A directory's node holds the
// names that differ from those on the disk: the key of what is there now, or `absent`. A file's
// holds the pages that were written; the rest is read where it lies on the disk (`lower`), so
// opening, renaming or changing a large file copies nothing.
//
// Invariants: what an entry names has a node; a node's place on the disk never changes, since
// nobody writes there; a path without a changed directory on its way is what the disk says.
//
// Cost: a path, one look at the disk for each of its components; a write, O(log n) pages.
// Limits: somebody else who writes to the disk meanwhile is seen in parts. Access times do not
// change. An object on the disk is known by device and inode, hard links included.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/event.h"
#include "machine/native.h"

namespace fathom::machine {

struct FileNode {
  Value key;
  mode_t mode = 0;
  int64_t uid = 0;
  int64_t gid = 0;
  int64_t atime = 0;
  int64_t mtime = 0;
  int64_t ctime = 0;
  int64_t links = 0;
  int64_t size = 0;
  int64_t lower_size = 0;  // of a file: so many bytes of that on the disk still count
  int64_t device = 0;      // that it is, not that it lies on
  Value parts;             // pages by number; entries by name; the target of a symbolic link; []
  std::string lower;       // where it lies on the disk; "": nowhere

  bool is_directory() const { return S_ISDIR(mode); }
  bool is_link() const { return S_ISLNK(mode); }
  bool is_regular() const { return S_ISREG(mode); }
};

enum class Follow : uint8_t { No, Yes };

// Where a path leads.
struct FoundFile {
  // What the last component is: `name` in `dir`, or a directory by another name.
  enum class Last : uint8_t { Name, Dot, DotDot, Root };

  int error = 0;  // errno; then nothing else is there
  Last last = Last::Name;
  bool has_slash = false;  // behind the last component
  FileNode dir;            // only if last is Name
  std::string name;
  std::string path;              // without links
  std::optional<FileNode> node;  // none: there is nothing of that name
};

class Overlay {
 public:
  explicit Overlay(Context& c) : c_(c) {}

  // A path as the program gives it, absolute or from its current directory.
  FoundFile find(std::string_view path, Follow follow);
  std::string current_dir();
  // As it is now; from the disk if it has not changed. None: the disk has lost it (errno).
  std::optional<FileNode> node(Value key, const std::string& lower);
  void store(const FileNode& node);

  // What has that name in a directory; none, with what went wrong in `error`, or 0.
  std::optional<FileNode> look_up(const FileNode& dir, const std::string& name, int& error);
  // A new one, without a name yet.
  FileNode make(mode_t mode);
  void add_entry(const FoundFile& at, FileNode node);
  void remove_entry(const FoundFile& at, FileNode node);
  // The names in a directory, sorted. errno in `error`.
  std::vector<std::string> names(const FileNode& dir, int& error);
  bool is_empty(const FileNode& dir);

  std::string read(const FileNode& file, int64_t offset, uint64_t size, int& error);
  void write(FileNode& file, int64_t offset, std::string_view bytes);
  void truncate(FileNode& file, int64_t size);
  std::string target(const FileNode& link);

  // Whether who runs this may do it: 4 read, 2 write, 1 search.
  static bool allows(const FileNode& node, mode_t bits);
  int64_t now();
  void touch(FileNode& node) { node.mtime = node.ctime = now(); }

  // What the current event accesses (event.h).
  void reads(const FileNode& node);
  void writes(const FileNode& node);
  void tries_name(std::string_view path, AccessMode mode = AccessMode::Write);
  void reads_name(std::string_view path);

 private:
  struct Step {
    FileNode node;
    std::string path;
  };
  FileNode from_disk(const std::string& path, const struct stat& info);
  FileNode unpack(Value key, Value fields);
  std::string page(const FileNode& file, int64_t number, int& error);
  void change_entry(FileNode dir, const std::string& name, Value what);

  Context& c_;
};

// A program that has written files, or is in another directory, sees other ones than the disk has.
bool has_own_files(Machine& m);
// The contents of a file that the program has made or written; none: it has not.
std::optional<std::string> written_file(Context& c, std::string_view path);

// Up to `size` bytes of a file on the disk; 0 or errno.
int read_disk(const std::string& path, int64_t offset, uint64_t size, std::string& bytes);

// {ok, Value}, and {error, Name} with the POSIX name of an errno.
Value file_success(Context& c, Value value);
Value file_failure(Context& c, int code);
// The node of an open file; none, with what to return instead in `answer`.
std::optional<FileNode> open_file_node(Context& c, Value reference, Value& answer);
// The path that a native name means; empty after an exception or the end of the run.
std::optional<std::string> path_argument(Context& c, Value name);

}  // namespace fathom::machine
