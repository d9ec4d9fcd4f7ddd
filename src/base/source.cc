#include "base/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/utf8.h"

namespace fathom {

namespace {

struct OpenFile {
  int descriptor;

  explicit OpenFile(int opened) : descriptor(opened) {}
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
};

}  // namespace

Result<std::string> read_file(const std::string& path) {
  // Nonblocking: a named pipe is opened at once, and refused below.
  const OpenFile file{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat info;
  if (file.descriptor < 0 || fstat(file.descriptor, &info) != 0) return Error{std::strerror(errno)};
  if (S_ISDIR(info.st_mode)) return Error{"this is a directory"};
  if (!S_ISREG(info.st_mode)) return Error{"this is not a regular file"};  // it might never end
  std::string bytes;
  if (info.st_size > SourceMap::kMaxText) return Error{"the file is larger than 1 GiB"};
  // The size is a hint only: files in /proc report none.
  bytes.resize(static_cast<size_t>(std::max<off_t>(info.st_size, 0)) + 1);
  size_t used = 0;
  while (true) {
    const ssize_t n = ::read(file.descriptor, bytes.data() + used, bytes.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{std::strerror(errno)};
    if (n == 0) break;
    used += static_cast<size_t>(n);
    if (used < bytes.size()) continue;
    if (bytes.size() > SourceMap::kMaxText) return Error{"the file is larger than 1 GiB"};
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(used);
  return bytes;
}

namespace {

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// What stands after "coding" in a comment: separator, then the encoding's name.
// Empty when it is not an encoding declaration at all.
std::optional<std::string> declared_name(std::string_view rest) {
  size_t i = rest.find_first_not_of(' ');
  if (i == std::string_view::npos || (rest[i] != ':' && rest[i] != '=')) return std::nullopt;
  i = rest.find_first_not_of(' ', i + 1);
  std::string name;
  for (; i < rest.size() && (is_alnum(rest[i]) || rest[i] == '-'); ++i) {
    name += static_cast<char>(rest[i] >= 'A' && rest[i] <= 'Z' ? rest[i] - 'A' + 'a' : rest[i]);
  }
  return name;
}

}  // namespace

std::optional<Encoding> encoding_comment(std::string_view bytes) {
  bytes = bytes.substr(0, 512);
  for (int line = 0; line < 2; ++line) {
    std::string_view text = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(bytes.size(), text.size() + 1));
    size_t at = text.find('%');
    while (at != std::string_view::npos) {
      at = text.find("coding", at);
      if (at == std::string_view::npos) break;
      at += 6;
      if (auto name = declared_name(text.substr(at))) {
        if (*name == "latin-1" || name->starts_with("latin-1-")) return Encoding::Latin1;
        if (*name == "utf-8" || name->starts_with("utf-8-")) return Encoding::Utf8;
        return std::nullopt;
      }
    }
  }
  return std::nullopt;
}

Result<DecodedSource> decode_source(std::string bytes) {
  const Encoding encoding = encoding_comment(bytes).value_or(Encoding::Utf8);
  if (is_ascii(bytes)) return DecodedSource{std::move(bytes), encoding};
  if (encoding == Encoding::Latin1) return DecodedSource{latin1_to_utf8(bytes), encoding};
  if (auto bad = find_invalid_utf8(bytes)) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
      return Error{"this is UTF-16; Erlang reads UTF-8 and latin-1"};
    }
    const auto line = std::count(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(*bad), '\n');
    return Error{fmt::format(
        "line {}: byte {} (0x{:02X}) is not valid UTF-8; if the file is latin-1, say so in its "
        "first line: %% coding: latin-1",
        line + 1, *bad + 1, static_cast<uint8_t>(bytes[*bad]))};
  }
  return DecodedSource{std::move(bytes), encoding};
}

Result<FileId> SourceMap::load(const std::string& path) {
  auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return add_source(path, std::move(*bytes));
}

Result<FileId> SourceMap::add_source(std::string name, std::string bytes) {
  auto decoded = decode_source(std::move(bytes));
  if (!decoded) return decoded.error();
  return add(std::move(name), std::move(decoded->text), decoded->encoding);
}

Result<FileId> SourceMap::add(std::string name, std::string text, Encoding original) {
  if (text.size() >= kMaxText - next_base_) {
    return Error{"more than 1 GiB of source text in one run"};
  }
  File file;
  file.ascii = fathom::is_ascii(text);
  file.encoding = original;
  file.name = std::move(name);
  file.base = next_base_;
  next_base_ += static_cast<uint32_t>(text.size()) + 1;
  file.text = std::move(text);
  return static_cast<FileId>(files_.append(std::move(file)));
}

FileId SourceMap::file_of(Loc loc) const {
  const uint32_t offset = loc.index();
  const size_t last = last_file_.load(std::memory_order_relaxed);
  const size_t count = files_.size();
  if (last < count && files_[last].base <= offset &&
      offset - files_[last].base <= files_[last].text.size()) {
    return static_cast<FileId>(last);
  }
  size_t found = 0;  // the last one that begins at or before the offset
  for (size_t end = count; end - found > 1;) {
    const size_t middle = found + (end - found) / 2;
    (files_[middle].base <= offset ? found : end) = middle;
  }
  last_file_.store(found, std::memory_order_relaxed);
  last_line_.store(0, std::memory_order_relaxed);
  return static_cast<FileId>(found);
}

std::string_view SourceMap::slice(Span span) const {
  const File& file = owner(span.begin);
  return std::string_view(file.text).substr(span.begin.index() - file.base,
                                            span.end.index() - span.begin.index());
}

const std::vector<uint32_t>& SourceMap::line_starts(const File& file) {
  return file.line_starts.get([&] {
    std::vector<uint32_t> starts = {0};
    const std::string& text = file.text;
    for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
      starts.push_back(static_cast<uint32_t>(at) + 1);
    }
    return starts;
  });
}

size_t SourceMap::line_index(const File& file, uint32_t offset) {
  const auto& starts = line_starts(file);
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), offset) -
                             starts.begin()) -
         1;
}

// Between two offsets in the text.
uint32_t SourceMap::count_characters(const File& file, uint32_t from, uint32_t to) {
  constexpr uint32_t kBlock = 4096;
  const std::string_view text = file.text;
  const auto count = [&](uint32_t begin, uint32_t end) {
    return static_cast<uint32_t>(count_code_points(text.substr(begin, end - begin)));
  };
  if (to - from < 2 * kBlock) return count(from, to);
  const std::vector<uint32_t>& characters = file.characters.get([&] {
    std::vector<uint32_t> counts = {0};
    for (uint32_t at = 0; at + kBlock <= text.size(); at += kBlock) {
      counts.push_back(counts.back() + count(at, at + kBlock));
    }
    return counts;
  });
  const auto before = [&](uint32_t offset) {
    return characters[offset / kBlock] + count(offset - offset % kBlock, offset);
  };
  return before(to) - before(from);
}

LineColumn SourceMap::line_column(Loc loc) const {
  if (!loc) return {};
  const File& file = owner(loc);
  const uint32_t offset = loc.index() - file.base;
  const auto& starts = line_starts(file);
  // Places are mostly asked for in order: try the last line and the next one.
  size_t line = last_line_.load(std::memory_order_relaxed);
  if (line >= starts.size() || starts[line] > offset) {
    line = line_index(file, offset);
  } else if (line + 1 < starts.size() && starts[line + 1] <= offset) {
    ++line;
    if (line + 1 < starts.size() && starts[line + 1] <= offset) line = line_index(file, offset);
  }
  last_line_.store(line, std::memory_order_relaxed);
  const uint32_t begin = starts[line];
  const uint32_t column = file.ascii ? offset - begin : count_characters(file, begin, offset);
  return {static_cast<uint32_t>(line) + 1, column + 1};
}

Loc SourceMap::place(FileId id, LineColumn at) const {
  const File& file = files_[index(id)];
  const auto& starts = line_starts(file);
  if (at.line == 0 || at.line > starts.size()) return {};
  const Loc begin = Loc::text(file.base + starts[at.line - 1]);
  const std::string_view line = line_text(begin);
  if (at.column == 0) {
    const size_t blanks = line.find_first_not_of(" \t");
    return begin.plus(blanks == std::string_view::npos ? 0 : static_cast<uint32_t>(blanks));
  }
  const char* p = line.data();
  const char* const end = p + line.size();
  for (uint32_t column = 1; p < end && column < at.column; ++column) next_code_point(&p);
  return begin.plus(static_cast<uint32_t>(p - line.data()));
}

std::string_view SourceMap::line_text(Loc loc) const {
  const File& file = owner(loc);
  const size_t line = line_index(file, loc.index() - file.base);
  std::string_view text = std::string_view(file.text).substr(line_starts(file)[line]);
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

uint32_t SourceMap::byte_offset(Loc loc) const {
  const File& file = owner(loc);
  const uint32_t offset = loc.index() - file.base;
  if (file.encoding == Encoding::Utf8 || file.ascii) return offset;
  return count_characters(file, 0, offset);
}

}  // namespace fathom
