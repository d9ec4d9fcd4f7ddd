#include "base/json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace fathom::json_test {
namespace {

using Shape = JsonWriter::Shape;
using Style = JsonWriter::Style;

template <class F>
std::string written(Style style, F&& write) {
  std::string out;
  JsonWriter json(out, style);
  write(json);
  json.finish();
  return out;
}

template <class T>
std::string value_text(const T& value) {
  std::string text = written(Style::Compact, [&](JsonWriter& json) { json.value(value); });
  text.pop_back();
  return text;
}

TEST(Json, Scalars) {
  EXPECT_EQ(value_text(true), "true");
  EXPECT_EQ(value_text(false), "false");
  EXPECT_EQ(value_text(0), "0");
  EXPECT_EQ(value_text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(value_text(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(value_text(uint8_t{7}), "7");
  EXPECT_EQ(value_text(0.1), "0.1");
  EXPECT_EQ(value_text(1e300), "1e+300");
  EXPECT_EQ(value_text(std::nan("")), "null");
  EXPECT_EQ(value_text(HUGE_VAL), "null");
  EXPECT_EQ(value_text("text"), "\"text\"");
  EXPECT_EQ(written(Style::Compact, [](JsonWriter& json) { json.null(); }), "null\n");
}

TEST(Json, Escapes) {
  EXPECT_EQ(value_text("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(value_text("\n\t\r"), R"("\n\t\r")");
  EXPECT_EQ(value_text(std::string("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
  EXPECT_EQ(value_text("é€😀"), "\"é€😀\"");
}

TEST(Json, InvalidUtf8IsReplacedByteByByte) {
  EXPECT_EQ(value_text("a\xFFz"), "\"a\uFFFDz\"");
  EXPECT_EQ(value_text("\xC3"), "\"\uFFFD\"");
  EXPECT_EQ(value_text("\xED\xA0\x80"), "\"\uFFFD\uFFFD\uFFFD\"");  // a surrogate
  EXPECT_EQ(value_text("\xC3\xA9\xC3"), "\"é\uFFFD\"");
}

void write_sample(JsonWriter& json) {
  json.begin_object();
  json.field("name", "x");
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("place");
  json.begin_object(Shape::Inline);
  json.field("line", 1);
  json.key("ends");
  json.begin_array();
  json.value(2);
  json.value(3);
  json.end_array();
  json.end_object();
  json.key("list");
  json.begin_array();
  json.value(true);
  json.begin_object();
  json.end_object();
  json.end_array();
  json.end_object();
}

TEST(Json, Indented) {
  EXPECT_EQ(written(Style::Indented, write_sample),
            "{\n"
            "  \"name\": \"x\",\n"
            "  \"empty\": [],\n"
            "  \"place\": {\"line\": 1, \"ends\": [2, 3]},\n"
            "  \"list\": [\n"
            "    true,\n"
            "    {}\n"
            "  ]\n"
            "}\n");
}

TEST(Json, Compact) {
  EXPECT_EQ(written(Style::Compact, write_sample),
            "{\"name\":\"x\",\"empty\":[],\"place\":{\"line\":1,\"ends\":[2,3]},"
            "\"list\":[true,{}]}\n");
}

TEST(Json, StreamsInPieces) {
  size_t pieces = 0;
  size_t largest = 0;
  std::string all;
  {
    JsonWriter json(
        [&](std::string_view piece) {
          ++pieces;
          largest = std::max(largest, piece.size());
          all += piece;
        },
        Style::Compact);
    json.begin_array();
    for (int i = 0; i < 100000; ++i) json.value("0123456789");
    json.end_array();
    json.finish();
  }
  EXPECT_GT(pieces, 10u);
  EXPECT_LT(largest, size_t{1} << 17);
  EXPECT_EQ(all.size(), 2 + 13u * 100000 - 1 + 1);
}

TEST(Json, DepthCostsNoQuadraticIndentation) {
  constexpr int kDepth = 100000;
  const std::string text = written(Style::Indented, [](JsonWriter& json) {
    for (int i = 0; i < kDepth; ++i) json.begin_array();
    for (int i = 0; i < kDepth; ++i) json.end_array();
  });
  EXPECT_LT(text.size(), size_t{300} * kDepth);
}

#ifndef NDEBUG
TEST(JsonDeathTest, MisuseAsserts) {
  std::string out;
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_object();
        json.value(1);
      },
      "needs a key");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_array();
        json.end_object();
      },
      "");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.value(1);
        json.value(2);
      },
      "one value");
  EXPECT_DEATH(
      {
        JsonWriter json(out);
        json.begin_array();
        json.finish();
      },
      "not complete");
}
#endif

}  // namespace
}  // namespace fathom::json_test
