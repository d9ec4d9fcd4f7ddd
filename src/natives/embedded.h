// The Erlang modules that are part of the program itself: one for each file of
// embedded/, put into a table by cmake/Embed.cmake. A module of the command line with
// the same name comes before it (Library::find).
#pragma once

#include <optional>
#include <string_view>

namespace fathom::machine {

// The source of the module; empty if there is none such.
std::optional<std::string_view> embedded_module(std::string_view name);

}  // namespace fathom::machine
