// Memory in pages of 2 MB.
#pragma once

namespace fathom {

// Has the heap grow, up to some size, in large pages where the system offers them.
// Reading the sources of a large project fills memory page by page: with pages of
// 4 KB a tenth of the time goes into getting them and into finding them again. To be
// called once, early. Changes nothing where it does not work.
void use_large_pages();

}  // namespace fathom
