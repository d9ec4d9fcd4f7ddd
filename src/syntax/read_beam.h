// How much is read of a .beam file's debug info.
#pragma once

#include "syntax/reader.h"

namespace fathom {

// Specs, types and documentation are a third of many modules, and code does without them.
enum class TypeForms : uint8_t { Read, Skipped };

// As Reader::read, which reads all of it. Source is read as a whole in any case.
bool read_module(Reader& reader, const std::string& path, const ReadOptions& options,
                 TypeForms types, Unit& unit, Diagnostics& diagnostics);

}  // namespace fathom
