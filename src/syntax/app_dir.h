// An application's directory: the one notion of "where an Erlang application
// lies" that the code path, the project model and the dependencies share.
//
// There are two ways to know an application from its directory, and they serve
// different ends. The *code server* goes by the directory's own name, foo or
// foo-1.2, and never opens a file: that is what -include_lib and ERL_LIBS mean.
// A *build tool* goes by the resource file, src/foo.app.src or ebin/foo.app: that
// is how rebar3 finds the applications of a project, whatever their directories
// are called (a clone of `foo` in a directory `foo-fork`).
//
// Cost: one listing of the library directory and one look for `ebin` in each
// entry; by resource file, a listing of `src` and perhaps of `ebin`. Archives
// (foo-1.2.ez) are not looked into.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "syntax/paths.h"

namespace fathom {

struct AppDir {
  std::string name;  // "stdlib"
  std::string dir;   // ".../stdlib-4.2"

  bool operator==(const AppDir&) const = default;
};

// The name the code server gives to a directory: what stands before the first
// hyphen of its last component. "lib/stdlib-4.2" is stdlib.
std::string code_server_name(std::string_view dir);

// What code_server:make_path/2 finds in OTP's lib or in an entry of ERL_LIBS: of
// each name the newest version, in the order of the code path, where of two
// entries with one name the first counts. A directory without `ebin` is itself
// taken for a directory of code, which OTP does only for its own lib: for
// ERL_LIBS only entries that end in ebin count, so that an entry which is one
// application (ERL_LIBS=libs/foo) gives just that.
enum class LibraryKind : uint8_t { Otp, ErlLibs };
std::vector<AppDir> libraries_in(const std::string& lib_dir, LibraryKind kind);

// The application whose resource file lies in `dir`: in one of its source
// directories (NAME.app.src, NAME.app.src.script), else in ebin (NAME.app).
std::optional<AppDir> app_at(const std::string& dir,
                             const std::vector<std::string>& src_dirs = {"src"});
// All such directly below `parent`, in the order of their directories.
std::vector<AppDir> apps_in(const std::string& parent,
                            const std::vector<std::string>& src_dirs = {"src"});

// A regular file, through links: a pipe called x.erl is none, and reading it would
// wait forever.
bool is_plain_file(const std::string& path);
// Names, sorted. The error reads "cannot read directory X: Permission denied".
Result<std::vector<std::string>> list_directory(const std::string& path);
// `name` as seen from `dir`, for people: "" and "." add nothing. (join_paths, which
// is OTP's, keeps every dot.)
std::string path_in(const std::string& dir, const std::string& name);
// Absolute, without "." and ".." (taken out of the text, links are not resolved)
// and without a slash at the end.
std::string absolute_path(const std::string& path);

}  // namespace fathom
