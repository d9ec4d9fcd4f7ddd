// Writing JSON as a stream. A document may be far larger than one wants to hold
// in memory, so the writer keeps a small buffer and the open brackets, nothing
// else; commas, colons, line breaks and escapes are its affair.
//
//   JsonWriter json(out);
//   json.begin_object();
//   json.field("command", "parse");
//   json.key("files");
//   json.begin_array();
//   …
//   json.end_array();
//   json.end_object();
//   json.finish();
//
// What comes out is well-formed if the calls are: a value where a key is due, a
// bracket closed twice and the like are bugs of the caller and assert. Bytes that
// are no UTF-8 become U+FFFD, a float that JSON cannot say becomes null.
//
// Indented, an object or array that was begun with Inline stands on one line with
// all that is in it. Indentation stops growing at kMaxIndent levels, so that a
// very deep document is still linear in size.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom {

class JsonWriter {
 public:
  enum class Style : uint8_t { Indented, Compact };
  enum class Shape : uint8_t { Block, Inline };
  using Sink = std::function<void(std::string_view)>;

  explicit JsonWriter(Sink sink, Style style = Style::Indented);
  // Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out, Style style = Style::Indented);
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void begin_object(Shape shape = Shape::Block) { begin(Frame::Kind::Object, '{', shape); }
  void end_object() { end(Frame::Kind::Object, '}'); }
  void begin_array(Shape shape = Shape::Block) { begin(Frame::Kind::Array, '[', shape); }
  void end_array() { end(Frame::Kind::Array, ']'); }
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(bool truth) { literal(truth ? "true" : "false"); }
  void value(double number);
  template <std::integral Int>
  requires(!std::same_as<Int, bool> && !std::same_as<Int, char>) void value(Int number) {
    if constexpr (std::signed_integral<Int>) {
      integer(static_cast<int64_t>(number));
    } else {
      natural(static_cast<uint64_t>(number));
    }
  }
  void null() { literal("null"); }

  template <class T>
  void field(std::string_view name, const T& v) {
    key(name);
    value(v);
  }

  // Ends the document with a newline and hands on what is buffered. All brackets
  // must be closed.
  void finish();

 private:
  struct Frame {
    enum class Kind : uint8_t { Object, Array };
    Kind kind;
    Shape shape;
    bool empty = true;
    bool key_given = false;
  };

  static constexpr size_t kBufferSize = size_t{1} << 16;
  static constexpr size_t kMaxIndent = 64;

  void begin(Frame::Kind kind, char bracket, Shape shape);
  void end(Frame::Kind kind, char bracket);
  void before_value();
  void separate(Frame& frame);
  void line_break(size_t depth);
  void literal(std::string_view text);
  void integer(int64_t number);
  void natural(uint64_t number);
  void quoted(std::string_view text);
  void flush();

  Sink sink_;
  Style style_;
  bool document_written_ = false;
  std::vector<Frame> open_;
  std::string buffer_;
};

}  // namespace fathom
