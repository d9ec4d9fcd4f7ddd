// The parts that slices are run and made smaller with.
#include <gtest/gtest.h>

#include "reduce/aligned.h"
#include "reduce/failure.h"
#include "reduce/runner.h"

namespace fathom::reduce {
namespace {

std::string kept_text(std::string_view original, std::string_view reduced) {
  std::string out;
  for (const slice::TextRange r : Alignment(original, reduced).kept()) {
    if (!out.empty()) out += '|';
    out += original.substr(r.begin, r.end - r.begin);
  }
  return out;
}

TEST(Alignment, SaysWhatIsLeft) {
  EXPECT_EQ(kept_text("f(X) -> X + 1.", "f(X) -> X + 1."), "f(X) -> X + 1.");
  EXPECT_EQ(kept_text("a, b, c", "a, c"), "a,|c");
  EXPECT_EQ(kept_text("f(X, Y) -> {X, Y}.", "f(_, Y) -> {sliced, Y}."), "f(|, Y) -> {|, Y}.");
  EXPECT_EQ(kept_text("x \"a b\" % c\n y", "x y"), "x|y");
  EXPECT_EQ(kept_text("a", ""), "");
  // What stands together stays together.
  EXPECT_EQ(kept_text("s(a), s(b), s(c)", "s(c)"), "s(c)");
}

TEST(Alignment, FindsPlaces) {
  const Alignment alignment("one(), two(), three()", "two()");
  const slice::TextRange r = alignment.in_original({0, 5});
  EXPECT_EQ(r.begin, 7u);
  EXPECT_EQ(r.end, 12u);
}

TEST(Identities, AreLeftOut) {
  EXPECT_EQ(without_identities("{<0.12.0>,#Ref<0.1.2.3>,#Fun<m.1.2>,a}"), "{#Pid,#Ref,#Fun,a}");
  EXPECT_EQ(without_identities("<<1,2>>"), "<<1,2>>");
}

TEST(Values, AreLike) {
  const CallValues cut{.values = {{"1", "2"}}, .limit = {}, .is_complete = false};
  const CallValues all{.values = {{"1", "2"}}, .limit = {}, .is_complete = true};
  const CallValues more{.values = {{"1", "2", "3"}}, .limit = {}, .is_complete = true};
  const CallValues other{.values = {{"1", "3"}}, .limit = {}, .is_complete = true};
  EXPECT_TRUE(is_like(cut, more));
  EXPECT_FALSE(is_like(all, more));
  EXPECT_TRUE(is_like(all, all));
  EXPECT_FALSE(is_like(cut, other));
  EXPECT_FALSE(is_like(more, all));
}

explore::Finding failure(std::string reason, std::string function) {
  explore::Finding f;
  f.reason = std::move(reason);
  f.stack.push_back({std::move(function), "t.erl", 1});
  return f;
}

TEST(Failures, AreTheSame) {
  EXPECT_TRUE(is_same_failure(failure("{bad,P.2}", "t:f/1"), failure("{bad,P.1}", "t:f/1")));
  EXPECT_FALSE(is_same_failure(failure("{bad,1}", "t:f/1"), failure("{bad,2}", "t:f/1")));
  EXPECT_FALSE(is_same_failure(failure("x", "t:f/1"), failure("x", "t:g/1")));
  EXPECT_FALSE(is_same_failure(failure("badarith", "erlang:'-'(a, 1)"),
                               failure("badarith", "erlang:'-'(b, 1)")));
  EXPECT_TRUE(
      is_same_failure(failure("x", "t:'-f/1-fun-3-'/2"), failure("x", "t:'-f/1-fun-0-'/1")));
}

}  // namespace
}  // namespace fathom::reduce
