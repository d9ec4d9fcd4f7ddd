// How much is read of a .beam file's debug info.
#pragma once

#include "syntax/debug_forms.h"
#include "syntax/reader.h"

namespace fathom {

// As Reader::read, which reads all of it. Source is read as a whole in any case.
bool read_module(Reader& reader, const std::string& path, const ReadOptions& options,
                 TypeForms types, Unit& unit, Diagnostics& diagnostics);

}  // namespace fathom
