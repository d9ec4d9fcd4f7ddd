#include "machine/zlib_streams.h"

#include <utility>

namespace fathom::machine {

ZlibStream::ZlibStream(const ZlibStream& other)
    : state(other.state),
      owner(other.owner),
      input(other.input.substr(other.next)),
      at_end(other.at_end),
      ended(other.ended),
      is_raw(other.is_raw),
      crc(other.crc),
      buffer_size(other.buffer_size) {
  auto* from = const_cast<z_stream*>(&other.z);
  if (state == State::Deflating) deflateCopy(&z, from);
  if (state == State::Inflating) inflateCopy(&z, from);
}

ZlibStream::~ZlibStream() { end(); }

int ZlibStream::end() {
  const State before = std::exchange(state, State::New);
  if (before == State::Deflating) return deflateEnd(&z);
  if (before == State::Inflating) return inflateEnd(&z);
  return Z_OK;
}

ZlibStream& ZlibStreams::add(Journal& journal, uint64_t number) {
  journal.record(
      [](std::span<const uint64_t> words) {
        reinterpret_cast<ZlibStreams*>(words[0])->streams_.erase(words[1]);
      },
      {reinterpret_cast<uint64_t>(this), number});
  return *(streams_[number] = std::make_unique<ZlibStream>());
}

const ZlibStream* ZlibStreams::find(uint64_t number) const {
  const auto it = streams_.find(number);
  return it == streams_.end() ? nullptr : it->second.get();
}

ZlibStream* ZlibStreams::change(Journal& journal, uint64_t number) {
  const auto it = streams_.find(number);
  if (it == streams_.end()) return nullptr;
  if (!journal.active()) return it->second.get();
  originals_.push_back(std::exchange(it->second, std::make_unique<ZlibStream>(*it->second)));
  journal.record(
      [](std::span<const uint64_t> words) {
        auto& all = *reinterpret_cast<ZlibStreams*>(words[0]);
        all.streams_[words[1]] = std::move(all.originals_.back());
        all.originals_.pop_back();
      },
      {reinterpret_cast<uint64_t>(this), number});
  return it->second.get();
}

}  // namespace fathom::machine
