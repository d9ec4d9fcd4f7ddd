// prim_file: directories, links and the properties of files (overlay.h).
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "machine/machine.h"
#include "natives/families.h"
#include "natives/overlay.h"
#include "values/compare.h"
#include "values/lists.h"

namespace fathom::machine::file_tree_natives {
namespace {

using Last = FoundFile::Last;

std::string_view type_of(mode_t mode) {
  if (S_ISREG(mode)) return "regular";
  if (S_ISDIR(mode)) return "directory";
  if (S_ISLNK(mode)) return "symlink";
  return S_ISCHR(mode) || S_ISBLK(mode) ? "device" : "other";
}

// ---- Properties -------------------------------------------------------------

// A file_info record, times in seconds since 1970. `accessed`: what a link leads to.
Value info_of(Context& c, const FileNode& node, const FileNode* accessed) {
  const auto number = [&](auto n) { return c.heap.integer(static_cast<int64_t>(n)); };
  const bool can_read = accessed && Overlay::allows(*accessed, 4);
  const bool can_write = accessed && Overlay::allows(*accessed, 2);
  const std::string_view both = can_write ? "read_write" : "read";
  const std::string_view rest = can_write ? "write" : "none";
  const bool is_on_disk = node.key.is_tuple();
  return c.heap.tuple(
      {atom("file_info"), number(node.size), atom(type_of(node.mode)), atom(can_read ? both : rest),
       number(node.atime), number(node.mtime), number(node.ctime), number(node.mode),
       number(node.links), is_on_disk ? node.key.element(0) : Value::small(0), number(node.device),
       is_on_disk ? node.key.element(1) : node.key, number(node.uid), number(node.gid)});
}

// What a path leads to; none() or what to return instead in `answer`.
std::optional<FileNode> found_node(Context& c, Value name, Follow follow, Value& answer) {
  const auto path = path_argument(c, name);
  answer = Value::none();
  if (!path) return std::nullopt;
  // A slash behind a link means what it leads to.
  if (path->ends_with('/')) follow = Follow::Yes;
  const FoundFile found = Overlay(c).find(*path, follow);
  int error = found.error;
  if (error == 0 && !found.node) error = ENOENT;
  if (error == 0 && found.has_slash && !found.node->is_directory()) error = ENOTDIR;
  if (error == 0) return found.node;
  answer = file_failure(c, error);
  return std::nullopt;
}

Value read_info_2(Context& c, const Value* a) {
  Value answer;
  const Follow follow = a[1] == Value::small(1) ? Follow::Yes : Follow::No;
  const auto node = found_node(c, a[0], follow, answer);
  if (!node) return answer;
  Overlay(c).reads(*node);
  if (!node->is_link()) return info_of(c, *node, &*node);
  const auto accessed = found_node(c, a[0], Follow::Yes, answer);
  return info_of(c, *node, accessed ? &*accessed : nullptr);
}

Value read_handle_info_1(Context& c, const Value* a) {
  Value answer;
  const auto node = open_file_node(c, a[0], answer);
  if (!node) return answer;
  Overlay(c).reads(*node);
  return info_of(c, *node, &*node);
}

// Who may change the properties of a file: its owner.
bool owns(const FileNode& node) {
  return geteuid() == 0 || node.uid == static_cast<int64_t>(geteuid());
}

Value set_permissions_2(Context& c, const Value* a) {
  constexpr mode_t kChangeable = 06777;
  Value answer;
  const auto mode = small_in(a[1], 0, UINT32_MAX);
  auto node = found_node(c, a[0], Follow::Yes, answer);
  if (!node || !mode) return node ? c.badarg() : answer;
  if (!owns(*node)) return file_failure(c, EPERM);
  Overlay overlay(c);
  overlay.writes(*node);
  node->mode =
      (node->mode & ~static_cast<mode_t>(07777)) | (static_cast<mode_t>(*mode) & kChangeable);
  node->ctime = overlay.now();
  overlay.store(*node);
  return Value(atoms::ok);
}

// -1 leaves the owner or group as it is.
Value set_owner_3(Context& c, const Value* a) {
  Value answer;
  const auto uid = small_in(a[1], -1, UINT32_MAX);
  const auto gid = small_in(a[2], -1, UINT32_MAX);
  auto node = found_node(c, a[0], Follow::Yes, answer);
  if (!node || !uid || !gid) return node ? c.badarg() : answer;
  const bool changes = (*uid >= 0 && *uid != node->uid) || (*gid >= 0 && *gid != node->gid);
  if (geteuid() != 0 && (changes || !owns(*node))) return file_failure(c, EPERM);
  Overlay overlay(c);
  overlay.writes(*node);
  if (*uid >= 0) node->uid = *uid;
  if (*gid >= 0) node->gid = *gid;
  if (!node->is_directory()) {
    const bool is_group_executable = (node->mode & S_IXGRP) != 0;
    node->mode &= ~static_cast<mode_t>(S_ISUID | (is_group_executable ? S_ISGID : 0));
  }
  node->ctime = overlay.now();
  overlay.store(*node);
  return Value(atoms::ok);
}

// Access and modification; that of the last change is now, whatever the fourth argument says.
Value set_time_4(Context& c, const Value* a) {
  Value answer;
  const auto accessed = small_in(a[1], INT64_MIN, INT64_MAX);
  const auto modified = small_in(a[2], INT64_MIN, INT64_MAX);
  auto node = found_node(c, a[0], Follow::Yes, answer);
  if (!node || !accessed || !modified) return node ? c.badarg() : answer;
  if (!owns(*node)) return file_failure(c, EPERM);
  Overlay overlay(c);
  overlay.writes(*node);
  node->atime = *accessed;
  node->mtime = *modified;
  node->ctime = overlay.now();
  overlay.store(*node);
  return Value(atoms::ok);
}

// fathom_disk:write_info(Name, Uid, Gid, Mode or undefined, Accessed, Modified, Changed): what the
// file server does for write_file_info, in one step.
Value write_info_7(Context& c, const Value* a) {
  const auto is_done = [&](Value answer) { return answer == Value(atoms::ok); };
  const Value owned = set_owner_3(c, a);
  if (!is_done(owned)) return owned;
  const Value mode[] = {a[0], a[3]};
  const Value permitted =
      a[3] == Value(atoms::undefined) ? Value(atoms::ok) : set_permissions_2(c, mode);
  if (!is_done(permitted)) return permitted;
  const Value times[] = {a[0], a[4], a[5], a[6]};
  return set_time_4(c, times);
}

// ---- Directories ------------------------------------------------------------

// Sorted, so that every run sees the same order.
Value list_dir_1(Context& c, const Value* a) {
  Value answer;
  const auto node = found_node(c, a[0], Follow::Yes, answer);
  if (!node) return answer;
  if (!node->is_directory()) return file_failure(c, ENOTDIR);
  if (!Overlay::allows(*node, 4)) return file_failure(c, EACCES);
  Overlay overlay(c);
  overlay.reads(*node);
  int error = 0;
  std::vector<std::string> names = overlay.names(*node, error);
  if (error != 0) return file_failure(c, error);
  std::vector<Value> items;
  items.reserve(names.size());
  for (const std::string& name : names) items.push_back(c.heap.binary(std::string_view(name)));
  std::ranges::reverse(items);
  return file_success(c, c.heap.list(items));
}

Value get_cwd_0(Context& c, const Value*) {
  if (!c.machine.limits().files) return c.unsupported("files are off");
  Overlay overlay(c);
  const std::string path = overlay.current_dir();
  const FoundFile found = overlay.find(path, Follow::No);
  if (found.error != 0 || !found.node) return file_failure(c, ENOENT);
  return file_success(c, c.heap.binary(std::string_view(path)));
}

Value set_cwd_1(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::Yes);
  if (found.error != 0) return file_failure(c, found.error);
  if (!found.node) return file_failure(c, ENOENT);
  if (!found.node->is_directory()) return file_failure(c, ENOTDIR);
  if (!Overlay::allows(*found.node, 1)) return file_failure(c, EACCES);
  overlay.tries_name("");
  c.machine.journal().set(c.machine.shared().files.current_dir,
                          c.heap.binary(std::string_view(found.path)));
  return Value(atoms::ok);
}

// Where something is to be made: 0 or what stands in the way.
int obstacle(Overlay& overlay, const FoundFile& found) {
  if (found.error != 0) return found.error;
  if (found.last == Last::Name) overlay.tries_name(found.path);
  if (found.node) return EEXIST;
  return Overlay::allows(found.dir, 3) ? 0 : EACCES;
}

Value make_dir_1(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::No);
  if (const int error = obstacle(overlay, found); error != 0) return file_failure(c, error);
  overlay.add_entry(found, overlay.make(S_IFDIR | 0777));
  return Value(atoms::ok);
}

// A directory that a program is in may be removed, but not if it is full; the system's error then
// is one of OTP's own.
int why_not_removed(Overlay& overlay, const FoundFile& found) {
  const FileNode& node = *found.node;
  if (!node.is_directory()) return ENOTDIR;
  if (found.last == Last::Root) return EBUSY;
  if (found.last == Last::Dot) return EINVAL;
  if (!overlay.is_empty(node) || found.last == Last::DotDot) {
    return found.path == overlay.current_dir() ? EINVAL : EEXIST;
  }
  return Overlay::allows(found.dir, 3) ? 0 : EACCES;
}

Value del_dir_1(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::No);
  if (found.error != 0) return file_failure(c, found.error);
  if (!found.node) return file_failure(c, ENOENT);
  if (found.last == Last::Name) overlay.tries_name(found.path);
  overlay.reads(*found.node);
  const int error = why_not_removed(overlay, found);
  if (error != 0) return file_failure(c, error);
  overlay.writes(*found.node);
  overlay.remove_entry(found, *found.node);
  return Value(atoms::ok);
}

Value del_file_1(Context& c, const Value* a) {
  const auto path = path_argument(c, a[0]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::No);
  if (found.error != 0) return file_failure(c, found.error);
  if (!found.node) return file_failure(c, ENOENT);
  if (found.last == Last::Name) overlay.tries_name(found.path);
  if (found.node->is_directory()) return file_failure(c, EPERM);
  if (found.has_slash) return file_failure(c, ENOTDIR);
  if (!Overlay::allows(found.dir, 3)) return file_failure(c, EACCES);
  overlay.remove_entry(found, *found.node);
  return Value(atoms::ok);
}

// ---- Links and names --------------------------------------------------------

Value read_link_1(Context& c, const Value* a) {
  Value answer;
  const auto node = found_node(c, a[0], Follow::No, answer);
  if (!node) return answer;
  if (!node->is_link()) return file_failure(c, EINVAL);
  return file_success(c, c.heap.binary(std::string_view(Overlay(c).target(*node))));
}

Value make_soft_link_2(Context& c, const Value* a) {
  const auto target = path_argument(c, a[0]);
  const auto path = target ? path_argument(c, a[1]) : std::nullopt;
  if (!path) return Value::none();
  Overlay overlay(c);
  if (target->empty()) return file_failure(c, ENOENT);
  const FoundFile found = overlay.find(*path, Follow::No);
  if (const int error = obstacle(overlay, found); error != 0) return file_failure(c, error);
  if (found.has_slash) return file_failure(c, ENOENT);
  FileNode node = overlay.make(S_IFLNK);
  node.parts = c.heap.binary(std::string_view(*target));
  node.size = static_cast<int64_t>(target->size());
  overlay.add_entry(found, node);
  return Value(atoms::ok);
}

Value make_hard_link_2(Context& c, const Value* a) {
  Value answer;
  const auto node = found_node(c, a[0], Follow::No, answer);
  if (!node) return answer;
  const auto path = path_argument(c, a[1]);
  if (!path) return Value::none();
  Overlay overlay(c);
  const FoundFile found = overlay.find(*path, Follow::No);
  if (const int error = obstacle(overlay, found); error != 0) return file_failure(c, error);
  if (found.has_slash) return file_failure(c, ENOENT);
  if (node->is_directory()) return file_failure(c, EPERM);
  overlay.writes(*node);
  overlay.add_entry(found, *node);
  return Value(atoms::ok);
}

bool is_within(std::string_view path, std::string_view dir) {
  return path.starts_with(dir) && path.size() > dir.size() && path[dir.size()] == '/';
}

// 0 or why the one cannot take the place of the other; in the order in which Linux looks.
int why_not_renamed(Overlay& overlay, const FoundFile& from, const FoundFile& to) {
  if (from.error != 0 || to.error != 0) return from.error != 0 ? from.error : to.error;
  if (from.last == Last::Root) return EINVAL;
  if (from.last != Last::Name || to.last != Last::Name) return EBUSY;
  if (!from.node) return ENOENT;
  const bool is_directory = from.node->is_directory();
  if (!is_directory && (from.has_slash || to.has_slash)) return ENOTDIR;
  if (is_within(to.path, from.path)) return EINVAL;
  if (to.node && is_within(from.path, to.path)) return EEXIST;
  if (!Overlay::allows(from.dir, 3) || !Overlay::allows(to.dir, 3)) return EACCES;
  if (!to.node || equal_exact(to.node->key, from.node->key)) return 0;
  if (is_directory && !to.node->is_directory()) return ENOTDIR;
  if (!is_directory && to.node->is_directory()) return EISDIR;
  return is_directory && !overlay.is_empty(*to.node) ? EEXIST : 0;
}

// A program that is in a directory stays in it when that is moved.
void move_current_dir(Context& c, Overlay& overlay, const std::string& from,
                      const std::string& to) {
  const std::string current = overlay.current_dir();
  if (current != from && !is_within(current, from)) return;
  const std::string moved = to + current.substr(from.size());
  c.machine.journal().set(c.machine.shared().files.current_dir,
                          c.heap.binary(std::string_view(moved)));
}

Value rename_2(Context& c, const Value* a) {
  const auto source = path_argument(c, a[0]);
  const auto destination = source ? path_argument(c, a[1]) : std::nullopt;
  if (!destination) return Value::none();
  Overlay overlay(c);
  const FoundFile from = overlay.find(*source, Follow::No);
  const FoundFile to = overlay.find(*destination, Follow::No);
  if (from.last == Last::Name) overlay.tries_name(from.path);
  if (to.last == Last::Name) overlay.tries_name(to.path);
  if (const int error = why_not_renamed(overlay, from, to); error != 0) {
    return file_failure(c, error);
  }
  if (to.node && equal_exact(to.node->key, from.node->key)) return Value(atoms::ok);
  if (to.node) {
    overlay.reads(*to.node);
    overlay.remove_entry(to, *to.node);
  }
  if (from.node->is_directory()) move_current_dir(c, overlay, from.path, to.path);
  FileNode moved = *from.node;
  overlay.remove_entry(from, moved);
  --moved.links;
  overlay.add_entry(to, std::move(moved));
  return Value(atoms::ok);
}

Value not_here(Context& c, const Value*) { return file_failure(c, ENOTSUP); }

constexpr NativeEntry kEntries[] = {
    {"fathom_disk", "write_info", 7, write_info_7, true},
    {"prim_file", "read_info_nif", 2, read_info_2},
    {"prim_file", "read_handle_info_nif", 1, read_handle_info_1},
    {"prim_file", "set_permissions_nif", 2, set_permissions_2},
    {"prim_file", "set_owner_nif", 3, set_owner_3},
    {"prim_file", "set_time_nif", 4, set_time_4},
    {"prim_file", "list_dir_nif", 1, list_dir_1},
    {"prim_file", "get_cwd_nif", 0, get_cwd_0},
    {"prim_file", "set_cwd_nif", 1, set_cwd_1},
    {"prim_file", "make_dir_nif", 1, make_dir_1},
    {"prim_file", "del_dir_nif", 1, del_dir_1},
    {"prim_file", "del_file_nif", 1, del_file_1},
    {"prim_file", "read_link_nif", 1, read_link_1},
    {"prim_file", "make_soft_link_nif", 2, make_soft_link_2},
    {"prim_file", "make_hard_link_nif", 2, make_hard_link_2},
    {"prim_file", "rename_nif", 2, rename_2},
    {"prim_file", "altname_nif", 1, not_here},
    {"prim_file", "get_device_cwd_nif", 1, not_here},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::file_tree_natives
