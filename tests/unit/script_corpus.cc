#include "script_corpus.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "machine_values.h"
#include "session/session.h"
#include "temp_tree.h"
#include "tests_dir.h"
#include "values/lists.h"

namespace fathom {
namespace {

// As a module that exports all of its functions.
std::string script_module(std::string_view name) {
  std::ifstream in(tests_dir() / "differential" / fmt::format("{}.escript", name),
                   std::ios::binary);
  std::ostringstream read;
  read << in.rdbuf();
  std::string text = read.str();
  text.erase(0, text.find('\n'));  // #!/usr/bin/env escript
  return "-module(script). -compile([export_all, nowarn_export_all])." + text;
}

}  // namespace

std::string script_value(std::string_view script, std::string_view expression, Sample sample) {
  using machine::Outcome;
  TempTree tree;
  tree.add("script.erl", script_module(script));
  session::SessionOptions options{.project = ProjectOptions::from_environment(),
                                  .paths = {tree / "script.erl"}};
  options.project.include_dirs = {(tests_dir() / "differential").string()};
  session::Session session(options);
  const auto read = session.read_expression(fmt::format(
      "rand:seed(exsss, 1), Some = fun(L) -> [X || {{I, X}} <- lists:zip(lists:seq(1, length(L)),"
      " L), (I - 1) rem {} =:= {}] end, unicode:characters_to_binary({})",
      sample.every, sample.first, expression));
  EXPECT_TRUE(read) << script;
  if (!read) return {};
  const auto m = session.make_machine({});
  read->load_into(*m);
  const Outcome outcome = m->run(read->module, read->function, {});
  const bool is_text = outcome.kind == Outcome::Kind::Value && outcome.value.is_binary();
  EXPECT_TRUE(is_text) << script << ": " << outcome.message;
  return is_text ? std::string(machine::BytesOf(outcome.value).text()) : "";
}

}  // namespace fathom
