#include "syntax/project.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "shell.h"
#include "temp_tree.h"

namespace fathom::project_test {
namespace {

using Strings = std::vector<std::string>;

// A project model over a tree, without any OTP, so that nothing depends on the
// machine. Names in answers are relative to the tree.
class Model {
 public:
  explicit Model(const TempTree& tree, ProjectOptions options = {})
      : tree_(tree), project_(with_no_otp(std::move(options))) {}

  Model& add(const std::string& path) {
    project_.add(path, diagnostics_);
    return *this;
  }

  Strings paths() const {
    Strings out;
    for (const SourceModule& module : project_.modules()) out.push_back(relative(module.path));
    return out;
  }
  const SourceModule& module(const std::string& name) const {
    for (const SourceModule& module : project_.modules()) {
      if (module.path.ends_with("/" + name + ".erl") || module.path.ends_with(name + ".beam") ||
          module.path == name + ".erl") {
        return module;
      }
    }
    ADD_FAILURE() << "no module " << name;
    static const SourceModule none{"", std::make_shared<CompileOptions>(), false, ""};
    return none;
  }
  Strings includes(const std::string& name) const {
    Strings out;
    for (const std::string& dir : module(name).options->include_dirs) out.push_back(relative(dir));
    return out;
  }
  // NAME or NAME=VALUE, sorted.
  Strings macros(const std::string& name) const {
    Strings out;
    for (const MacroDefinition& macro : module(name).options->macros) {
      out.push_back(macro.name + (macro.value.empty() ? "" : "=" + macro.value));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  std::string library(const std::string& module_name, const std::string& app) const {
    return relative(module(module_name).options->libraries->library_dir(app));
  }
  Strings messages() {
    Strings out;
    for (const Diagnostic& d : diagnostics_.all()) {
      out.push_back(relative(d.file) + (d.severity == Severity::Error ? " E " : " W ") +
                    relative(d.message));
    }
    return out;
  }
  Project& project() { return project_; }

 private:
  static ProjectOptions with_no_otp(ProjectOptions options) {
    if (options.otp.root.empty()) options.otp.root = "/nonexistent";
    return options;
  }
  std::string relative(std::string text) const {
    for (size_t at; (at = text.find(tree_.root())) != std::string::npos;) {
      const bool below = text.compare(at + tree_.root().size(), 1, "/") == 0;
      text.replace(at, tree_.root().size() + (below ? 1 : 0), below ? "" : ".");
    }
    return text;
  }

  const TempTree& tree_;
  Project project_;
  Diagnostics diagnostics_;
};

ProjectOptions with_tests() {
  ProjectOptions options;
  options.tests = true;
  return options;
}

TEST(Project, LooseFile) {
  TempTree tree;
  tree.add("a.erl").add("sub/b.erl");
  const InDirectory here(tree.root());
  ProjectOptions options;
  options.include_dirs = {"inc", "/abs"};
  options.macros = {parse_macro_argument("A"), parse_macro_argument("B=[1,2]=x")};
  Model model(tree, options);
  model.add("a.erl").add("sub/b.erl");
  EXPECT_EQ(model.paths(), (Strings{"a.erl", "sub/b.erl"}));
  EXPECT_EQ(model.includes("a"), (Strings{".", "inc", "/abs"}));
  EXPECT_EQ(model.macros("b"), (Strings{"A", "B=[1,2]=x"}));
  EXPECT_EQ(model.module("a").app, "");
  EXPECT_EQ(model.module("a").options->otp_release, 28u);
  EXPECT_EQ(model.messages(), Strings{});
}

TEST(Project, WhatIsNoModule) {
  TempTree tree;
  tree.add("notes.txt").add("empty/").add("not_empty/readme.md");
  mkfifo((tree / "pipe.erl").c_str(), 0600);
  Model model(tree);
  for (const char* name :
       {"gone.erl", "gone", "notes.txt", "empty", "not_empty", "pipe.erl", "notes.txt/x.erl"}) {
    model.add(tree / name);
  }
  EXPECT_EQ(model.paths(), Strings{});
  EXPECT_EQ(model.messages(),
            (Strings{" E no such file or directory: gone.erl", " E no such file or directory: gone",
                     " E neither an .erl nor a .beam file: notes.txt",
                     " E no .erl or .beam files in empty", " E no .erl or .beam files in not_empty",
                     " E neither a file nor a directory: pipe.erl",
                     " E no such file or directory: notes.txt/x.erl"}));
}

TEST(Project, DirectoryIsWalkedInOrder) {
  TempTree tree;
  tree.add_all({"d/b.erl", "d/a/z.erl", "d/a.erl", "d/.hidden/h.erl", "d/.#b.erl", "d/_build/x.erl",
                "d/c.beam", "d/dir.erl/inner.erl", "beams/m.beam", "beams/deep/l.beam"});
  Model model(tree);
  model.add(tree / "d").add(tree / "d/a.erl").add(tree / "beams/");
  EXPECT_EQ(model.paths(), (Strings{"d/a.erl", "d/a/z.erl", "d/b.erl", "d/dir.erl/inner.erl",
                                    "beams/deep/l.beam", "beams/m.beam"}));
}

TEST(Project, LinksThatFormACycle) {
  TempTree tree;
  tree.add("d/a.erl").add("d/sub/b.erl");
  tree.link("d/sub/up", "..")
      .link("d/self", ".")
      .link("d/dead.erl", "nowhere")
      .link("d/loop", "loop");
  Model model(tree);
  model.add(tree / "d");
  EXPECT_EQ(model.paths(), (Strings{"d/a.erl", "d/sub/b.erl"}));
  EXPECT_EQ(model.messages(), Strings{});
}

TEST(Project, UnreadableDirectory) {
  TempTree tree;
  tree.add("d/a.erl").add("d/secret/b.erl");
  chmod(tree.root().c_str(), 0755);
  chmod((tree / "d/secret").c_str(), 0);
  // Root reads everything, so for a moment it is somebody else.
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || seteuid(65534) == 0);
  Model model(tree);
  model.add(tree / "d");
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  chmod((tree / "d/secret").c_str(), 0700);
  EXPECT_EQ(model.paths(), Strings{"d/a.erl"});
  EXPECT_EQ(model.messages(), Strings{" E cannot read directory d/secret: Permission denied"});
}

TEST(Project, SingleFileInsideAnApplication) {
  TempTree tree;
  tree.add_all({"app/src/app.app.src", "app/src/a.erl", "app/src/deep/b.erl", "app/include/a.hrl",
                "app/test/a_tests.erl"});
  Model model(tree);
  model.add(tree / "app/src/deep/b.erl").add(tree / "app/test/a_tests.erl");
  EXPECT_EQ(model.includes("b"), (Strings{"app", "app/src", "app/include"}));
  EXPECT_EQ(model.module("b").app, "app");
  EXPECT_FALSE(model.module("b").is_test);
  EXPECT_TRUE(model.module("a_tests").is_test);
  EXPECT_EQ(model.module("b").options, model.module("a_tests").options) << "made once";
  EXPECT_EQ(model.library("b", "app"), "app");
  EXPECT_EQ(model.macros("b"), Strings{});
}

TEST(Project, NamesAreRelativeToTheCurrentDirectory) {
  TempTree tree;
  tree.add_all({"app/src/app.app.src", "app/src/a.erl", "app/include/a.hrl"});
  {
    const InDirectory here(tree / "app");
    Model model(tree);
    model.add("src/a.erl");
    EXPECT_EQ(model.paths(), Strings{"src/a.erl"});
    EXPECT_EQ(model.includes("a"), (Strings{".", "src", "include"}));
    EXPECT_EQ(model.library("a", "app"), ".");
    Model all(tree);
    EXPECT_EQ(all.add(".").paths(), Strings{"src/a.erl"});
  }
  const InDirectory here(tree / "app/include");
  Model model(tree);
  model.add("..");
  EXPECT_EQ(model.project().modules()[0].path, "../src/a.erl");
  EXPECT_EQ(model.includes("a"), (Strings{"app", "app/src", "."}));
}

TEST(Project, OtpLikeTree) {
  TempTree tree;
  tree.add_all({"lib/kernel/src/kernel.app.src", "lib/kernel/src/file.erl",
                "lib/kernel/include/file.hrl", "lib/stdlib-4.2/ebin/stdlib.app",
                "lib/stdlib-4.2/src/lists.erl", "lib/stdlib-4.2/include/x.hrl"});
  Model model(tree);
  model.add(tree / "lib");
  EXPECT_EQ(model.paths(), (Strings{"lib/kernel/src/file.erl", "lib/stdlib-4.2/src/lists.erl"}));
  EXPECT_EQ(model.includes("lists"),
            (Strings{"lib/stdlib-4.2", "lib/stdlib-4.2/src", "lib/stdlib-4.2/include"}));
  EXPECT_EQ(model.module("file").app, "kernel");
}

TEST(Project, CompiledApplication) {
  TempTree tree;
  tree.add_all({"app-1.0/ebin/app.app", "app-1.0/ebin/a.beam", "app-1.0/include/a.hrl"});
  Model model(tree);
  model.add(tree / "app-1.0");
  EXPECT_EQ(model.paths(), Strings{"app-1.0/ebin/a.beam"});
  EXPECT_EQ(model.module("a").app, "app");
}

const char kConfig[] = R"rebar(
{erl_opts, [debug_info, no_debug_info, warnings_as_errors, {i, "shared"}, {i, "/abs/inc"},
            {d, 'PLAIN'}, {d, 'NUM', 42}, {d, 'TEXT', "say \"hi\"\n"}, {d, 'BIN', <<"ab">>},
            {d, 'TERM', {a, ["x", -1, 2.5], 'Q q', #{k => v}}},
            {platform_define, "^(2[0-9]|3)", 'NEW_OTP'},
            {platform_define, "(?=^[0-9]+)(?!^17$)", 'LOOK', yes},
            {platform_define, "win32|darwin9", 'NOT_HERE'},
            {platform_define, "-(32|64)$", 'WORDS', 1},
            {parse_transform, first_transform}, {parse_transform, second},
            {src_dirs, ["more"]}]}.
{src_dirs, ["src", {"flat", [{recursive, false}]}]}.
{deps, [{cowboy, "2.9.0"}, jsx, {gone, {git, "../y.git", {tag, "1"}}}]}.
{eunit_compile_opts, [{d, 'UNIT_ONLY'}, {d, 'PLAIN', overridden}]}.
{extra_src_dirs, ["bench"]}.
{profiles, [{prod, [{erl_opts, [{d, 'PROD'}]}]},
            {test, [{erl_opts, [{d, 'FROM_PROFILE'}, {i, "test_inc"}]}, {deps, [meck]}]}]}.
)rebar";

TempTree& add_rebar_project(TempTree& tree) {
  tree.add("p/rebar.config", kConfig);
  tree.add_all({"p/src/p.app.src", "p/src/a.erl", "p/src/sub/b.erl", "p/flat/c.erl",
                "p/flat/sub/not.erl", "p/more/d.erl", "p/include/p.hrl", "p/shared/",
                "p/test/a_tests.erl", "p/test/sub/not.erl", "p/bench/bench.erl",
                "p/_build/default/lib/cowboy/ebin/cowboy.app",
                "p/_build/default/lib/cowboy/src/cowboy.erl", "p/_build/default/lib/p/ebin/p.app",
                "p/_build/test/lib/meck/ebin/meck.app", "p/_checkouts/jsx/src/jsx.app.src",
                "p/examples/demo.erl"});
  return tree;
}

TEST(Project, Rebar) {
  TempTree tree;
  Model model(add_rebar_project(tree));
  model.add(tree / "p");
  EXPECT_EQ(model.paths(),
            (Strings{"p/flat/c.erl", "p/more/d.erl", "p/src/a.erl", "p/src/sub/b.erl"}));
  EXPECT_EQ(model.includes("b"), (Strings{"p", "p/shared", "/abs/inc", "p/src", "p/flat", "p/more",
                                          "p/bench", "p/include"}));
  EXPECT_EQ(model.macros("a"), (Strings{"BIN=<<97,98>>", "LOOK=yes", "NEW_OTP", "NUM=42", "PLAIN",
                                        "TERM={a,[\"x\",-1,2.5],'Q q',#{k => v}}",
                                        "TEXT=\"say \\\"hi\\\"\\n\"", "WORDS=1"}));
  EXPECT_EQ(model.module("a").options->parse_transforms, (Strings{"first_transform", "second"}));
  EXPECT_EQ(model.library("a", "p"), "p");
  EXPECT_EQ(model.library("a", "cowboy"), "p/_build/default/lib/cowboy");
  EXPECT_EQ(model.library("a", "jsx"), "p/_checkouts/jsx");
  EXPECT_EQ(model.library("a", "meck"), "p/_build/test/lib/meck");
  EXPECT_EQ(model.project().missing_dependencies(), Strings{"gone"});
  EXPECT_EQ(model.messages(), Strings{});
}

TEST(Project, RebarWithTests) {
  TempTree tree;
  Model model(add_rebar_project(tree), with_tests());
  model.add(tree / "p");
  EXPECT_EQ(model.paths(), (Strings{"p/flat/c.erl", "p/more/d.erl", "p/src/a.erl",
                                    "p/src/sub/b.erl", "p/bench/bench.erl", "p/test/a_tests.erl"}));
  EXPECT_TRUE(model.module("a_tests").is_test);
  EXPECT_TRUE(model.module("bench").is_test);
  EXPECT_FALSE(model.module("a").is_test);
  const Strings macros = model.macros("a");
  for (const char* name : {"TEST", "EUNIT", "UNIT_ONLY", "FROM_PROFILE", "PLAIN=overridden"}) {
    EXPECT_TRUE(std::count(macros.begin(), macros.end(), name)) << name;
  }
  EXPECT_FALSE(std::count(macros.begin(), macros.end(), "PROD"));
  EXPECT_EQ(model.includes("a_tests"),
            (Strings{"p", "p/shared", "/abs/inc", "p/test_inc", "p/src", "p/flat", "p/more",
                     "p/bench", "p/test", "p/include"}));
}

TEST(Project, CommandLineWinsOverRebar) {
  TempTree tree;
  ProjectOptions options;
  options.include_dirs = {"mine"};
  options.macros = {{"NUM", "7"}, {"MINE", ""}};
  Model model(add_rebar_project(tree), options);
  model.add(tree / "p/src/a.erl");
  const Strings macros = model.macros("a");
  EXPECT_TRUE(std::count(macros.begin(), macros.end(), "NUM=7"));
  EXPECT_FALSE(std::count(macros.begin(), macros.end(), "NUM=42"));
  EXPECT_TRUE(std::count(macros.begin(), macros.end(), "MINE"));
  EXPECT_EQ(model.includes("a")[1], "mine");
}

TEST(Project, FilesOfARebarProjectOutsideItsApplications) {
  TempTree tree;
  Model model(add_rebar_project(tree));
  model.add(tree / "p/_build/default/lib/cowboy/src/cowboy.erl").add(tree / "p/examples");
  // A dependency is compiled by its own rules, but sees its neighbours.
  EXPECT_EQ(model.module("cowboy").app, "cowboy");
  EXPECT_EQ(model.macros("cowboy"), Strings{});
  EXPECT_EQ(model.library("cowboy", "jsx"), "p/_checkouts/jsx");
  EXPECT_EQ(model.paths()[1], "p/examples/demo.erl");
  EXPECT_EQ(model.module("demo").app, "p");
}

TempTree& add_umbrella(TempTree& tree) {
  tree.add("u/rebar.config",
           "{erl_opts, [{d, 'ROOT'}, {d, 'BOTH', root}, {i, \"include\"}]}.\n"
           "{excluded_apps, [left_out]}.\n");
  tree.add("u/apps/one/rebar.config",
           "{erl_opts, [{d, 'BOTH', one}, {i, \"extra\"}]}. {src_dirs, [\"src\", \"gen\"]}.");
  tree.add_all({"u/apps/one/src/one.app.src", "u/apps/one/src/a.erl", "u/apps/one/gen/g.erl",
                "u/apps/one/extra/e.hrl", "u/apps/one/include/one.hrl",
                "u/apps/two/src/two.app.src", "u/apps/two/src/b.erl", "u/apps/two/test/b_tests.erl",
                "u/apps/left_out/src/left_out.app.src", "u/apps/left_out/src/x.erl",
                "u/apps/README", "u/lib/three/src/three.app.src", "u/lib/three/src/c.erl",
                "u/test/top_tests.erl", "u/include/u.hrl"});
  return tree;
}

TEST(Project, Umbrella) {
  TempTree tree;
  Model model(add_umbrella(tree));
  model.add(tree / "u");
  EXPECT_EQ(model.paths(), (Strings{"u/apps/one/gen/g.erl", "u/apps/one/src/a.erl",
                                    "u/apps/two/src/b.erl", "u/lib/three/src/c.erl"}));
  EXPECT_EQ(model.macros("g"), (Strings{"BOTH=one", "ROOT"}));
  EXPECT_EQ(model.macros("b"), (Strings{"BOTH=root", "ROOT"}));
  EXPECT_EQ(model.includes("a"), (Strings{"u", "u/include", "u/apps/one/extra", "u/apps/one/src",
                                          "u/apps/one/gen", "u/apps/one/include", "u/apps/one"}));
  EXPECT_EQ(model.library("b", "one"), "u/apps/one") << "before anything is built";
  EXPECT_EQ(model.module("c").app, "three");
}

TEST(Project, UmbrellaWithTests) {
  TempTree tree;
  Model model(add_umbrella(tree), with_tests());
  model.add(tree / "u");
  EXPECT_EQ(model.paths(), (Strings{"u/apps/one/gen/g.erl", "u/apps/one/src/a.erl",
                                    "u/apps/two/src/b.erl", "u/apps/two/test/b_tests.erl",
                                    "u/lib/three/src/c.erl", "u/test/top_tests.erl"}));
  EXPECT_TRUE(model.module("top_tests").is_test);
  EXPECT_EQ(model.module("top_tests").app, "");
}

TEST(Project, PartOfAnUmbrella) {
  TempTree tree;
  Model model(add_umbrella(tree));
  model.add(tree / "u/apps/one").add(tree / "u/apps/two/src/b.erl");
  EXPECT_EQ(model.paths(),
            (Strings{"u/apps/one/gen/g.erl", "u/apps/one/src/a.erl", "u/apps/two/src/b.erl"}));
  EXPECT_EQ(model.macros("a"), (Strings{"BOTH=one", "ROOT"}));
  EXPECT_EQ(model.library("a", "two"), "u/apps/two");
  Model inside(tree);
  inside.add(tree / "u/apps");
  EXPECT_EQ(inside.macros("b"), (Strings{"BOTH=root", "ROOT"}));
}

TEST(Project, UmbrellaWithoutConfiguration) {
  TempTree tree;
  tree.add_all({"u/apps/one/src/one.app.src", "u/apps/one/src/a.erl", "u/scripts/s.erl"});
  Model model(tree);
  model.add(tree / "u");
  EXPECT_EQ(model.paths(), Strings{"u/apps/one/src/a.erl"});
}

TEST(Project, AProjectWithinAProject) {
  TempTree tree;
  tree.add("outer/rebar.config", "{erl_opts, [{d, 'OUTER'}]}.");
  tree.add("outer/examples/demo/rebar.config", "{erl_opts, [{d, 'DEMO'}]}.");
  tree.add_all({"outer/src/outer.app.src", "outer/examples/demo/src/demo.app.src",
                "outer/examples/demo/src/d.erl"});
  Model model(tree);
  model.add(tree / "outer/examples/demo/src/d.erl");
  EXPECT_EQ(model.macros("d"), Strings{"DEMO"});
  EXPECT_EQ(model.module("d").app, "demo");
}

TEST(Project, TwoProjectsDoNotSeeEachOther) {
  TempTree tree;
  tree.add_all({"v1/src/app.app.src", "v1/src/a.erl", "v2/src/app.app.src", "v2/src/b.erl"});
  Model model(tree);
  model.add(tree / "v1").add(tree / "v2");
  EXPECT_EQ(model.library("a", "app"), "v1");
  EXPECT_EQ(model.library("b", "app"), "v2");
}

TEST(Project, RebarConfigWithoutApplication) {
  TempTree tree;
  tree.add("p/rebar.config", "{erl_opts, [{d, 'X'}]}. {project_app_dirs, [\"code/*\", \"../q\"]}.");
  tree.add_all({"p/src/a.erl", "p/include/a.hrl"});
  Model model(tree);
  model.add(tree / "p");
  EXPECT_EQ(model.paths(), Strings{"p/src/a.erl"});
  EXPECT_EQ(model.macros("a"), Strings{"X"});
  EXPECT_EQ(model.includes("a"), (Strings{"p", "p/src", "p/include"}));

  tree.add_all({"p/code/c/src/c.app.src", "p/code/c/src/c.erl", "q/src/q.app.src", "q/src/q.erl"});
  Model other(tree);
  other.add(tree / "p");
  EXPECT_EQ(other.module("c").app, "c");
  EXPECT_EQ(other.module("q").app, "q");
  EXPECT_EQ(other.macros("q"), Strings{"X"});
}

TEST(Project, WhatCannotBeHonouredIsSaidOnce) {
  TempTree tree;
  tree.add("p/rebar.config", "{erl_opts, [{platform_define, \"(\", 'X'}, {d, 'Y'}]}.");
  tree.add("p/rebar.config.script", "CONFIG.");
  tree.add_all({"p/src/p.app.src", "p/src/a.erl", "p/src/b.erl"});
  Model model(tree);
  model.add(tree / "p/src/a.erl").add(tree / "p");
  EXPECT_EQ(model.messages(),
            (Strings{"p/rebar.config.script W what this script computes is not honoured: "
                     "it is not run here",
                     "p/rebar.config W platform_define is ignored: cannot understand its regular "
                     "expression \"(\""}));
  EXPECT_EQ(model.macros("b"), Strings{"Y"});
}

TEST(Project, BrokenRebarConfig) {
  TempTree tree;
  tree.add("p/rebar.config", "{erl_opts, [}.\n");
  tree.add_all({"p/src/p.app.src", "p/src/a.erl"});
  Model model(tree);
  model.add(tree / "p");
  EXPECT_EQ(model.paths(), Strings{"p/src/a.erl"});
  const Strings messages = model.messages();
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_TRUE(messages[0].starts_with("p/rebar.config:1:")) << messages[0];
  EXPECT_NE(messages[0].find(" E "), std::string::npos) << messages[0];
}

TEST(Project, NonsenseInRebarConfigIsPassedOver) {
  TempTree tree;
  tree.add(
      "p/rebar.config",
      "foo. {erl_opts, debug_info}. {src_dirs, src}. {extra_src_dirs, [1, {a}]}. {deps, [7]}.\n"
      "{profiles, [test, {test, x}]}. {erl_opts, [{d}, {d, 1, 2, 3}, {i, [x]}, {i, 5}, {d, []}"
      ", {d, 'OK'} | improper]}. {base_dir, []}.\n");
  tree.add_all({"p/src/p.app.src", "p/src/a.erl"});
  Model model(tree, with_tests());
  model.add(tree / "p");
  EXPECT_EQ(model.paths(), Strings{"p/src/a.erl"});
  EXPECT_EQ(model.macros("a"), (Strings{"EUNIT", "OK", "TEST"}));
}

TEST(Project, InstalledOtpIsUsed) {
  if (!have_erl()) GTEST_SKIP() << "no erl";
  TempTree tree;
  tree.add("a.erl");
  ProjectOptions options = ProjectOptions::from_environment();
  Project project(options);
  Diagnostics diagnostics;
  project.add(tree / "a.erl", diagnostics);
  project.add(project.otp().lib_dir(), diagnostics);
  ASSERT_GT(project.modules().size(), 100u);
  EXPECT_EQ(project.modules()[0].options->otp_release, project.otp().release());
  EXPECT_TRUE(project.modules()[0].options->libraries->library_dir("kernel").starts_with(
      project.otp().lib_dir()));
}

}  // namespace
}  // namespace fathom::project_test
