// Modules whose functions are read one by one: they are the same as if they had been read at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/term_print.h"
#include "core/lower.h"
#include "core/parts.h"
#include "core/places.h"
#include "core/walk.h"
#include "oracle.h"
#include "syntax/project.h"
#include "syntax/read_beam.h"

namespace fathom::core::core_parts_test {
namespace {

// Records, imports, files of grammars, comprehensions, funs, `try … after`, bits.
constexpr const char* kModules[] = {
    "lists",      "application_controller", "epp",  "erl_parse", "io_lib",
    "gen_server", "file_io_server",         "queue"};

std::string path_of(const std::string& module) {
  Project project(ProjectOptions::from_environment());
  return project.code_path().find_module(module);
}

// A node in words, without the numbers that depend on where its module begins.
std::string words(const Module& module, NodeId id) {
  const Node& node = module[id];
  const auto at = file_line(module, id);
  std::string text =
      fmt::format("{} {} {} {}:{}", module[module.function_of(id)].name.text(),
                  schema_of(node.kind).tag, node.in_guard, at ? at->file : "-", at ? at->line : 0);
  for_each_definition(module, id, [&](VarId v) { text += fmt::format(" <{}", word(v)); });
  for_each_use(module, id, [&](VarId v) { text += fmt::format(" >{}", word(v)); });
  if (node.kind == Kind::Literal) text += printed(module[module.get<node::Literal>(id).value]);
  if (node.kind == Kind::Call) text += module[module.get<node::Call>(id).function].name.text();
  return text;
}

std::vector<std::string> words(const Module& module) {
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < module.size(); ++i) lines.push_back(words(module, NodeId{i}));
  return lines;
}

std::string name(const Function& f) {
  return fmt::format("{}/{} {} {}", f.name.text(), f.arity, f.captures, f.exported);
}

TEST(Parts, TogetherAreTheModule) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  for (const std::string file : kModules) {
    const std::string path = path_of(file);
    Reader reader;
    Unit unit = reader.make_unit();
    Diagnostics diagnostics;
    ASSERT_TRUE(read_module(reader, path, {}, TypeForms::Skipped, unit, diagnostics)) << path;
    const auto whole = lower(unit);
    ASSERT_TRUE(whole);

    Program program;
    const auto parts = Parts::open(path, reader.sources(), program);
    ASSERT_TRUE(parts);
    const ProgramModule outline = parts->outline();
    EXPECT_EQ(outline.core->attributes.size(), (*whole)->attributes.size());
    std::vector<std::string> names;
    std::vector<std::string> lifted;
    std::vector<std::string> nodes;
    for (uint32_t i = 0; i < outline.core->functions.size(); ++i) {
      const auto part = parts->read(FunctionId{i});
      ASSERT_TRUE(part);
      names.push_back(name(part->core->functions[0]));
      for (const Function& f : std::span(part->core->functions).subspan(1)) {
        if (exists(f.body)) lifted.push_back(name(f));
      }
      for (std::string& line : words(*part->core)) nodes.push_back(std::move(line));
    }
    names.insert(names.end(), lifted.begin(), lifted.end());
    std::vector<std::string> names_of_whole;
    for (const Function& f : (*whole)->functions) names_of_whole.push_back(name(f));
    EXPECT_EQ(names, names_of_whole) << file;
    EXPECT_EQ(nodes, words(**whole)) << file;
    EXPECT_EQ(program.id_count(), (*whole)->id_count()) << file;
  }
}

TEST(Parts, AreReadOnceAndByAnyThread) {
  if (!have_erl()) GTEST_SKIP() << "no Erlang/OTP";
  Reader reader;
  Program program;
  const auto parts = Parts::open(path_of("lists"), reader.sources(), program);
  ASSERT_TRUE(parts);
  const auto count = static_cast<uint32_t>(parts->outline().core->functions.size());
  std::vector<const Module*> seen[2];
  std::thread threads[2];
  for (size_t t = 0; t < 2; ++t) {
    threads[t] = std::thread([&, t] {
      for (uint32_t i = 0; i < count; ++i) {
        seen[t].push_back(parts->read(FunctionId{i})->core.get());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(program.module_count(), count);
  for (const Module* part : seen[0]) {
    EXPECT_EQ(program.local(part->global(NodeId{0})).module, part);
  }
}

TEST(Parts, WhatIsNoDebugInfoHasNone) {
  Reader reader;
  Program program;
  EXPECT_FALSE(Parts::open("there-is-no-such.beam", reader.sources(), program));
}

}  // namespace
}  // namespace fathom::core::core_parts_test
