#include "base/json.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/utf8.h"

namespace fathom {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool needs_escape(char c) { return static_cast<uint8_t>(c) < 0x20 || c == '"' || c == '\\'; }

void append_escape(std::string& out, char c) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '\\';
  switch (c) {
    case '"':
    case '\\':
      out += c;
      return;
    case '\n':
      out += 'n';
      return;
    case '\t':
      out += 't';
      return;
    case '\r':
      out += 'r';
      return;
    default:
      out += "u00";
      out += kHex[static_cast<uint8_t>(c) >> 4];
      out += kHex[c & 0xF];
  }
}

// Runs that need no escape are copied whole: most texts are one such run.
void append_valid(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto special = std::find_if(text.begin(), text.end(), needs_escape);
    out.append(text.begin(), special);
    if (special == text.end()) return;
    append_escape(out, *special);
    text.remove_prefix(static_cast<size_t>(special - text.begin()) + 1);
  }
}

}  // namespace

JsonWriter::JsonWriter(Sink sink, Style style) : sink_(std::move(sink)), style_(style) {}

JsonWriter::JsonWriter(std::string& out, Style style)
    : JsonWriter([&out](std::string_view text) { out += text; }, style) {}

JsonWriter::~JsonWriter() { flush(); }

void JsonWriter::flush() {
  if (!buffer_.empty()) sink_(buffer_);
  buffer_.clear();
}

void JsonWriter::line_break(size_t depth) {
  buffer_ += '\n';
  buffer_.append(2 * std::min(depth, kMaxIndent), ' ');
}

// What stands between the elements of the innermost bracket.
void JsonWriter::separate(Frame& frame) {
  if (!frame.empty) buffer_ += ',';
  if (style_ == Style::Indented) {
    if (frame.shape == Shape::Block) {
      line_break(open_.size());
    } else if (!frame.empty) {
      buffer_ += ' ';
    }
  }
  frame.empty = false;
}

void JsonWriter::before_value() {
  if (open_.empty()) {
    assert(!document_written_ && "a document is one value");
    document_written_ = true;
    return;
  }
  Frame& frame = open_.back();
  if (frame.kind == Frame::Kind::Array) {
    separate(frame);
  } else {
    assert(frame.key_given && "a value in an object needs a key");
    frame.key_given = false;
  }
}

void JsonWriter::key(std::string_view name) {
  assert(!open_.empty() && open_.back().kind == Frame::Kind::Object && !open_.back().key_given);
  separate(open_.back());
  open_.back().key_given = true;
  quoted(name);
  buffer_ += style_ == Style::Indented ? ": " : ":";
}

void JsonWriter::begin(Frame::Kind kind, char bracket, Shape shape) {
  before_value();
  const bool in_line = !open_.empty() && open_.back().shape == Shape::Inline;
  open_.push_back({kind, in_line ? Shape::Inline : shape});
  buffer_ += bracket;
}

void JsonWriter::end([[maybe_unused]] Frame::Kind kind, char bracket) {
  assert(!open_.empty() && open_.back().kind == kind && !open_.back().key_given);
  const Frame frame = open_.back();
  open_.pop_back();
  const bool broken = style_ == Style::Indented && frame.shape == Shape::Block && !frame.empty;
  if (broken) line_break(open_.size());
  buffer_ += bracket;
  if (buffer_.size() >= kBufferSize) flush();
}

void JsonWriter::literal(std::string_view text) {
  before_value();
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) flush();
}

void JsonWriter::integer(int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  literal({digits.data(), end});
}

void JsonWriter::natural(uint64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  literal({digits.data(), end});
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  literal({digits.data(), end});
}

void JsonWriter::value(std::string_view text) {
  before_value();
  quoted(text);
  if (buffer_.size() >= kBufferSize) flush();
}

void JsonWriter::quoted(std::string_view text) {
  buffer_ += '"';
  while (const auto bad = find_invalid_utf8(text)) {
    append_valid(buffer_, text.substr(0, *bad));
    buffer_ += kReplacement;
    text.remove_prefix(*bad + 1);
  }
  append_valid(buffer_, text);
  buffer_ += '"';
}

void JsonWriter::finish() {
  assert(open_.empty() && document_written_ && "the document is not complete");
  buffer_ += '\n';
  flush();
}

}  // namespace fathom
