// The streams of module zlib: state of the zlib library that cannot be written down
// as a value.
//
// So that a machine can go back, a stream is changed in place only while there is no
// mark; with a mark a copy takes its place first, and the original waits for the way
// back.
#pragma once

#include <zlib.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/journal.h"
#include "values/value.h"

namespace fathom::machine {

struct ZlibStream {
  enum class State : uint8_t { New, Deflating, Inflating, Closed };
  // What inflating does with what comes after the end.
  enum class AtEnd : uint8_t { Error, Reset, Cut };

  State state = State::New;
  z_stream z{};
  Value owner;        // the process that opened it, or took it over
  std::string input;  // what has not been worked on; from `next` on
  size_t next = 0;
  AtEnd at_end = AtEnd::Cut;
  bool ended = false;
  bool is_raw = false;  // without header and checksum
  uint32_t crc = 0;     // of the data that is not compressed, of a raw stream
  uint64_t buffer_size = 4000;

  ZlibStream() = default;
  // A copy, the library's state included.
  ZlibStream(const ZlibStream& other);
  ZlibStream& operator=(const ZlibStream&) = delete;
  ~ZlibStream();

  size_t waiting() const { return input.size() - next; }
  // Forgets the library's state; its verdict.
  int end();
};

class ZlibStreams {
 public:
  ZlibStream& add(Journal& journal, uint64_t number);
  // Null: there is none.
  const ZlibStream* find(uint64_t number) const;
  // For a change.
  ZlibStream* change(Journal& journal, uint64_t number);
  // Frees what is kept only for going back.
  void drop_originals() { originals_.clear(); }

 private:
  std::map<uint64_t, std::unique_ptr<ZlibStream>> streams_;  // by the reference's number
  std::vector<std::unique_ptr<ZlibStream>> originals_;       // of copies, in the journal's order
};

}  // namespace fathom::machine
