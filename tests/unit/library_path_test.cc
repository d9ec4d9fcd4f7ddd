#include "syntax/library_path.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "shell.h"
#include "temp_tree.h"

namespace fathom::library_path_test {
namespace {

std::shared_ptr<const OtpInstallation> otp_in(const std::string& root) {
  OtpSearch search;
  search.root = root;
  return std::make_shared<const OtpInstallation>(OtpInstallation::find(search));
}

std::shared_ptr<const OtpInstallation> no_otp() { return otp_in("/nonexistent"); }

TEST(AppDir, NamesAsTheCodeServerGivesThem) {
  EXPECT_EQ(code_server_name("/usr/lib/stdlib-4.2"), "stdlib");
  EXPECT_EQ(code_server_name("foo"), "foo");
  EXPECT_EQ(code_server_name("x/foo-bar-1.0/"), "foo");
}

TEST(AppDir, ByResourceFile) {
  TempTree tree;
  tree.add_all({"fork/src/foo.app.src", "built/ebin/bar.app", "script/src/baz.app.src.script",
                "none/src/x.erl", "two/src/a.app.src", "two/src/two.app.src",
                "odd/source/odd.app.src"});
  EXPECT_EQ(app_at(tree / "fork"), (AppDir{"foo", tree / "fork"}));
  EXPECT_EQ(app_at(tree / "built"), (AppDir{"bar", tree / "built"}));
  EXPECT_EQ(app_at(tree / "script"), (AppDir{"baz", tree / "script"}));
  EXPECT_EQ(app_at(tree / "none"), std::nullopt);
  EXPECT_EQ(app_at(tree / "gone"), std::nullopt);
  EXPECT_EQ(app_at(tree / "two"), (AppDir{"two", tree / "two"}));
  EXPECT_EQ(app_at(tree / "odd"), std::nullopt);
  EXPECT_EQ(app_at(tree / "odd", {"src", "source"}), (AppDir{"odd", tree / "odd"}));
  EXPECT_EQ(apps_in(tree.root()).size(), 4u);
}

TEST(CodePath, OrderOfPrecedence) {
  TempTree tree;
  tree.add_all({"otp/releases/", "otp/lib/a-1/ebin/", "otp/lib/b-1/ebin/", "otp/lib/c-1/ebin/",
                "otp/lib/d-1/ebin/", "otp/lib/kernel-1/ebin/", "libs/b-2/ebin/", "libs/c-2/ebin/",
                "libs/d-2/ebin/", "libs/kernel-2/ebin/", "apps/c/", "apps/d/", "pa/d-3/ebin/",
                "pa2/d-4/ebin/", "pz/a-9/ebin/", "pz/e-9/ebin/"});
  CodePathOptions options;
  options.first = {tree / "pa/d-3/ebin", tree / "pa2/d-4/ebin/", tree / "missing/ebin"};
  options.last = {tree / "pz/a-9/ebin", tree / "pz/e-9/ebin"};
  options.erl_libs = "/nowhere::" + (tree / "libs/");
  CodePath path(options, otp_in(tree / "otp"), {{"c", tree / "apps/c"}, {"d", tree / "apps/d"}});
  EXPECT_EQ(path.library_dir("a"), tree / "otp/lib/a-1");
  EXPECT_EQ(path.library_dir("b"), tree / "libs/b-2");
  EXPECT_EQ(path.library_dir("c"), tree / "apps/c");
  EXPECT_EQ(path.library_dir("d"), tree / "pa2/d-4");
  EXPECT_EQ(path.library_dir("e"), tree / "pz/e-9");
  EXPECT_EQ(path.library_dir("kernel"), tree / "otp/lib/kernel-1");
  EXPECT_EQ(path.library_dir("missing"), "");
  EXPECT_EQ(path.library_dir(""), "");
}

TEST(CodePath, Modules) {
  TempTree tree;
  tree.add_all({"otp/releases/", "otp/lib/k-1/ebin/m.beam", "otp/lib/k-1/src/m.erl",
                "otp/lib/k-1/ebin/n.beam", "app/src/sub/n.erl", "app/src/own.erl",
                "pa/plain.beam"});
  CodePathOptions options;
  options.first = {tree / "pa"};
  CodePath path(options, otp_in(tree / "otp"), {{"app", tree / "app"}});
  EXPECT_EQ(path.find_module("m"), tree / "otp/lib/k-1/ebin/m.beam");
  EXPECT_EQ(path.find_module("n"), tree / "app/src/sub/n.erl");
  EXPECT_EQ(path.find_module("own"), tree / "app/src/own.erl");
  EXPECT_EQ(path.find_module("plain"), tree / "pa/plain.beam");
  EXPECT_EQ(path.find_module("none"), "");
}

TEST(CodePath, WithoutOtp) {
  CodePath path({}, no_otp());
  EXPECT_EQ(path.library_dir("kernel"), "");
  EXPECT_TRUE(path.applications().empty());
}

// Many little trees, and code:lib_dir/1 as the judge. One emulator for each tree.
class LibDirOracle {
 public:
  LibDirOracle(const TempTree& tree, unsigned seed) : tree_(tree), random_(seed) {}

  CodePathOptions options;
  std::string command = "erl -noinput";

  std::string pick_dir() {
    static const std::vector<std::string> kNames{"foo", "bar", "x-y", "kernel", "compiler", "v"};
    static const std::vector<std::string> kVersions{"",      "-1.2", "-1.10",  "-0.9.1", "-rc1",
                                                    "-01.2", "-",    "-2.0-1", "-1..3"};
    return kNames[random_() % kNames.size()] + kVersions[random_() % kVersions.size()];
  }

  void grow(TempTree& tree) {
    for (int i = 0; i < 14; ++i) {
      const std::string dir = (random_() % 2 ? "one/" : "two/") + pick_dir();
      tree.add(dir + (random_() % 4 ? "/ebin/" : "/src/"));
    }
    tree.add("solo/ebin/").add("plain/");
    add_flag("-pa", options.first);
    add_flag("-pz", options.last);
    static const std::vector<std::string> kLibs{"",        "one",  "two/",      "one:two",
                                                "two:one", "solo", "none::two", ".:one"};
    options.erl_libs = kLibs[random_() % kLibs.size()];
    if (random_() % 2 && !options.erl_libs.empty()) {
      options.erl_libs = (tree_ / "one") + ":" + options.erl_libs;
    }
  }

  // foo=one/foo-1.2, in the order of the question.
  std::string erl_says(const std::vector<std::string>& names) const {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "'" : ",'") + name + "'";
    return output_of(
        "ERL_LIBS=" + options.erl_libs + " " + command +
        " -eval \"[io:format(\\\"~ts=~ts~n\\\", [A, case code:lib_dir(A) of {error,_} -> "
        "[]; D -> filename:absname(D) end]) || A <- [" +
        list + "]], halt().\"");
  }

 private:
  void add_flag(const std::string& flag, std::vector<std::string>& dirs) {
    const std::vector<std::string> kinds{"one/" + pick_dir() + "/ebin",
                                         "two/" + pick_dir() + "/ebin",
                                         "solo/ebin",
                                         "plain",
                                         "./solo/ebin/",
                                         "one/" + pick_dir()};
    for (unsigned i = random_() % 3; i > 0; --i) {
      dirs.push_back(kinds[random_() % kinds.size()]);
      if (random_() % 2) dirs.back() = tree_ / dirs.back();
      command += " " + flag + " " + dirs.back();
    }
  }

  const TempTree& tree_;
  std::mt19937 random_;
};

TEST(CodePath, AgreesWithErl) {
  if (!have_erl()) GTEST_SKIP() << "no erl";
  const auto otp =
      std::make_shared<const OtpInstallation>(OtpInstallation::find(OtpSearch::from_environment()));
  const std::vector<std::string> names{"foo",      "bar", "x",      "x-y",  "kernel",
                                       "compiler", "v",   "stdlib", "erts", "solo",
                                       "plain",    "one", "two",    "ebin"};
  for (unsigned seed = 1; seed <= 12; ++seed) {
    TempTree tree;
    LibDirOracle oracle(tree, seed);
    oracle.grow(tree);
    const InDirectory here(tree.root());
    CodePath path(oracle.options, otp);
    std::string ours;
    for (const std::string& name : names) {
      const std::string dir = path.library_dir(name);
      ours += name + "=" + (dir.empty() ? "" : absolute_path(dir)) + "\n";
    }
    EXPECT_EQ(ours, oracle.erl_says(names))
        << "seed " << seed << ": ERL_LIBS=" << oracle.options.erl_libs << " " << oracle.command
        << "\n"
        << output_of("find . -type d | sort");
  }
}

TEST(CodePath, AgreesWithErlOnOtp) {
  if (!have_erl()) GTEST_SKIP() << "no erl";
  const auto otp =
      std::make_shared<const OtpInstallation>(OtpInstallation::find(OtpSearch::from_environment()));
  CodePath path({}, otp);
  std::string ours;
  std::string list;
  for (const AppDir& app : otp->libraries()) {
    ours += path.library_dir(app.name) + "\n";
    list += (list.empty() ? "" : ",") + app.name;
  }
  EXPECT_EQ(ours, output_of("env -u ERL_LIBS erl -noinput -eval '[io:format(\"~ts~n\", "
                            "[code:lib_dir(A)]) || A <- [" +
                            list + "]], halt().'"));
  EXPECT_EQ(path.find_module("lists"), path.library_dir("stdlib") + "/ebin/lists.beam");
}

}  // namespace
}  // namespace fathom::library_path_test
