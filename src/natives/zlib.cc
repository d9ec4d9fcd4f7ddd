// What module zlib has in C: streams that are filled with input and give output.
//
// inflateChunk/1,2 and dictionaries that are asked for in the middle stash away what
// came before; that is not modelled.
#include <zlib.h>

#include "machine/machine.h"
#include "machine/zlib_streams.h"
#include "natives/families.h"
#include "values/lists.h"

namespace fathom::machine::zlib_natives {
namespace {

using State = ZlibStream::State;

// The stream, for a change; null: an exception has been raised.
ZlibStream* stream(Context& c, Value reference) {
  ZlibStreams& streams = c.machine.shared().zlib;
  const bool ok = reference.is_box(BoxKind::Reference);
  const ZlibStream* found = ok ? streams.find(reference.reference_number()) : nullptr;
  if (!found) {
    c.badarg();
  } else if (found->owner != c.machine.process().pid) {
    c.error(atom("not_on_controlling_process"));
  } else if (found->state == State::Closed) {
    c.error(atom("not_initialized"));
  } else {
    return streams.change(c.machine.journal(), reference.reference_number());
  }
  return nullptr;
}

ZlibStream* stream(Context& c, Value reference, State state) {
  ZlibStream* s = stream(c, reference);
  if (!s || s->state == state) return s;
  c.error(atom("not_initialized"));
  return nullptr;
}

Value zlib_error(Context& c, int code) {
  switch (code) {
    case Z_DATA_ERROR:
      return c.error(atom("data_error"));
    case Z_STREAM_ERROR:
      return c.error(atom("stream_error"));
    case Z_BUF_ERROR:
      return c.error(atom("buf_error"));
    case Z_MEM_ERROR:
      return c.error(atom("enomem"));
    default:
      return c.badarg();
  }
}

Value ok_or_error(Context& c, int code) {
  return code == Z_OK ? Value(atoms::ok) : zlib_error(c, code);
}

void forget_input(ZlibStream& s) {
  s.input.clear();
  s.next = 0;
  s.ended = false;
}

// ---- Streams ----------------------------------------------------------------

Value open_0(Context& c, const Value*) {
  const uint64_t number = c.machine.numbers().reference(c.machine.process());
  c.machine.shared().zlib.add(c.machine.journal(), number).owner = c.machine.process().pid;
  return c.heap.reference(number);
}

Value close_1(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  s->end();
  forget_input(*s);
  s->state = State::Closed;
  return Value(atoms::ok);
}

Value set_controller_2(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  if (!a[1].is_local_pid()) return c.badarg();
  s->owner = a[1];
  return Value(atoms::ok);
}

Value enqueue_2(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  if (s->state == State::New) return c.error(atom("not_initialized"));
  s->input.erase(0, s->next);
  s->next = 0;
  return append_iolist(s->input, a[1]) ? Value(atoms::ok) : c.badarg();
}

// ---- Beginning and end ------------------------------------------------------

Value deflate_init_6(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  for (int i = 1; i < 6; ++i) {
    if (!small_in(a[i], INT32_MIN, INT32_MAX)) return c.badarg();
  }
  if (s->state != State::New) return c.error(atom("already_initialized"));
  const auto number = [&](int i) { return static_cast<int>(a[i].small()); };
  s->z = {};
  const int code = deflateInit2(&s->z, number(1), number(2), number(3), number(4), number(5));
  if (code != Z_OK) return zlib_error(c, code);
  s->state = State::Deflating;
  s->crc = 0;
  s->is_raw = number(3) < 0;
  return Value(atoms::ok);
}

Value inflate_init_3(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  if (!small_in(a[1], INT32_MIN, INT32_MAX) || !small_in(a[2], 0, 2)) return c.badarg();
  if (s->state != State::New) return c.error(atom("already_initialized"));
  const int bits = static_cast<int>(a[1].small());
  s->z = {};
  const int code = inflateInit2(&s->z, bits);
  if (code != Z_OK) return zlib_error(c, code);
  s->state = State::Inflating;
  s->at_end = static_cast<ZlibStream::AtEnd>(a[2].small());
  s->crc = 0;
  s->is_raw = bits < 0;
  return Value(atoms::ok);
}

// `is_complete`: all that was to come has come.
Value end_stream(Context& c, ZlibStream& s, bool is_complete) {
  const int code = s.end();
  forget_input(s);
  return ok_or_error(c, is_complete ? code : Z_DATA_ERROR);
}

Value deflate_end_1(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0], State::Deflating);
  return s ? end_stream(c, *s, s->waiting() == 0) : Value::none();
}

Value inflate_end_1(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0], State::Inflating);
  return s ? end_stream(c, *s, s->ended && s->waiting() == 0) : Value::none();
}

Value reset_stream(Context& c, Value reference, State state, int (*reset)(z_stream*)) {
  ZlibStream* s = stream(c, reference, state);
  if (!s) return Value::none();
  forget_input(*s);
  s->crc = 0;
  return ok_or_error(c, reset(&s->z));
}

Value deflate_reset_1(Context& c, const Value* a) {
  return reset_stream(c, a[0], State::Deflating, &deflateReset);
}
Value inflate_reset_1(Context& c, const Value* a) {
  return reset_stream(c, a[0], State::Inflating, &inflateReset);
}

Value deflate_params_3(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0], State::Deflating);
  if (!s) return Value::none();
  if (!a[1].is_small() || !a[2].is_small()) return c.badarg();
  const int code =
      deflateParams(&s->z, static_cast<int>(a[1].small()), static_cast<int>(a[2].small()));
  return ok_or_error(c, code == Z_BUF_ERROR ? Z_OK : code);
}

Value set_dictionary(Context& c, const Value* a, State state) {
  ZlibStream* s = stream(c, a[0], state);
  if (!s) return Value::none();
  std::string bytes;
  if (!append_iolist(bytes, a[1])) return c.badarg();
  const auto* data = reinterpret_cast<const Bytef*>(bytes.data());
  const auto size = static_cast<uInt>(bytes.size());
  if (state == State::Inflating) return ok_or_error(c, inflateSetDictionary(&s->z, data, size));
  const int code = deflateSetDictionary(&s->z, data, size);
  return code == Z_OK ? Value::small(static_cast<int64_t>(s->z.adler)) : zlib_error(c, code);
}

Value deflate_set_dictionary_2(Context& c, const Value* a) {
  return set_dictionary(c, a, State::Deflating);
}
Value inflate_set_dictionary_2(Context& c, const Value* a) {
  return set_dictionary(c, a, State::Inflating);
}

// ---- Working ----------------------------------------------------------------

// Feeds the stream until it has filled a piece of output or has used up the input.
// The last code of the library; `out` is cut to what was written.
int run(ZlibStream& s, int (*codec)(z_stream*, int), int flush, std::string& out) {
  s.z.next_out = reinterpret_cast<Bytef*>(out.data());
  s.z.avail_out = static_cast<uInt>(out.size());
  s.z.next_in = reinterpret_cast<Bytef*>(s.input.data()) + s.next;
  s.z.avail_in = static_cast<uInt>(s.waiting());
  const int code = codec(&s.z, flush);
  s.next = s.input.size() - s.z.avail_in;
  out.resize(out.size() - s.z.avail_out);
  return code;
}

void add_to_crc(ZlibStream& s, std::string_view bytes) {
  if (!s.is_raw) return;
  s.crc = static_cast<uint32_t>(
      crc32_z(s.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Value chunk(Context& c, const std::string& out) {
  const Value bytes = c.heap.binary(std::string_view(out));
  return out.empty() ? Value::nil() : c.heap.list({&bytes, 1});
}

Value progress(Context& c, bool goes_on, const std::string& out) {
  return c.heap.tuple({atom(goes_on ? "continue" : "finished"), chunk(c, out)});
}

bool is_request(const Value* a) {
  return small_in(a[1], 1, INT32_MAX) && small_in(a[2], 1, INT32_MAX) && small_in(a[3], 0, 5);
}

Value deflate_4(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0], State::Deflating);
  if (!s) return Value::none();
  if (!is_request(a)) return c.badarg();
  std::string out(static_cast<size_t>(a[2].small()), '\0');
  const size_t before = s->next;
  const int code = run(*s, &deflate, static_cast<int>(a[3].small()), out);
  if (code < 0 && code != Z_BUF_ERROR) return zlib_error(c, code);
  add_to_crc(*s, std::string_view(s->input).substr(before, s->next - before));
  const bool is_full = out.size() == static_cast<size_t>(a[2].small());
  return progress(c, code != Z_STREAM_END && (is_full || s->waiting() > 0), out);
}

// False: an exception has been raised.
bool prepare_inflate(Context& c, ZlibStream& s) {
  if (!s.ended || s.waiting() == 0) return true;
  switch (s.at_end) {
    case ZlibStream::AtEnd::Error:
      zlib_error(c, Z_DATA_ERROR);
      return false;
    case ZlibStream::AtEnd::Cut:
      s.next = s.input.size();
      return true;
    case ZlibStream::AtEnd::Reset:
      inflateReset(&s.z);
      s.ended = false;
      return true;
  }
  return true;
}

Value inflate_4(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0], State::Inflating);
  if (!s) return Value::none();
  if (!is_request(a)) return c.badarg();
  if (!prepare_inflate(c, *s)) return Value::none();
  std::string out(static_cast<size_t>(a[2].small()), '\0');
  const int code = run(*s, &inflate, static_cast<int>(a[3].small()), out);
  add_to_crc(*s, out);
  if (code == Z_NEED_DICT) {
    return c.heap.tuple(
        {atom("need_dictionary"), Value::small(static_cast<int64_t>(s->z.adler)), chunk(c, out)});
  }
  if (code < 0 && code != Z_BUF_ERROR) return zlib_error(c, code);
  s->ended = code == Z_STREAM_END;
  const bool is_full = out.size() == static_cast<size_t>(a[2].small());
  return progress(c, s->waiting() > 0 || (is_full && !s->ended), out);
}

Value crc32_1(Context& c, const Value* a) {
  const ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  if (s->state == State::New) return c.error(atom("not_initialized"));
  return Value::small(s->crc);
}

Value get_buffer_size_1(Context& c, const Value* a) {
  const ZlibStream* s = stream(c, a[0]);
  return s ? Value::small(static_cast<int64_t>(s->buffer_size)) : Value::none();
}

Value set_buffer_size_2(Context& c, const Value* a) {
  ZlibStream* s = stream(c, a[0]);
  if (!s) return Value::none();
  if (!small_in(a[1], 0, INT32_MAX)) return c.badarg();
  s->buffer_size = static_cast<uint64_t>(a[1].small());
  return Value(atoms::ok);
}

Value get_stash_1(Context& c, const Value* a) {
  return stream(c, a[0]) ? atom("empty") : Value::none();
}

constexpr NativeEntry kEntries[] = {
    {"zlib", "open_nif", 0, open_0},
    {"zlib", "close_nif", 1, close_1},
    {"zlib", "set_controller_nif", 2, set_controller_2},
    {"zlib", "enqueue_nif", 2, enqueue_2},
    {"zlib", "deflateInit_nif", 6, deflate_init_6},
    {"zlib", "deflateSetDictionary_nif", 2, deflate_set_dictionary_2},
    {"zlib", "deflateReset_nif", 1, deflate_reset_1},
    {"zlib", "deflateParams_nif", 3, deflate_params_3},
    {"zlib", "deflate_nif", 4, deflate_4},
    {"zlib", "deflateEnd_nif", 1, deflate_end_1},
    {"zlib", "inflateInit_nif", 3, inflate_init_3},
    {"zlib", "inflateSetDictionary_nif", 2, inflate_set_dictionary_2},
    {"zlib", "inflateGetDictionary_nif", 1, nullptr, false, "dictionaries of streams"},
    {"zlib", "inflateReset_nif", 1, inflate_reset_1},
    {"zlib", "inflate_nif", 4, inflate_4},
    {"zlib", "inflateEnd_nif", 1, inflate_end_1},
    {"zlib", "crc32_nif", 1, crc32_1},
    {"zlib", "getBufSize_nif", 1, get_buffer_size_1},
    {"zlib", "setBufSize_nif", 2, set_buffer_size_2},
    {"zlib", "getStash_nif", 1, get_stash_1},
    {"zlib", "setStash_nif", 2, nullptr, false, "stashed output"},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::zlib_natives
