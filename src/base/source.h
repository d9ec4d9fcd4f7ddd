// Source texts and places in them.
//
// All texts of a run share one space of 30-bit offsets: file k owns
// [base, base + size], the next one starts after it. A place is therefore one
// 32-bit word (`Loc`) that says file and offset at once, and comparing two
// places of one file is comparing two integers. Two more kinds of places exist
// beside offsets: a token that came out of a macro, and a bare line:column that
// was read from debug info. Both are indices into tables of the unit that made
// them (syntax/unit.h); only that unit can resolve them.
//
// Texts are UTF-8. A latin-1 file is transcoded when it is added and remembers
// it, so that byte offsets of the original can still be told. The table of a text's lines, and
// the number of characters before each block of one that is not ASCII, are made on first use: a
// place is told in time that does not depend on the length of its line. Limit: 1 GiB of text in
// one run, refused with an error.
//
// Threads. One at a time adds texts; meanwhile any may ask about those that were added before.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/append_only.h"
#include "base/made_once.h"
#include "base/result.h"

namespace fathom {

enum class FileId : uint32_t {};

class Loc {
 public:
  enum class Kind : uint8_t { Text = 0, Expanded = 1, Position = 2 };

  constexpr Loc() = default;  // no place
  static constexpr Loc text(uint32_t offset) { return Loc(offset); }
  static constexpr Loc expanded(uint32_t index) { return Loc(index | (1u << 30)); }
  static constexpr Loc position(uint32_t index) { return Loc(index | (2u << 30)); }

  constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 30); }
  constexpr bool is_text() const { return bits_ >> 30 == 0; }
  constexpr uint32_t index() const { return bits_ & kIndexMask; }
  constexpr explicit operator bool() const { return bits_ != 0; }
  constexpr Loc plus(uint32_t bytes) const { return is_text() ? Loc(bits_ + bytes) : *this; }
  constexpr auto operator<=>(const Loc&) const = default;

  static constexpr uint32_t kIndexMask = (1u << 30) - 1;

 private:
  constexpr explicit Loc(uint32_t bits) : bits_(bits) {}
  uint32_t bits_ = 0;
};

// Half-open, both ends in one text.
struct Span {
  Loc begin;
  Loc end;
  constexpr bool operator==(const Span&) const = default;
};

// Counted from 1; columns count characters, not bytes, as OTP does.
struct LineColumn {
  uint32_t line = 0;
  uint32_t column = 0;
  constexpr auto operator<=>(const LineColumn&) const = default;
};

enum class Encoding : uint8_t { Utf8, Latin1 };

class SourceMap {
 public:
  static constexpr uint32_t kMaxText = Loc::kIndexMask;

  // Reads a file. The name is shown to users as given.
  Result<FileId> load(const std::string& path);
  // Adds what load() would have read from the file.
  Result<FileId> add_source(std::string name, std::string bytes);
  // Adds text under a name; the text must be valid UTF-8 (see decode_source).
  Result<FileId> add(std::string name, std::string text, Encoding original = Encoding::Utf8);

  FileId file_of(Loc text_loc) const;
  std::string_view name(FileId file) const { return files_[index(file)].name; }
  std::string_view text(FileId file) const { return files_[index(file)].text; }
  bool is_ascii(FileId file) const { return files_[index(file)].ascii; }
  Loc start(FileId file) const { return Loc::text(files_[index(file)].base); }
  std::string_view slice(Span span) const;

  // Of no place: 0, 0.
  LineColumn line_column(Loc text_loc) const;
  // The way back; column 0 is the first character of the line that is not a blank. Empty
  // if the file has no such line.
  Loc place(FileId file, LineColumn at) const;
  // The line with the place, without its newline.
  std::string_view line_text(Loc text_loc) const;
  // Offset in the file's own bytes (differs from the offset in the text for latin-1).
  uint32_t byte_offset(Loc text_loc) const;

  size_t file_count() const { return files_.size(); }

 private:
  struct File {
    std::string name;
    std::string text;
    uint32_t base = 0;
    Encoding encoding = Encoding::Utf8;
    bool ascii = true;
    MadeOnce<std::vector<uint32_t>> line_starts = {};  // offsets in text
    MadeOnce<std::vector<uint32_t>> characters = {};   // before each block of text
  };

  static size_t index(FileId file) { return static_cast<size_t>(file); }
  const File& owner(Loc text_loc) const { return files_[index(file_of(text_loc))]; }
  static const std::vector<uint32_t>& line_starts(const File& file);
  static size_t line_index(const File& file, uint32_t offset);
  static uint32_t count_characters(const File& file, uint32_t from, uint32_t to);

  AppendOnly<File, 64> files_;  // addresses are stable: literals point into texts
  uint32_t next_base_ = 1;      // 0 is "no place"
  // Where somebody was told a place last. It is only where to look first, so that threads may
  // disturb each other.
  mutable std::atomic<size_t> last_file_ = 0;
  mutable std::atomic<size_t> last_line_ = 0;
};

// Bytes of a source file to UTF-8, honouring an encoding comment in the first two
// lines. On invalid UTF-8 returns an error that names the byte.
struct DecodedSource {
  std::string text;
  Encoding encoding = Encoding::Utf8;
};
Result<DecodedSource> decode_source(std::string bytes);

// The encoding named by a `coding:` comment, if there is one.
std::optional<Encoding> encoding_comment(std::string_view bytes);

Result<std::string> read_file(const std::string& path);

}  // namespace fathom
