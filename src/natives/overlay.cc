#include "natives/overlay.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <set>

#include "base/budget.h"
#include "machine/machine.h"
#include "natives/clock.h"
#include "values/arithmetic.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

constexpr int64_t kPage = 4096;
constexpr size_t kMaxName = 255;
constexpr int kMaxLinks = 40;

Value absent() { return atom("absent"); }

// What a map that may not be there yet has for the key.
Value get(Value map, Value key) { return map.is_none() ? Value::none() : map_get(map, key); }

// Its components are put on the stack of those to come, the first one on top.
void push_components(std::vector<std::string>& pending, std::string_view path) {
  size_t end = path.size();
  while (end > 0) {
    spend();
    const size_t slash = path.rfind('/', end - 1);
    const size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
    if (begin < end) pending.emplace_back(path.substr(begin, end - begin));
    end = slash == std::string_view::npos ? 0 : slash;
  }
}

std::string joined(const std::string& dir, std::string_view name) {
  std::string path = dir == "/" ? dir : dir + "/";
  path += name;
  return path;
}

mode_t creation_mask() {
  static const mode_t mask = [] {
    const mode_t old = umask(022);
    umask(old);
    return old;
  }();
  return mask;
}

}  // namespace

// ---- Nodes ------------------------------------------------------------------

FileNode Overlay::unpack(Value key, Value fields) {
  const auto number = [&](size_t i) { return *to_int64(fields.element(i)); };
  FileNode node;
  node.key = key;
  node.mode = static_cast<mode_t>(number(0));
  node.uid = number(1);
  node.gid = number(2);
  node.atime = number(3);
  node.mtime = number(4);
  node.ctime = number(5);
  node.links = number(6);
  node.size = number(7);
  node.lower_size = number(8);
  node.device = number(9);
  node.parts = fields.element(10);
  node.lower = BytesOf(fields.element(11)).text();
  return node;
}

void Overlay::store(const FileNode& node) {
  const auto number = [&](int64_t n) { return c_.heap.integer(n); };
  const Value fields =
      c_.heap.tuple({number(node.mode), number(node.uid), number(node.gid), number(node.atime),
                     number(node.mtime), number(node.ctime), number(node.links), number(node.size),
                     number(node.lower_size), number(node.device), node.parts,
                     c_.heap.binary(std::string_view(node.lower))});
  Value& nodes = c_.machine.shared().files.nodes;
  const Value before = nodes.is_none() ? empty_map(c_.heap) : nodes;
  c_.machine.journal().set(nodes, map_put(c_.heap, before, node.key, fields));
}

FileNode Overlay::from_disk(const std::string& path, const struct stat& info) {
  const auto number = [&](auto n) { return c_.heap.integer(static_cast<int64_t>(n)); };
  const Value key = c_.heap.tuple({number(info.st_dev), number(info.st_ino)});
  const Value changed = get(c_.machine.shared().files.nodes, key);
  if (!changed.is_none()) return unpack(key, changed);
  const bool is_device = S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode);
  FileNode node;
  node.key = key;
  node.mode = info.st_mode;
  node.uid = info.st_uid;
  node.gid = info.st_gid;
  node.atime = info.st_atime;
  node.mtime = info.st_mtime;
  node.ctime = info.st_ctime;
  node.links = static_cast<int64_t>(info.st_nlink);
  node.size = node.lower_size = info.st_size;
  node.device = is_device ? static_cast<int64_t>(info.st_rdev) : 0;
  node.parts = Value::nil();
  node.lower = path;
  return node;
}

std::optional<FileNode> Overlay::node(Value key, const std::string& lower) {
  const Value changed = get(c_.machine.shared().files.nodes, key);
  if (!changed.is_none()) return unpack(key, changed);
  struct stat info {};
  if (lstat(lower.c_str(), &info) != 0) return std::nullopt;
  return from_disk(lower, info);
}

FileNode Overlay::make(mode_t mode) {
  FileNode node;
  node.key = c_.heap.integer(c_.machine.numbers().reference(c_.machine.process()));
  node.mode = (mode & S_IFMT) | (S_ISLNK(mode) ? 0777 : (mode & 0777 & ~creation_mask()));
  node.uid = geteuid();
  node.gid = getegid();
  node.atime = node.mtime = node.ctime = now();
  node.size = S_ISDIR(mode) ? kPage : 0;
  node.links = S_ISDIR(mode) ? 1 : 0;
  node.parts = Value::nil();
  return node;
}

int64_t Overlay::now() {
  constexpr int64_t kSecond = 1'000'000'000;
  return (kSystemStart + c_.machine.clock().of(c_.machine.process())) / kSecond;
}

bool Overlay::allows(const FileNode& node, mode_t bits) {
  if (geteuid() == 0) return true;
  const bool is_owner = node.uid == static_cast<int64_t>(geteuid());
  const bool is_group = node.gid == static_cast<int64_t>(getegid());
  const int shift = is_owner ? 6 : (is_group ? 3 : 0);
  return (node.mode >> shift & bits) == bits;
}

// ---- Paths ------------------------------------------------------------------

std::string Overlay::current_dir() {
  reads_name("");
  const Value dir = c_.machine.shared().files.current_dir;
  if (!dir.is_none()) return std::string(BytesOf(dir).text());
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

std::optional<FileNode> Overlay::look_up(const FileNode& dir, const std::string& name, int& error) {
  error = 0;
  if (dir.parts.is_map()) {
    const Value there = map_get(dir.parts, c_.heap.binary(std::string_view(name)));
    if (there == absent()) return std::nullopt;
    if (!there.is_none()) return node(there, "");
  }
  if (dir.lower.empty()) return std::nullopt;
  const std::string path = joined(dir.lower, name);
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0) return from_disk(path, info);
  if (errno != ENOENT) error = errno;
  return std::nullopt;
}

FoundFile Overlay::find(std::string_view path, Follow follow) {
  FoundFile found;
  const auto fail = [&](int error) {
    found.error = error;
    return found;
  };
  if (path.empty()) return fail(ENOENT);
  if (path.size() >= PATH_MAX) return fail(ENAMETOOLONG);
  struct stat info {};
  if (lstat("/", &info) != 0) return fail(errno);
  std::vector<Step> steps{{from_disk("/", info), "/"}};
  std::vector<std::string> pending;
  push_components(pending, path);
  found.has_slash = path.back() == '/' && !pending.empty();
  if (path[0] != '/') push_components(pending, current_dir());
  found.last = FoundFile::Last::Root;
  for (int links = 0; !pending.empty();) {
    spend();
    const std::string name = std::move(pending.back());
    pending.pop_back();
    const Step& step = steps.back();
    if (!step.node.is_directory()) return fail(ENOTDIR);
    if (name.size() > kMaxName) return fail(ENAMETOOLONG);
    if (!allows(step.node, 1)) return fail(EACCES);
    if (name == "." || name == "..") {
      if (name == ".." && steps.size() > 1) steps.pop_back();
      found.last = name == "." ? FoundFile::Last::Dot : FoundFile::Last::DotDot;
      continue;
    }
    const std::string at = joined(step.path, name);
    reads_name(at);
    int error = 0;
    auto node = look_up(step.node, name, error);
    if (error != 0) return fail(error);
    const bool is_last = pending.empty();
    if (!node && !is_last) return fail(ENOENT);
    if (node && node->is_link() && (!is_last || follow == Follow::Yes)) {
      if (++links > kMaxLinks) return fail(ELOOP);
      const std::string to = target(*node);
      if (to.empty()) return fail(ENOENT);
      if (to[0] == '/') steps.resize(1);
      push_components(pending, to);
      found.last = FoundFile::Last::Root;
      continue;
    }
    if (is_last) {
      found.last = FoundFile::Last::Name;
      found.dir = step.node;
      found.name = name;
      found.path = at;
      found.node = std::move(node);
      return found;
    }
    steps.push_back({std::move(*node), at});
    found.last = FoundFile::Last::Dot;
  }
  found.path = steps.back().path;
  found.node = std::move(steps.back().node);
  return found;
}

std::string Overlay::target(const FileNode& link) {
  if (link.parts.is_binary()) return std::string(BytesOf(link.parts).text());
  std::array<char, PATH_MAX> text{};
  const ssize_t size = readlink(link.lower.c_str(), text.data(), text.size());
  return size < 0 ? "" : std::string(text.data(), static_cast<size_t>(size));
}

// ---- Directories ------------------------------------------------------------

void Overlay::change_entry(FileNode dir, const std::string& name, Value what) {
  if (c_.machine.events().is_recording()) {
    c_.machine.events().access(SharedObject::Directory, AccessMode::Append, 0, dir.key);
  }
  const Value entries = dir.parts.is_map() ? dir.parts : empty_map(c_.heap);
  const Value key = c_.heap.binary(std::string_view(name));
  const bool is_known = dir.lower.empty() && what == absent();
  dir.parts = is_known ? map_remove(c_.heap, entries, key) : map_put(c_.heap, entries, key, what);
  touch(dir);
  store(dir);
}

// The directory may have changed since it was found: it is looked at again.
void Overlay::add_entry(const FoundFile& at, FileNode node) {
  ++node.links;
  node.ctime = now();
  store(node);
  FileNode dir = *this->node(at.dir.key, at.dir.lower);
  if (node.is_directory()) ++dir.links;
  change_entry(std::move(dir), at.name, node.key);
}

void Overlay::remove_entry(const FoundFile& at, FileNode node) {
  --node.links;
  node.ctime = now();
  store(node);
  FileNode dir = *this->node(at.dir.key, at.dir.lower);
  if (node.is_directory()) --dir.links;
  change_entry(std::move(dir), at.name, absent());
}

std::vector<std::string> Overlay::names(const FileNode& dir, int& error) {
  std::set<std::string> names;
  error = 0;
  if (!dir.lower.empty()) {
    DIR* const stream = opendir(dir.lower.c_str());
    if (!stream) {
      error = errno;
      return {};
    }
    while (const dirent* entry = readdir(stream)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace(name);
    }
    closedir(stream);
  }
  if (dir.parts.is_map()) {
    MapPairs pairs(dir.parts);
    for (Value name, what; pairs.next(name, what);) {
      spend();
      std::string text(BytesOf(name).text());
      if (what == absent()) {
        names.erase(text);
      } else {
        names.insert(std::move(text));
      }
    }
  }
  return {names.begin(), names.end()};
}

bool Overlay::is_empty(const FileNode& dir) {
  int error = 0;
  return names(dir, error).empty();
}

// ---- Contents ---------------------------------------------------------------

int read_disk(const std::string& path, int64_t offset, uint64_t size, std::string& bytes) {
  constexpr uint64_t kPortion = 1 << 16;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno;
  int error = 0;
  while (bytes.size() < size && error == 0) {
    const size_t before = bytes.size();
    bytes.resize(before + std::min(kPortion, size - before));
    const ssize_t got = pread(file, bytes.data() + before, bytes.size() - before,
                              offset + static_cast<int64_t>(before));
    bytes.resize(before + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) error = errno;
    if (got == 0) break;
  }
  close(file);
  return error;
}

// One page of a file, without the zeros behind what it has.
std::string Overlay::page(const FileNode& file, int64_t number, int& error) {
  const Value written =
      file.parts.is_map() ? map_get(file.parts, Value::small(number)) : Value::none();
  if (!written.is_none()) return std::string(BytesOf(written).text());
  std::string bytes;
  const int64_t left = std::min(kPage, file.lower_size - number * kPage);
  if (left > 0) {
    error = read_disk(file.lower, number * kPage, static_cast<uint64_t>(left), bytes);
  }
  return bytes;
}

std::string Overlay::read(const FileNode& file, int64_t offset, uint64_t size, int& error) {
  std::string bytes;
  error = 0;
  // Devices, and files of /proc, have no size of their own.
  if (!file.parts.is_map() && !file.lower.empty()) {
    const bool is_cut = file.is_regular() && file.lower_size < file.size;
    const bool is_short = file.is_regular() && file.lower_size > 0;
    if (!is_cut) {
      const auto left = static_cast<uint64_t>(std::max<int64_t>(file.lower_size - offset, 0));
      error = read_disk(file.lower, offset, is_short ? std::min(size, left) : size, bytes);
      return bytes;
    }
  }
  const int64_t end =
      offset + static_cast<int64_t>(
                   std::min(size, static_cast<uint64_t>(std::max<int64_t>(file.size - offset, 0))));
  for (int64_t at = offset; at < end && error == 0;) {
    spend();
    const int64_t number = at / kPage;
    const int64_t until = std::min(end, (number + 1) * kPage);
    std::string whole = page(file, number, error);
    whole.resize(kPage, '\0');
    bytes.append(whole, static_cast<size_t>(at - number * kPage), static_cast<size_t>(until - at));
    at = until;
  }
  return bytes;
}

void Overlay::write(FileNode& file, int64_t offset, std::string_view bytes) {
  Value pages = file.parts.is_map() ? file.parts : empty_map(c_.heap);
  const int64_t end = offset + static_cast<int64_t>(bytes.size());
  for (int64_t at = offset; at < end;) {
    spend();
    const int64_t number = at / kPage;
    const int64_t until = std::min(end, (number + 1) * kPage);
    int error = 0;
    std::string whole = page(file, number, error);
    const auto from = static_cast<size_t>(at - number * kPage);
    const auto count = static_cast<size_t>(until - at);
    whole.resize(std::max(whole.size(), from + count), '\0');
    whole.replace(from, count, bytes.substr(static_cast<size_t>(at - offset), count));
    pages = map_put(c_.heap, pages, Value::small(number), c_.heap.binary(std::string_view(whole)));
    at = until;
  }
  file.parts = pages;
  file.size = std::max(file.size, end);
  touch(file);
  store(file);
}

void Overlay::truncate(FileNode& file, int64_t size) {
  if (size < file.size) {
    std::vector<Value> kept;
    const int64_t last = size / kPage;
    if (file.parts.is_map()) {
      MapPairs pairs(file.parts);
      for (Value number, bytes; pairs.next(number, bytes);) {
        spend();
        if (number.small() > last) continue;
        const auto bits = static_cast<uint64_t>(size - last * kPage) * 8;
        const bool is_cut = number.small() == last && bytes.bit_size() > bits;
        kept.insert(kept.end(), {number, is_cut ? c_.heap.sub_bits(bytes, 0, bits) : bytes});
      }
    }
    file.parts = map_from_pairs(c_.heap, kept);
    file.lower_size = std::min(file.lower_size, size);
  } else if (!file.parts.is_map()) {
    file.parts = empty_map(c_.heap);
  }
  file.size = size;
  touch(file);
  store(file);
}

bool has_own_files(Machine& m) {
  const Files& files = m.shared().files;
  return m.limits().files && !(files.nodes.is_none() && files.current_dir.is_none());
}

std::optional<std::string> written_file(Context& c, std::string_view path) {
  if (!has_own_files(c.machine)) return std::nullopt;
  Overlay overlay(c);
  const FoundFile found = overlay.find(path, Follow::Yes);
  if (found.error != 0 || !found.node || !found.node->is_regular()) return std::nullopt;
  const bool is_own = found.node->lower.empty() || found.node->parts.is_map();
  if (!is_own) return std::nullopt;
  int error = 0;
  std::string bytes = overlay.read(*found.node, 0, static_cast<uint64_t>(found.node->size), error);
  return error == 0 ? std::optional(std::move(bytes)) : std::nullopt;
}

// ---- Accesses ---------------------------------------------------------------

void Overlay::reads_name(std::string_view path) {
  EventRecorder& events = c_.machine.events();
  if (!events.is_recording()) return;
  events.access(SharedObject::FileName, AccessMode::Read, 0, c_.heap.binary(path));
}

// It is created or removed, unless that fails; a read: it would be if it were not there.
void Overlay::tries_name(std::string_view path, AccessMode mode) {
  EventRecorder& events = c_.machine.events();
  if (!events.is_recording()) return;
  events.access(Access{SharedObject::FileName, mode, 0, c_.heap.binary(path), Value::none(), true});
}

void Overlay::reads(const FileNode& node) {
  const auto object = node.is_directory() ? SharedObject::Directory : SharedObject::File;
  c_.machine.events().access(object, AccessMode::Read, 0, node.key);
}

void Overlay::writes(const FileNode& node) {
  const auto object = node.is_directory() ? SharedObject::Directory : SharedObject::File;
  c_.machine.events().access(object, AccessMode::Write, 0, node.key);
}

}  // namespace fathom::machine
