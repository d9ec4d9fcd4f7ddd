// prim_file: files, for reading.
//
// A run must not change the disk of its user: whatever would write is not modelled, and
// says so. Reading can be turned off as a whole (Limits::files).
//
// An open file is its name, a position and a number, in a map (SharedState::files), so
// that going back is one word. The system's own files are opened and closed again by each
// reading; one that somebody else changes meanwhile shows both states. The current
// directory is the program's own too.
//
// Errors are those of the system, by their POSIX names.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "base/utf8.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "values/arithmetic.h"
#include "values/char_lists.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

constexpr std::string_view kReadOnly = "a run does not write to files";

// ---- Results ----------------------------------------------------------------

struct ErrorName {
  int code;
  std::string_view name;
};
constexpr ErrorName kErrors[] = {
    {EACCES, "eacces"},   {EBADF, "ebadf"},   {EBUSY, "ebusy"},     {EINVAL, "einval"},
    {EIO, "eio"},         {EISDIR, "eisdir"}, {ELOOP, "eloop"},     {EMFILE, "emfile"},
    {ENFILE, "enfile"},   {ENODEV, "enodev"}, {ENOENT, "enoent"},   {ENAMETOOLONG, "enametoolong"},
    {ENOMEM, "enomem"},   {ENXIO, "enxio"},   {ENOTDIR, "enotdir"}, {EOVERFLOW, "eoverflow"},
    {ENOTSUP, "enotsup"}, {EPERM, "eperm"},   {ESPIPE, "espipe"},
};

Value failure(Context& c, int code) {
  const auto* it = std::ranges::find(kErrors, code, &ErrorName::code);
  return c.heap.tuple({Value(atoms::error), atom(it == std::end(kErrors) ? "unknown" : it->name)});
}

Value success(Context& c, Value value) { return c.heap.tuple({Value(atoms::ok), value}); }

// ---- Names ------------------------------------------------------------------

// As the system wants it, with a zero at its end.
Value internal_name2native_1(Context& c, const Value* a) {
  if (!a[0].is_list() && !a[0].is_atom() && !a[0].is_binary()) return c.badarg();
  auto text =
      a[0].is_binary() ? std::string(BytesOf(a[0]).text()) : char_list_text(a[0], Atoms::Yes);
  if (!text || text->find('\0') != std::string::npos) return c.badarg();
  text->push_back('\0');
  return c.heap.binary(std::string_view(*text));
}

Value internal_native2name_1(Context& c, const Value* a) {
  if (!a[0].is_binary()) return c.badarg();
  const BytesOf bytes(a[0]);
  std::string text(bytes.text());
  if (!text.empty() && text.back() == '\0') text.pop_back();
  if (find_invalid_utf8(text)) return c.heap.tuple({Value(atoms::error), atom("warning")});
  return c.heap.string_utf8(text);
}

Value internal_normalize_utf8_1(Context& c, const Value* a) {
  if (!a[0].is_binary()) return c.badarg();
  const BytesOf bytes(a[0]);
  const std::string text(bytes.text());
  return find_invalid_utf8(text) ? c.badarg() : c.heap.string_utf8(text);
}

Value is_translatable_1(Context& c, const Value* a) {
  return a[0].is_binary() ? Value::boolean(true) : c.badarg();
}

// The current directory as the program sees it.
std::string current_dir(Machine& m) {
  const Value dir = m.shared().files.current_dir;
  if (!dir.is_none()) return std::string(BytesOf(dir).text());
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// The path that a native name means; empty after an exception or the end of the run.
std::optional<std::string> path_of(Context& c, Value name) {
  if (!c.machine.limits().files) {
    c.unsupported("files are off");
    return std::nullopt;
  }
  if (!name.is_binary()) {
    c.badarg();
    return std::nullopt;
  }
  const BytesOf bytes(name);
  std::string path(bytes.text());
  if (!path.empty() && path.back() == '\0') path.pop_back();
  if (path.find('\0') != std::string::npos) {
    c.badarg();
    return std::nullopt;
  }
  const bool is_moved = !c.machine.shared().files.current_dir.is_none();
  if (is_moved && !path.empty() && path[0] != '/') return current_dir(c.machine) + "/" + path;
  return path;
}

// ---- Reading ----------------------------------------------------------------

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) error_ = errno;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int error() const { return error_; }

 private:
  int number_;
  int error_ = 0;
};

// Up to `size` bytes from `offset` on; 0 or what went wrong.
int read_bytes(const std::string& path, int64_t offset, uint64_t size, std::string& bytes) {
  constexpr uint64_t kPortion = 1 << 16;
  const Descriptor file(path);
  if (file.number() < 0) return file.error();
  while (bytes.size() < size) {
    const size_t before = bytes.size();
    bytes.resize(before + std::min(kPortion, size - before));
    const ssize_t got = pread(file.number(), bytes.data() + before, bytes.size() - before,
                              offset + static_cast<int64_t>(before));
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) return errno;
    if (got == 0) break;
  }
  return 0;
}

Value read_file_1(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  std::string bytes;
  const int error = read_bytes(*path, 0, UINT32_MAX, bytes);
  return error != 0 ? failure(c, error) : success(c, c.heap.binary(std::string_view(bytes)));
}

// ---- Open files -------------------------------------------------------------

// What operations on a file that is not open give.
Value not_open(Context& c, Value reference) {
  return reference.is_reference() ? failure(c, EINVAL) : c.badarg();
}

// {Path, Position} of an open file.
struct OpenFile {
  std::string path;
  int64_t position;
};

Value& files_map(Machine& m) {
  Value& map = m.shared().files.open;
  if (map.is_none()) m.journal().set(map, empty_map(m.heap()));
  return map;
}

void set_file(Context& c, Value reference, Value path, int64_t position) {
  Value& map = files_map(c.machine);
  const Value entry = c.heap.tuple({path, c.heap.integer(position)});
  c.machine.journal().set(map, map_put(c.heap, map, reference, entry));
}

Value entry_of(Context& c, Value reference) {
  return reference.is_reference() ? map_get(files_map(c.machine), reference) : Value::none();
}

// Empty if it is closed.
std::optional<OpenFile> file_of(Context& c, Value reference) {
  const Value entry = entry_of(c, reference);
  if (entry.is_none()) return std::nullopt;
  return OpenFile{std::string(BytesOf(entry.element(0)).text()), *to_int64(entry.element(1))};
}

Value open_2(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  const auto modes = proper_items(a[1]);
  if (!modes) return c.badarg();
  const auto has = [&](std::string_view mode) {
    return std::ranges::find(*modes, atom(mode)) != modes->end();
  };
  if (has("write") || has("append") || has("exclusive")) return c.unsupported(kReadOnly);
  struct stat info {};
  if (stat(path->c_str(), &info) != 0) return failure(c, errno);
  if (S_ISDIR(info.st_mode) && !has("directory")) return failure(c, EISDIR);
  if (!S_ISDIR(info.st_mode) && has("directory")) return failure(c, ENOTDIR);
  if (access(path->c_str(), R_OK) != 0) return failure(c, errno);
  const Value reference = c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  set_file(c, reference, c.heap.binary(std::string_view(*path)), 0);
  return success(c, reference);
}

Value close_1(Context& c, const Value* a) {
  if (entry_of(c, a[0]).is_none()) return not_open(c, a[0]);
  Value& map = files_map(c.machine);
  c.machine.journal().set(map, map_remove(c.heap, map, a[0]));
  return Value(atoms::ok);
}

Value bytes_or_end(Context& c, std::string_view bytes, uint64_t wanted) {
  if (bytes.empty() && wanted > 0) return atom("eof");
  return success(c, c.heap.binary(bytes));
}

Value read_2(Context& c, const Value* a) {
  const auto size = small_in(a[1], 0, UINT32_MAX);
  const auto file = file_of(c, a[0]);
  if (!file || !size) return file ? c.badarg() : not_open(c, a[0]);
  std::string bytes;
  const int error = read_bytes(file->path, file->position, static_cast<uint64_t>(*size), bytes);
  if (error != 0) return failure(c, error);
  set_file(c, a[0], entry_of(c, a[0]).element(0),
           file->position + static_cast<int64_t>(bytes.size()));
  return bytes_or_end(c, bytes, static_cast<uint64_t>(*size));
}

Value pread_3(Context& c, const Value* a) {
  const auto offset = small_in(a[1], 0, INT64_MAX);
  const auto size = small_in(a[2], 0, UINT32_MAX);
  const auto file = file_of(c, a[0]);
  if (!file || !offset || !size) return file ? c.badarg() : not_open(c, a[0]);
  std::string bytes;
  const int error = read_bytes(file->path, *offset, static_cast<uint64_t>(*size), bytes);
  if (error != 0) return failure(c, error);
  return bytes_or_end(c, bytes, static_cast<uint64_t>(*size));
}

Value seek_3(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  if (!a[2].is_small()) return c.badarg();
  int64_t from = 0;
  if (a[1] == atom("cur")) {
    from = file->position;
  } else if (a[1] == atom("eof")) {
    struct stat info {};
    if (stat(file->path.c_str(), &info) != 0) return failure(c, errno);
    from = info.st_size;
  } else if (a[1] != atom("bof")) {
    return c.badarg();
  }
  const int64_t position = from + a[2].small();
  if (position < 0) return failure(c, EINVAL);
  set_file(c, a[0], entry_of(c, a[0]).element(0), position);
  return success(c, c.heap.integer(position));
}

Value advise_4(Context& c, const Value* a) {
  return file_of(c, a[0]) ? Value(atoms::ok) : not_open(c, a[0]);
}

// ---- Facts and directories --------------------------------------------------

std::string_view type_of(mode_t mode) {
  if (S_ISREG(mode)) return "regular";
  if (S_ISDIR(mode)) return "directory";
  if (S_ISLNK(mode)) return "symlink";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "device" : "other";
}

// A file_info record, times in seconds since 1970.
Value info_of(Context& c, const std::string& path, const struct stat& info) {
  const auto number = [&](auto n) { return c.heap.integer(static_cast<int64_t>(n)); };
  const bool can_read = access(path.c_str(), R_OK) == 0;
  const bool can_write = access(path.c_str(), W_OK) == 0;
  const std::string_view both = can_write ? "read_write" : "read";
  const std::string_view rest = can_write ? "write" : "none";
  const bool is_device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode);
  return c.heap.tuple({atom("file_info"), number(info.st_size), atom(type_of(info.st_mode)),
                       atom(can_read ? both : rest), number(info.st_atime), number(info.st_mtime),
                       number(info.st_ctime), number(info.st_mode), number(info.st_nlink),
                       number(info.st_dev), number(is_device ? info.st_rdev : 0),
                       number(info.st_ino), number(info.st_uid), number(info.st_gid)});
}

Value read_info_2(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  const bool follows = a[1] == Value::small(1);
  struct stat info {};
  const int got = follows ? stat(path->c_str(), &info) : lstat(path->c_str(), &info);
  return got != 0 ? failure(c, errno) : info_of(c, *path, info);
}

Value read_handle_info_1(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  struct stat info {};
  return stat(file->path.c_str(), &info) != 0 ? failure(c, errno) : info_of(c, file->path, info);
}

Value read_link_1(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  std::array<char, PATH_MAX> target{};
  const ssize_t size = readlink(path->c_str(), target.data(), target.size());
  if (size < 0) return failure(c, errno);
  return success(c, c.heap.binary(std::string_view(target.data(), static_cast<size_t>(size))));
}

// Sorted, so that every run sees the same order.
Value list_dir_1(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  DIR* const dir = opendir(path->c_str());
  if (!dir) return failure(c, errno);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  closedir(dir);
  std::ranges::sort(names, std::greater());
  std::vector<Value> items;
  items.reserve(names.size());
  for (const std::string& name : names) items.push_back(c.heap.binary(std::string_view(name)));
  return success(c, c.heap.list(items));
}

Value get_cwd_0(Context& c, const Value*) {
  if (!c.machine.limits().files) return c.unsupported("files are off");
  return success(c, c.heap.binary(std::string_view(current_dir(c.machine))));
}

Value set_cwd_1(Context& c, const Value* a) {
  const auto path = path_of(c, a[0]);
  if (!path) return Value::none();
  struct stat info {};
  if (stat(path->c_str(), &info) != 0) return failure(c, errno);
  if (!S_ISDIR(info.st_mode)) return failure(c, ENOTDIR);
  std::error_code error;
  const std::string real = std::filesystem::canonical(*path, error).string();
  if (error) return failure(c, error.value());
  c.machine.journal().set(c.machine.shared().files.current_dir,
                          c.heap.binary(std::string_view(real)));
  return Value(atoms::ok);
}

Value refuse(Context& c, const Value*) { return c.unsupported(kReadOnly); }

consteval NativeEntry refused(std::string_view name, uint32_t arity) {
  return {"prim_file", name, arity, refuse, true, kReadOnly};
}

constexpr NativeEntry kEntries[] = {
    {"prim_file", "internal_name2native", 1, internal_name2native_1},
    {"prim_file", "internal_native2name", 1, internal_native2name_1},
    {"prim_file", "internal_normalize_utf8", 1, internal_normalize_utf8_1},
    {"prim_file", "is_translatable", 1, is_translatable_1},
    {"prim_file", "open_nif", 2, open_2, false, kReadOnly},
    {"prim_file", "close_nif", 1, close_1},
    {"prim_file", "read_nif", 2, read_2},
    {"prim_file", "pread_nif", 3, pread_3},
    {"prim_file", "seek_nif", 3, seek_3},
    {"prim_file", "advise_nif", 4, advise_4},
    {"prim_file", "read_handle_info_nif", 1, read_handle_info_1},
    {"prim_file", "read_info_nif", 2, read_info_2},
    {"prim_file", "read_link_nif", 1, read_link_1},
    {"prim_file", "list_dir_nif", 1, list_dir_1},
    {"prim_file", "get_cwd_nif", 0, get_cwd_0},
    {"prim_file", "set_cwd_nif", 1, set_cwd_1},
    {"prim_file", "read_file_nif", 1, read_file_1},
    refused("write_nif", 2),
    refused("pwrite_nif", 3),
    refused("sync_nif", 2),
    refused("truncate_nif", 1),
    refused("allocate_nif", 3),
    refused("make_hard_link_nif", 2),
    refused("make_soft_link_nif", 2),
    refused("rename_nif", 2),
    refused("set_permissions_nif", 2),
    refused("set_owner_nif", 3),
    refused("set_time_nif", 4),
    refused("make_dir_nif", 1),
    refused("del_file_nif", 1),
    refused("del_dir_nif", 1),
    {"fathom_files", "refuse", 0, refuse, true, kReadOnly},
};

}  // namespace

std::span<const NativeEntry> file_natives() { return kEntries; }

}  // namespace fathom::machine
