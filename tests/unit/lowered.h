// A module from text, read and lowered: what the tests of Core start from.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/lower.h"
#include "core/program.h"
#include "core/walk.h"
#include "read_text.h"

namespace fathom::core {

class Lowered {
 public:
  // `functions`: as module t.
  explicit Lowered(std::string_view functions, std::map<std::string, std::string> headers = {})
      : read_(read_text("-module(t). " + std::string(functions), {}, std::move(headers))) {
    EXPECT_EQ(read_.errors, "");
    auto lowered = lower(read_.unit);
    EXPECT_TRUE(lowered);
    if (lowered) module_ = std::move(*lowered);
  }

  const Module& operator*() const { return *module_; }
  const Module* operator->() const { return module_.get(); }
  const Unit& unit() const { return read_.unit; }

  std::string_view text(AstId id) const {
    const auto span = unit().used_span(id);
    return span ? unit().sources().slice(*span) : "";
  }

  // Those of the function, at any depth, in order.
  std::vector<NodeId> nodes(std::string_view name, uint32_t arity) const {
    std::vector<NodeId> nodes;
    const auto function = module_->find(Atom::intern(name), arity);
    EXPECT_TRUE(function);
    if (!function) return nodes;
    for_each_node(*module_, (*module_)[*function].body, [&](NodeId id) { nodes.push_back(id); });
    return nodes;
  }
  // The last of that kind in t:name/arity.
  NodeId find(Kind kind, std::string_view name = "f", uint32_t arity = 0) const {
    const std::vector<NodeId> all = nodes(name, arity);
    const auto found = std::find_if(all.rbegin(), all.rend(),
                                    [&](NodeId id) { return (*module_)[id].kind == kind; });
    if (found != all.rend()) return *found;
    ADD_FAILURE() << "there is no " << schema_of(kind).tag;
    return {};
  }

  // Gives the module to a program.
  ProgramModule add_to(Program& program) {
    // The unit is the test's own.
    return *program.add({std::shared_ptr<const Unit>(), &read_.unit}, std::move(module_));
  }

 private:
  ReadText read_;
  std::unique_ptr<Module> module_;
};

}  // namespace fathom::core
