#include "syntax/otp.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "shell.h"
#include "temp_tree.h"

namespace fathom::otp_test {
namespace {

void add_otp(TempTree& tree, const std::string& root, const std::string& version) {
  const std::string release = version.substr(0, version.find('.'));
  tree.add(root + "/releases/" + release + "/OTP_VERSION", version + "\n");
  tree.add(root + "/releases/start_erl.data", "13.1.5 " + release + "\n");
  tree.add(root + "/lib/kernel-8.5/ebin/");
  tree.script(root + "/bin/erl", "#!/bin/sh\nexit 1\n");
}

OtpSearch search_path(const std::string& path) {
  OtpSearch search;
  search.path = path;
  search.run_limit_ms = 0;
  return search;
}

TEST(Otp, NoneIsAClearValue) {
  TempTree tree;
  tree.add("bin/");
  const OtpInstallation otp = OtpInstallation::find(search_path(tree / "bin"));
  EXPECT_FALSE(otp.found());
  EXPECT_EQ(otp.release(), kDefaultOtpRelease);
  EXPECT_EQ(otp.version(), "28");
  EXPECT_NE(otp.problem().find("FATHOM_OTP_ROOT"), std::string::npos);
  EXPECT_TRUE(otp.libraries().empty());
  EXPECT_TRUE(otp.platform().starts_with("28-"));
}

TEST(Otp, ErlOnPathIsALinkIntoTheInstallation) {
  TempTree tree;
  add_otp(tree, "usr/lib/erlang", "25.2.3");
  tree.add("usr/bin/").link("usr/bin/erl", "../lib/erlang/bin/erl");
  const OtpInstallation otp =
      OtpInstallation::find(search_path((tree / "none") + ":" + (tree / "usr/bin")));
  EXPECT_EQ(otp.root(), tree / "usr/lib/erlang");
  EXPECT_EQ(otp.lib_dir(), tree / "usr/lib/erlang/lib");
  EXPECT_EQ(otp.release(), 25u);
  EXPECT_EQ(otp.version(), "25.2.3");
  EXPECT_EQ(otp.problem(), "");
}

TEST(Otp, ErlOnPathIsACopyOfTheScript) {
  TempTree tree;
  add_otp(tree, "opt/otp26", "26.1");
  tree.script("bin/erl", "#!/bin/sh\nif [ -z \"$X\" ]; then\n  ROOTDIR=\"" + (tree / "opt/otp26") +
                             "\"\nfi\n");
  EXPECT_EQ(OtpInstallation::find(search_path(tree / "bin")).root(), tree / "opt/otp26");
}

TEST(Otp, PrefixLayouts) {
  TempTree tree;
  add_otp(tree, "kerl/27.0", "27.0.1**");
  OtpSearch search;
  search.prefixes = {tree / "none", tree / "kerl/27.0"};
  const OtpInstallation otp = OtpInstallation::find(search);
  EXPECT_EQ(otp.root(), tree / "kerl/27.0");
  EXPECT_EQ(otp.version(), "27.0.1");

  add_otp(tree, "prefix/lib/erlang", "24.3");
  search.root = tree / "prefix";
  EXPECT_EQ(OtpInstallation::find(search).root(), tree / "prefix/lib/erlang");
}

TEST(Otp, WhatTheUserSaidIsNotOverruled) {
  TempTree tree;
  add_otp(tree, "otp", "25.0");
  OtpSearch search = search_path(tree / "otp/bin");
  search.root = tree / "nothing";
  const OtpInstallation otp = OtpInstallation::find(search);
  EXPECT_FALSE(otp.found());
  EXPECT_NE(otp.problem().find(tree / "nothing"), std::string::npos);
}

TEST(Otp, ReleaseWithoutStartData) {
  TempTree tree;
  tree.add_all({"otp/lib/", "otp/releases/9/OTP_VERSION", "otp/releases/9.old/"});
  tree.add("otp/releases/24/OTP_VERSION", "24.3.4\n");
  OtpSearch search;
  search.root = tree / "otp";
  EXPECT_EQ(OtpInstallation::find(search).version(), "24.3.4");

  TempTree old;
  old.add("otp/lib/")
      .add("otp/releases/RELEASES",
           "%% coding: utf-8\n[{release,\"Erlang/OTP\",\"23\",\"11.0\",[],permanent}].\n");
  search.root = old / "otp";
  EXPECT_EQ(OtpInstallation::find(search).release(), 23u);

  TempTree source;  // built, not installed
  source.add("otp/lib/").add("otp/OTP_VERSION", "28.0-rc3\n");
  search.root = source / "otp";
  EXPECT_EQ(OtpInstallation::find(search).release(), 28u);
  EXPECT_EQ(OtpInstallation::find(search).version(), "28.0-rc3");

  TempTree damaged;
  damaged.add_all({"otp/lib/", "otp/releases/"});
  search.root = damaged / "otp";
  EXPECT_TRUE(OtpInstallation::find(search).found());
  EXPECT_EQ(OtpInstallation::find(search).release(), kDefaultOtpRelease);
}

TEST(Otp, AShimIsRunOnce) {
  TempTree tree;
  add_otp(tree, "installs/26", "26.2");
  tree.script("shims/erl", "#!/bin/sh\necho x >> " + (tree / "runs") +
                               "\necho 'shim: hello'\necho " + (tree / "installs/26") + "\n");
  OtpSearch search = search_path(tree / "shims");
  EXPECT_FALSE(OtpInstallation::find(search).found()) << "without permission nothing is run";
  search.run_limit_ms = 20'000;
  EXPECT_EQ(OtpInstallation::find(search).root(), tree / "installs/26");
  EXPECT_EQ(std::filesystem::file_size(tree / "runs"), 2u);
}

TEST(Otp, AShimThatHangsIsEnded) {
  TempTree tree;
  tree.script("shims/erl", "#!/bin/sh\nsleep 600 &\nsleep 600\n");
  OtpSearch search = search_path(tree / "shims");
  search.run_limit_ms = 300;
  const auto before = std::chrono::steady_clock::now();
  EXPECT_FALSE(OtpInstallation::find(search).found());
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
}

TEST(Otp, AManagersProgramIsNotTakenForErl) {
  // `mise` links its shims to itself; an OTP in the neighbourhood is another one.
  TempTree tree;
  add_otp(tree, "usr/lib/erlang", "25.0");
  tree.script("usr/bin/mise", "#!/bin/sh\nexit 1\n");
  tree.add("shims/").link("shims/erl", "../usr/bin/mise");
  EXPECT_FALSE(OtpInstallation::find(search_path(tree / "shims")).found());
}

TEST(Otp, NewestLibraries) {
  TempTree tree;
  add_otp(tree, "otp", "25.0");
  tree.add_all({"otp/lib/stdlib-3.9/ebin/", "otp/lib/stdlib-3.17.1/ebin/", "otp/lib/erts/ebin/",
                "otp/lib/erl_interface-5.3/include/", "otp/lib/README"});
  OtpSearch search;
  search.root = tree / "otp";
  const OtpInstallation otp = OtpInstallation::find(search);
  std::map<std::string, std::string> dirs;
  for (const AppDir& app : otp.libraries()) EXPECT_TRUE(dirs.emplace(app.name, app.dir).second);
  const std::string lib = tree / "otp/lib/";
  const std::map<std::string, std::string> expected{{"erl_interface", lib + "erl_interface-5.3"},
                                                    {"erts", lib + "erts"},
                                                    {"kernel", lib + "kernel-8.5"},
                                                    {"stdlib", lib + "stdlib-3.17.1"}};
  EXPECT_EQ(dirs, expected);
}

TEST(Otp, InstalledOneIsWhatErlSays) {
  if (!have_erl()) GTEST_SKIP() << "no erl";
  const OtpInstallation otp = OtpInstallation::find(OtpSearch::from_environment());
  const std::string said = output_of(
      "erl -noinput -eval 'io:format(\"~ts ~ts ~ts\", [code:root_dir(), "
      "erlang:system_info(otp_release), erlang:system_info(system_architecture)]), halt().'");
  const std::string platform = otp.platform();
  const std::string architecture =
      platform.substr(otp.version().size() + 1, platform.rfind('-') - otp.version().size() - 1);
  EXPECT_EQ(otp.root() + " " + std::to_string(otp.release()) + " " + architecture, said);
  EXPECT_TRUE(otp.version().starts_with(std::to_string(otp.release())));
}

}  // namespace
}  // namespace fathom::otp_test
