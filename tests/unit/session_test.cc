// A session: what is read once for all of its machines, and what it tells of errors.
#include "session/session.h"

#include <gtest/gtest.h>

#include "base/budget.h"
#include "machine_values.h"
#include "oracle.h"
#include "temp_tree.h"

namespace fathom::session::session_test {
namespace {

using machine::Machine;

class SessionTest : public ::testing::Test {
 protected:
  SessionOptions options(std::vector<std::string> paths, std::vector<std::string> mocks = {}) {
    return {.project = ProjectOptions::from_environment(),
            .paths = std::move(paths),
            .mocks = std::move(mocks)};
  }

  static std::string value(Session& session, const std::string& text) {
    const auto expression = session.read_expression(text);
    if (!expression) return "error";
    const auto m = session.make_machine({});
    expression->load_into(*m);
    const machine::Outcome outcome = m->run(expression->module, expression->function, {});
    return outcome.kind == machine::Outcome::Kind::Value ? machine::shown(outcome.value) : "none";
  }

  static std::vector<std::string> messages(Session& session) {
    std::vector<std::string> texts;
    Diagnostics diagnostics = session.take_diagnostics();
    for (const Diagnostic& d : diagnostics.all()) texts.push_back(d.message);
    return texts;
  }

  TempTree tree_;
};

TEST_F(SessionTest, ReadsAModuleOnceForAllMachines) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  tree_.add("m.erl", "-module(m). -export([f/1]). f(X) -> lists:reverse(X).");
  Session session(options({tree_ / "m.erl"}));
  EXPECT_EQ(session.library().files_read(), 0u);
  EXPECT_EQ(value(session, "m:f([1,2])"), "[2,1]");
  const size_t read = session.library().files_read();
  EXPECT_GT(read, 0u);
  EXPECT_EQ(value(session, "m:f([1,2,3])"), "[3,2,1]");
  EXPECT_EQ(value(session, "m:f([])."), "[]");
  EXPECT_EQ(session.library().files_read(), read);
}

// What a module is run with is read, and nothing else of it.
TEST_F(SessionTest, ReadsDebugInfoWithoutTypes) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  Session session(options({}));
  const auto found = session.library().find(Atom::intern("gen_server"));
  ASSERT_TRUE(found && *found);
  const Ast& ast = (*found)->unit->ast;
  size_t callbacks = 0;
  for (const NodeId form : ast.forms()) {
    EXPECT_NE(ast.kind(form), NodeKind::TypeDecl);
    if (ast.kind(form) != NodeKind::Spec) continue;
    EXPECT_EQ(ast.get<node::Spec>(form).attribute, atoms::callback);
    ++callbacks;
  }
  EXPECT_GT(callbacks, 5u);
  EXPECT_TRUE((*found)->core->find(Atom::intern("start_link"), 3));
}

// Sorting, formatting, errors and their places, what is said about functions.
constexpr const char* kOfLibraries[] = {
    "lists:sort(lists:module_info(functions))",
    "lists:flatten(io_lib:format(\"~p ~w ~s\", [#{a => {1, 2.5}}, [x | y], string:trim(\" é \")]))",
    "try lists:nth(0, []) catch C:R:S -> {C, R, S} end",
    "try gen_server:call(nobody, x) catch C:R:S -> {C, R, S} end",
    "{ok, T, _} = erl_scan:string(\"f(X) -> <<X:8>>.\"), erl_parse:parse_form(T)",
    "lists:usort([application:which_applications(), application:get_all_key(stdlib)]) =/= []",
};

TEST_F(SessionTest, LibrariesInPartsAreThoseThatWereReadAtOnce) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  SessionOptions whole = options({});
  whole.libraries = Reading::Whole;
  Session at_once(whole);
  Session in_parts(options({}));
  for (const char* text : kOfLibraries) {
    const std::string result = value(at_once, text);
    EXPECT_NE(result, "none") << text;
    EXPECT_EQ(value(in_parts, text), result);
  }
  EXPECT_LT(in_parts.library().program().id_count(), at_once.library().program().id_count());
}

// Their order and hashes are seen by programs.
TEST_F(SessionTest, FunsDoNotDependOnWhatWasReadFirst) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  tree_.add("m.erl",
            "-module(m). -export([f/0, g/0, h/0]). h() -> [fun f/0, fun() -> 1 end].\n"
            "f() -> [fun(X) -> X end, fun() -> fun(Y) -> {f, Y} end end].\n"
            "g() -> [fun(X) -> {g, X} end, fun g/0 | h()].\n");
  ASSERT_TRUE(shell("erlc +debug_info -o " + tree_.root() + " " + (tree_ / "m.erl")).ok());
  SessionOptions library = options({});
  library.project.code_path.first = {tree_.root()};
  const std::string hashes = "[{F, erlang:phash2(F)} || F <- lists:sort(lists:append(All))]";
  Session one(library);
  const std::string first = value(one, "All = [m:f(), m:g(), m:h()], " + hashes);
  Session other(library);
  EXPECT_EQ(value(other, "All = [m:h(), m:g(), m:f()], " + hashes), first);
  EXPECT_NE(first, "none");
}

// That there was no time left for a parse transform says nothing about the module.
TEST_F(SessionTest, DoesNotRememberALimit) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  tree_.add("slow.erl",
            "-module(slow). -export([parse_transform/2]).\n"
            "parse_transform(Forms, _) -> wait(3000000), Forms.\n"
            "wait(0) -> ok;\nwait(N) -> wait(N - 1).\n");
  tree_.add("m.erl", "-module(m). -compile({parse_transform, slow}). -export([f/0]). f() -> ok.");
  Session session(options({tree_ / "m.erl", tree_ / "slow.erl"}));
  Budget budget({.seconds = 0.005});
  {
    const BudgetScope scope(budget);
    EXPECT_THROW((void)session.library().find(Atom::intern("m")), BudgetSpent);
  }
  EXPECT_TRUE(messages(session).empty());
  EXPECT_EQ(value(session, "m:f()"), "ok");
  EXPECT_TRUE(messages(session).empty());
}

TEST_F(SessionTest, MachinesShareCode) {
  tree_.add("m.erl", "-module(m). -export([f/0]). f() -> ok.");
  Session session(options({tree_ / "m.erl"}));
  const auto first = session.make_machine({});
  const auto second = session.make_machine({});
  const Atom m = Atom::intern("m");
  EXPECT_EQ(first->ensure_module(m)->core, second->ensure_module(m)->core);
}

TEST_F(SessionTest, TellsErrorsOnce) {
  tree_.add("m.erl", "-module(m). -export([f/0]). f() -> X.");
  Session session(options({tree_ / "m.erl"}));
  EXPECT_EQ(messages(session), std::vector<std::string>());
  EXPECT_FALSE(session.library().find(Atom::intern("m")));
  EXPECT_EQ(messages(session), std::vector<std::string>{"variable X is unbound"});
  EXPECT_FALSE(session.library().find(Atom::intern("m")));
  EXPECT_EQ(messages(session), std::vector<std::string>());
  EXPECT_EQ(session.library().files_read(), 1u);
}

TEST_F(SessionTest, MocksAreInEveryMachine) {
  tree_.add("m.erl", "-module(m). -export([f/0]). f() -> real.");
  tree_.add("mocks/m.erl", "-module(m). -export([f/0]). f() -> mock.");
  Session session(options({tree_ / "m.erl"}, {tree_ / "mocks/m.erl"}));
  EXPECT_EQ(messages(session), std::vector<std::string>());
  EXPECT_EQ(value(session, "m:f()"), "mock");
  EXPECT_EQ(value(session, "m:f()"), "mock");
}

TEST_F(SessionTest, TwoMocksOfOneModuleAreAnError) {
  tree_.add("a/m.erl", "-module(m). -export([f/0]). f() -> 1.");
  tree_.add("b/m.erl", "-module(m). -export([f/0]). f() -> 2.");
  Session session(options({}, {tree_ / "a/m.erl", tree_ / "b/m.erl"}));
  EXPECT_TRUE(session.take_diagnostics().has_errors());
}

TEST_F(SessionTest, AnExpressionWithErrorsGivesNone) {
  Session session(options({}));
  EXPECT_FALSE(session.read_expression("1 +"));
  EXPECT_TRUE(session.take_diagnostics().has_errors());
  EXPECT_EQ(value(session, "1 + 1."), "2");
}

}  // namespace
}  // namespace fathom::session::session_test
