// One pass over the headers of the chunks; nothing is copied but a compressed
// file. Every offset is checked against the bytes that are there before it is
// used, and each step goes forward by at least the eight bytes of a header.
#include "syntax/beam_file.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/etf.h"
#include "base/source.h"
#include "base/utf8.h"

namespace fathom {
namespace {

constexpr std::string_view kForm = "FOR1";
constexpr std::string_view kType = "BEAM";
constexpr std::string_view kGzip = "\x1F\x8B";
constexpr size_t kFormHeader = 12;  // "FOR1", size of the rest, "BEAM"
constexpr size_t kChunkHeader = 8;  // name, size of the data

uint32_t big_endian_32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

size_t padded(size_t size) { return (size + 3) & ~size_t{3}; }

// For a message: whatever is in the four bytes.
std::string quoted_id(std::string_view id) {
  std::string text = "`";
  for (const char c : id) {
    if (c > ' ' && c < 0x7F) {
      text += c;
    } else {
      text += fmt::format("\\x{:02X}", static_cast<uint8_t>(c));
    }
  }
  return text + "`";
}

Result<void> decompress_if_gzip(std::string& bytes) {
  if (!std::string_view(bytes).starts_with(kGzip)) return {};
  Result<etf::Inflated> inflated = etf::inflate(bytes, etf::Wrapping::Gzip, etf::kMaxInflated);
  if (!inflated) return std::move(inflated).error();
  bytes = std::move(inflated->bytes);
  return {};
}

Result<void> check_form(std::string_view bytes) {
  if (bytes.size() < kFormHeader && kForm.starts_with(bytes.substr(0, kForm.size()))) {
    return Error{"the file ends inside its header"};
  }
  if (!bytes.starts_with(kForm) || bytes.substr(8, kType.size()) != kType) {
    return Error{"this is no BEAM file: it does not begin with FOR1 and BEAM"};
  }
  return {};
}

}  // namespace

bool BeamFile::looks_like_one(std::string_view bytes) {
  return bytes.starts_with(kForm) || bytes.starts_with(kGzip);
}

Result<BeamFile> BeamFile::parse(std::string file_bytes) {
  BeamFile file(std::move(file_bytes));
  if (Result<void> plain = decompress_if_gzip(file.bytes_); !plain) {
    return std::move(plain).error();
  }
  const std::string_view bytes = file.bytes_;
  if (Result<void> form = check_form(bytes); !form) return std::move(form).error();

  // What follows the form is not part of it. If the file is shorter than the form,
  // the chunk that the end falls into says so better than the form could.
  const size_t form_end = 8 + size_t{big_endian_32(bytes.substr(4))};
  const size_t end = std::min(form_end, bytes.size());
  for (size_t at = kFormHeader; at < end;) {
    const std::string_view rest = bytes.substr(at, end - at);
    if (rest.size() < kChunkHeader) {
      return Error{"the file ends inside the header of a chunk"};
    }
    const std::string_view id = rest.substr(0, 4);
    const size_t size = big_endian_32(rest.substr(4));
    if (size > rest.size() - kChunkHeader) {
      if (size <= bytes.size() - at - kChunkHeader) {
        return Error{fmt::format("chunk {} goes beyond the end of the form", quoted_id(id))};
      }
      return Error{fmt::format("the file ends inside chunk {}", quoted_id(id))};
    }
    file.places_.push_back({at, size});
    at += kChunkHeader + padded(size);
  }
  if (form_end > padded(bytes.size())) {
    return Error{
        fmt::format("the file ends early: {} bytes of {} are there", bytes.size(), form_end)};
  }
  return file;
}

Result<BeamFile> BeamFile::read(const std::string& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return std::move(bytes).error();
  return parse(std::move(*bytes));
}

BeamFile::Chunk BeamFile::chunk(Place place) const {
  const std::string_view bytes = bytes_;
  return {bytes.substr(place.offset, 4), bytes.substr(place.offset + kChunkHeader, place.size)};
}

std::vector<BeamFile::Chunk> BeamFile::chunks() const {
  std::vector<Chunk> result;
  result.reserve(places_.size());
  for (const Place place : places_) result.push_back(chunk(place));
  return result;
}

std::optional<std::string_view> BeamFile::find(std::string_view id) const {
  for (const Place place : places_) {
    if (const Chunk found = chunk(place); found.id == id) return found.data;
  }
  return std::nullopt;
}

namespace {

// The atom table: a count, and then each atom's length and text. Since OTP 28 the
// count is negative, and the lengths are in the code's own compact form, which
// has four bits of a number in one byte and eleven in two.
std::optional<std::string_view> first_atom(std::string_view table) {
  if (table.size() < 5) return std::nullopt;
  const auto count = static_cast<int32_t>(big_endian_32(table));
  if (count == 0) return std::nullopt;
  const uint32_t first = static_cast<uint8_t>(table[4]);
  size_t length = first;
  size_t text_at = 5;
  if (count < 0) {
    constexpr uint32_t kTagMask = 7;  // 0: a number
    constexpr uint32_t kLong = 8;
    constexpr uint32_t kVeryLong = 16;
    if ((first & kTagMask) != 0) return std::nullopt;
    length = first >> 4;
    if ((first & kLong) != 0) {
      if ((first & kVeryLong) != 0 || table.size() < 6) return std::nullopt;
      length = (first >> 5) << 8 | static_cast<uint8_t>(table[5]);
      text_at = 6;
    }
  }
  if (length > table.size() - text_at) return std::nullopt;
  return table.substr(text_at, length);
}

}  // namespace

Result<Atom> BeamFile::module_name() const {
  const std::optional<std::string_view> utf8 = find("AtU8");
  const std::optional<std::string_view> latin1 = utf8 ? std::nullopt : find("Atom");
  if (!utf8 && !latin1) return Error{"the file has no table of atoms"};
  const std::optional<std::string_view> text = first_atom(utf8 ? *utf8 : *latin1);
  if (!text || (utf8 && find_invalid_utf8(*text))) {
    return Error{fmt::format("chunk `{}` is damaged", utf8 ? "AtU8" : "Atom")};
  }
  return Atom::intern(utf8 ? std::string(*text) : latin1_to_utf8(*text));
}

Result<Term> BeamFile::compile_info(TermArena& arena) const {
  const std::optional<std::string_view> data = find("CInf");
  if (!data) return Error{"the file has no chunk `CInf`"};
  Result<Term> info = etf::decode(*data, arena);
  if (!info) return Error{"chunk `CInf` is damaged: " + info.error().message};
  return info;
}

std::optional<std::string> BeamFile::source_path() const {
  TermArena arena;
  const Result<Term> info = compile_info(arena);
  if (!info || !info->is_list()) return std::nullopt;
  const Atom source = Atom::intern("source");
  for (const Term pair : info->list()) {
    if (pair.is_tagged(source, 2)) return string_text(pair[1]);
  }
  return std::nullopt;
}

}  // namespace fathom
