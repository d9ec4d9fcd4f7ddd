// Files of coverage, which merge.
//
// Text, a record for each line, fields apart by tabs: the format's name and version; the criteria;
// for each module its name, the hash of its source and its path, then its items with their counts;
// for each test its name and what it has covered, as ranges of numbers of items; at the end the
// number of records and a checksum of all before it. So a file that was cut off or changed is
// known as such. A file is written beside its place and then put there: one that could not be
// written leaves the old one as it was.
#pragma once

#include <string>

#include "cover/coverage.h"

namespace fathom::cover {

inline constexpr int kDataVersion = 1;

std::string data_text(const Coverage& coverage);
// The message says what is wrong, without the name of the file.
Result<Coverage> parse_data(std::string_view text);

Result<void> write_data(const std::string& path, const Coverage& coverage);
Result<Coverage> read_data(const std::string& path);

}  // namespace fathom::cover
