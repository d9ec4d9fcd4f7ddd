// prim_file: names of files, and open files.
//
// What is written stays in memory (overlay.h). Files as a whole can be turned off
// (Limits::files). An open file is its key, a position, flags and a number, in a map
// (SharedState::files), so that going back is one word. A file on the disk is opened and closed
// again by each reading.
//
// Errors are those of the system, by their POSIX names.
#include <fcntl.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>

#include "base/utf8.h"
#include "machine/machine.h"
#include "natives/families.h"
#include "natives/overlay.h"
#include "values/arithmetic.h"
#include "values/char_lists.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine {
namespace {

struct ErrorName {
  int code;
  std::string_view name;
};
constexpr ErrorName kErrors[] = {
    {EACCES, "eacces"},   {EBADF, "ebadf"},     {EBUSY, "ebusy"},
    {EEXIST, "eexist"},   {EFBIG, "efbig"},     {EINVAL, "einval"},
    {EIO, "eio"},         {EISDIR, "eisdir"},   {ELOOP, "eloop"},
    {EMFILE, "emfile"},   {EMLINK, "emlink"},   {ENFILE, "enfile"},
    {ENODEV, "enodev"},   {ENOENT, "enoent"},   {ENAMETOOLONG, "enametoolong"},
    {ENOMEM, "enomem"},   {ENOSPC, "enospc"},   {ENOTSUP, "enotsup"},
    {ENXIO, "enxio"},     {ENOTDIR, "enotdir"}, {EOVERFLOW, "eoverflow"},
    {EPERM, "eperm"},     {EROFS, "erofs"},     {ESPIPE, "espipe"},
    {ETXTBSY, "etxtbsy"}, {EXDEV, "exdev"},
};

}  // namespace

Value file_failure(Context& c, int code) {
  const auto* it = std::ranges::find(kErrors, code, &ErrorName::code);
  return c.heap.tuple({Value(atoms::error), atom(it == std::end(kErrors) ? "unknown" : it->name)});
}

Value file_success(Context& c, Value value) { return c.heap.tuple({Value(atoms::ok), value}); }

std::optional<std::string> path_argument(Context& c, Value name) {
  if (!c.machine.limits().files) {
    c.unsupported("files are off");
    return std::nullopt;
  }
  if (!name.is_binary()) {
    c.badarg();
    return std::nullopt;
  }
  std::string path(BytesOf(name).text());
  if (!path.empty() && path.back() == '\0') path.pop_back();
  if (path.find('\0') != std::string::npos) {
    c.badarg();
    return std::nullopt;
  }
  return path;
}

}  // namespace fathom::machine

namespace fathom::machine::file_natives {
namespace {

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

// ---- Open files -------------------------------------------------------------

enum OpenFlags : uint8_t { kReading = 1, kWriting = 2, kAppending = 4 };

struct OpenFile {
  Value reference;
  Value key;
  int64_t position;
  int64_t flags;
  Value lower;
};

Value& files_map(Machine& m) {
  Value& map = m.shared().files.open;
  if (map.is_none()) m.journal().set(map, empty_map(m.heap()));
  return map;
}

void set_file(Context& c, const OpenFile& file) {
  Value& map = files_map(c.machine);
  const Value entry =
      c.heap.tuple({file.key, c.heap.integer(file.position), Value::small(file.flags), file.lower});
  c.machine.journal().set(map, map_put(c.heap, map, file.reference, entry));
}

// Empty if it is closed.
std::optional<OpenFile> file_of(Context& c, Value reference) {
  const Value map = c.machine.shared().files.open;
  if (!reference.is_reference() || map.is_none()) return std::nullopt;
  const Value entry = map_get(map, reference);
  if (entry.is_none()) return std::nullopt;
  return OpenFile{reference, entry.element(0), *to_int64(entry.element(1)),
                  entry.element(2).small(), entry.element(3)};
}

std::optional<FileNode> node_of(Context& c, const OpenFile& file) {
  return Overlay(c).node(file.key, std::string(BytesOf(file.lower).text()));
}

// What operations on a file that is not open give.
Value not_open(Context& c, Value reference) {
  return reference.is_reference() ? file_failure(c, EINVAL) : c.badarg();
}

int64_t flags_of(const std::vector<Value>& modes) {
  const auto has = [&](std::string_view mode) {
    return std::ranges::find(modes, atom(mode)) != modes.end();
  };
  int64_t flags = has("read") ? kReading : 0;
  if (has("write") || has("append") || has("exclusive")) flags |= kWriting;
  if (has("append")) flags |= kAppending;
  return flags == 0 ? int64_t{kReading} : flags;
}

bool is_null_device(const FileNode& node) {
  return S_ISCHR(node.mode) && node.device == static_cast<int64_t>(makedev(1, 3));
}

// 0 or what is wrong with opening what is there.
int refusal(const FileNode& node, int64_t flags, bool wants_directory) {
  const bool writes = (flags & kWriting) != 0;
  if (node.is_directory() && writes) return EISDIR;
  if (node.is_directory() != wants_directory) return wants_directory ? ENOTDIR : EISDIR;
  const mode_t wanted = ((flags & kReading) != 0 ? 4 : 0) | (writes ? 2 : 0);
  if (!Overlay::allows(node, wanted)) return EACCES;
  // What the disk itself refuses: a terminal that is not there.
  std::string nothing;
  return node.lower.empty() || node.is_regular() ? 0 : read_disk(node.lower, 0, 0, nothing);
}

Value opened(Context& c, const FileNode& node, int64_t flags) {
  const Value reference = c.heap.reference(c.machine.numbers().reference(c.machine.process()));
  set_file(c, {reference, node.key, 0, flags, c.heap.binary(std::string_view(node.lower))});
  return file_success(c, reference);
}

Value open_2(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  const auto modes = proper_items(a[1]);
  if (!modes) return c.badarg();
  const auto has = [&](std::string_view mode) {
    return std::ranges::find(*modes, atom(mode)) != modes->end();
  };
  const int64_t flags = flags_of(*modes);
  const bool writes = (flags & kWriting) != 0;
  if (writes && has("directory")) return file_failure(c, EINVAL);
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, has("exclusive") ? Follow::No : Follow::Yes);
  if (found.error != 0) return file_failure(c, found.error);
  if (writes) {
    overlay.tries_name(found.path, found.node ? AccessMode::Read : AccessMode::Write);
  }
  if (!found.node) {
    if (!writes) return file_failure(c, ENOENT);
    if (found.has_slash) return file_failure(c, EISDIR);
    if (!Overlay::allows(found.dir, 3)) return file_failure(c, EACCES);
    const FileNode node = overlay.make(S_IFREG | 0666);
    overlay.add_entry(found, node);
    return opened(c, node, flags);
  }
  FileNode node = *found.node;
  if (writes && has("exclusive")) return file_failure(c, EEXIST);
  if (found.has_slash && !node.is_directory()) return file_failure(c, writes ? EISDIR : ENOTDIR);
  if (const int error = refusal(node, flags, has("directory")); error != 0) {
    return file_failure(c, error);
  }
  if (flags == kWriting && node.is_regular()) {
    overlay.writes(node);
    overlay.truncate(node, 0);
  }
  return opened(c, node, flags);
}

Value close_1(Context& c, const Value* a) {
  if (!file_of(c, a[0])) return not_open(c, a[0]);
  Value& map = files_map(c.machine);
  c.machine.journal().set(map, map_remove(c.heap, map, a[0]));
  return Value(atoms::ok);
}

// ---- Reading ----------------------------------------------------------------

// Up to so many bytes; 0 or what went wrong.
int read_open(Context& c, const OpenFile& file, int64_t offset, uint64_t size, std::string& bytes) {
  if ((file.flags & kReading) == 0) return EBADF;
  const auto node = node_of(c, file);
  if (!node) return errno;
  Overlay overlay(c);
  overlay.reads(*node);
  if (node->is_directory()) return EISDIR;
  int error = 0;
  bytes = overlay.read(*node, offset, size, error);
  return error;
}

Value bytes_or_end(Context& c, std::string_view bytes, uint64_t wanted) {
  if (bytes.empty() && wanted > 0) return atom("eof");
  return file_success(c, c.heap.binary(bytes));
}

Value read_2(Context& c, const Value* a) {
  const auto size = small_in(a[1], 0, UINT32_MAX);
  auto file = file_of(c, a[0]);
  if (!file || !size) return file ? c.badarg() : not_open(c, a[0]);
  std::string bytes;
  const int error = read_open(c, *file, file->position, static_cast<uint64_t>(*size), bytes);
  if (error != 0) return file_failure(c, error);
  file->position += static_cast<int64_t>(bytes.size());
  if (!bytes.empty()) set_file(c, *file);
  return bytes_or_end(c, bytes, static_cast<uint64_t>(*size));
}

Value pread_3(Context& c, const Value* a) {
  const auto offset = small_in(a[1], 0, INT64_MAX);
  const auto size = small_in(a[2], 0, UINT32_MAX);
  const auto file = file_of(c, a[0]);
  if (!file || !offset || !size) return file ? c.badarg() : not_open(c, a[0]);
  std::string bytes;
  const int error = read_open(c, *file, *offset, static_cast<uint64_t>(*size), bytes);
  if (error != 0) return file_failure(c, error);
  return bytes_or_end(c, bytes, 1);
}

// Where dets keeps an object: its size and its place, 32 bits each, and then the object.
Value ipread_3(Context& c, const Value* a) {
  const auto offset = small_in(a[1], 0, INT64_MAX);
  const auto most = small_in(a[2], 0, INT64_MAX);
  const auto file = file_of(c, a[0]);
  if (!file || !offset || !most) return file ? c.badarg() : not_open(c, a[0]);
  std::string head;
  if (const int error = read_open(c, *file, *offset, 8, head); error != 0) {
    return file_failure(c, error);
  }
  if (head.size() < 8) return atom("eof");
  const auto number = [&](size_t at) {
    uint32_t n = 0;
    for (size_t i = at; i < at + 4; ++i) n = n << 8 | static_cast<uint8_t>(head[i]);
    return int64_t{n};
  };
  if (number(0) > *most) return atom("eof");
  std::string bytes;
  const int error = read_open(c, *file, number(4), static_cast<uint64_t>(number(0)), bytes);
  if (error != 0) return file_failure(c, error);
  const Value data = bytes.empty() ? atom("eof") : c.heap.binary(std::string_view(bytes));
  return file_success(c,
                      c.heap.tuple({c.heap.integer(number(0)), c.heap.integer(number(4)), data}));
}

Value read_file_1(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::Yes);
  if (found.error != 0) return file_failure(c, found.error);
  if (!found.node) return file_failure(c, ENOENT);
  if (found.has_slash && !found.node->is_directory()) return file_failure(c, ENOTDIR);
  if (found.node->is_directory()) return file_failure(c, EISDIR);
  if (!Overlay::allows(*found.node, 4)) return file_failure(c, EACCES);
  overlay.reads(*found.node);
  int error = 0;
  const std::string bytes = overlay.read(*found.node, 0, UINT32_MAX, error);
  return error != 0 ? file_failure(c, error)
                    : file_success(c, c.heap.binary(std::string_view(bytes)));
}

// ---- Writing ----------------------------------------------------------------

// The node of a file that is open for writing; none() or what to return instead in `answer`.
std::optional<FileNode> written_node(Context& c, const OpenFile& file, int wrong_mode,
                                     Value& answer) {
  auto node = node_of(c, file);
  if (!node) {
    answer = file_failure(c, errno);
  } else if ((file.flags & kWriting) == 0) {
    answer = file_failure(c, wrong_mode);
  } else if (is_null_device(*node)) {
    answer = Value(atoms::ok);
  } else if (!node->is_regular()) {
    answer = c.unsupported("writing to a device");
  } else {
    Overlay(c).writes(*node);
    return node;
  }
  return std::nullopt;
}

Value write_at(Context& c, OpenFile file, int64_t offset, Value data, bool moves) {
  std::string bytes;
  if (!append_iolist(bytes, data)) return c.badarg();
  if (bytes.empty()) return Value(atoms::ok);  // OTP has nothing to ask the system for
  Value answer;
  auto node = written_node(c, file, EBADF, answer);
  if (!node) return answer;
  if ((file.flags & kAppending) != 0) offset = node->size;
  Overlay(c).write(*node, offset, bytes);
  file.position = offset + static_cast<int64_t>(bytes.size());
  if (moves) set_file(c, file);
  return Value(atoms::ok);
}

Value write_2(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  return file ? write_at(c, *file, file->position, a[1], true) : not_open(c, a[0]);
}

Value pwrite_3(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  const auto offset = small_in(a[1], INT64_MIN, INT64_MAX);
  if (!offset) return c.badarg();
  if (*offset < 0) return file_failure(c, EINVAL);
  return write_at(c, *file, *offset, a[2], false);
}

Value truncate_1(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  Value answer;
  auto node = written_node(c, *file, EINVAL, answer);
  if (!node) return answer;
  Overlay(c).truncate(*node, file->position);
  return Value(atoms::ok);
}

Value allocate_3(Context& c, const Value* a) {
  const auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  const auto offset = small_in(a[1], INT64_MIN, INT64_MAX);
  const auto length = small_in(a[2], INT64_MIN, INT64_MAX);
  if (!offset || !length) return c.badarg();
  if (*offset < 0 || *length <= 0) return file_failure(c, EINVAL);
  Value answer;
  auto node = written_node(c, *file, EBADF, answer);
  if (!node) return answer;
  if (*offset + *length > node->size) Overlay(c).truncate(*node, *offset + *length);
  return Value(atoms::ok);
}

Value sync_2(Context& c, const Value* a) {
  return file_of(c, a[0]) ? Value(atoms::ok) : not_open(c, a[0]);
}

Value seek_3(Context& c, const Value* a) {
  auto file = file_of(c, a[0]);
  if (!file) return not_open(c, a[0]);
  if (!a[2].is_small()) return c.badarg();
  int64_t from = 0;
  if (a[1] == atom("cur")) {
    from = file->position;
  } else if (a[1] == atom("eof")) {
    const auto node = node_of(c, *file);
    if (!node) return file_failure(c, errno);
    Overlay(c).reads(*node);
    from = node->size;
  } else if (a[1] != atom("bof")) {
    return c.badarg();
  }
  const int64_t position = from + a[2].small();
  if (position < 0) return file_failure(c, EINVAL);
  file->position = position;
  set_file(c, *file);
  return file_success(c, c.heap.integer(position));
}

Value advise_4(Context& c, const Value* a) {
  constexpr std::string_view kAdvice[] = {"normal",    "random",    "sequential",
                                          "will_need", "dont_need", "no_reuse"};
  if (!file_of(c, a[0])) return not_open(c, a[0]);
  const bool is_known =
      a[3].is_atom() && std::ranges::find(kAdvice, a[3].atom().text()) != std::end(kAdvice);
  return is_known ? Value(atoms::ok) : file_failure(c, EINVAL);
}

// fathom_disk:write_file(Name, Bytes): what the file server does for write_file/2, in one step.
Value write_file_2(Context& c, const Value* a) {
  const Value mode = atom("write");
  const Value open_arguments[] = {a[0], c.heap.list({&mode, 1})};
  const Value file = open_2(c, open_arguments);
  if (file.is_none() || file.element(0) != Value(atoms::ok)) return file;
  const Value write_arguments[] = {file.element(1), a[1]};
  const Value written = write_2(c, write_arguments);
  return written.is_none() || close_1(c, &write_arguments[0]).is_none() ? Value::none() : written;
}

constexpr NativeEntry kEntries[] = {
    {"fathom_disk", "write_file", 2, write_file_2, true},
    {"prim_file", "internal_name2native", 1, internal_name2native_1},
    {"prim_file", "internal_native2name", 1, internal_native2name_1},
    {"prim_file", "internal_normalize_utf8", 1, internal_normalize_utf8_1},
    {"prim_file", "is_translatable", 1, is_translatable_1},
    {"prim_file", "open_nif", 2, open_2},
    {"prim_file", "close_nif", 1, close_1},
    {"prim_file", "delayed_close_nif", 1, close_1},
    {"prim_file", "read_nif", 2, read_2},
    {"prim_file", "pread_nif", 3, pread_3},
    {"prim_file", "ipread_s32bu_p32bu_nif", 3, ipread_3},
    {"prim_file", "read_file_nif", 1, read_file_1},
    {"prim_file", "write_nif", 2, write_2},
    {"prim_file", "pwrite_nif", 3, pwrite_3},
    {"prim_file", "truncate_nif", 1, truncate_1},
    {"prim_file", "allocate_nif", 3, allocate_3},
    {"prim_file", "sync_nif", 2, sync_2},
    {"prim_file", "seek_nif", 3, seek_3},
    {"prim_file", "advise_nif", 4, advise_4},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::file_natives

namespace fathom::machine {

std::optional<FileNode> open_file_node(Context& c, Value reference, Value& answer) {
  const auto file = file_natives::file_of(c, reference);
  if (!file) {
    answer = file_natives::not_open(c, reference);
    return std::nullopt;
  }
  auto node = file_natives::node_of(c, *file);
  if (!node) answer = file_failure(c, errno);
  return node;
}

}  // namespace fathom::machine
