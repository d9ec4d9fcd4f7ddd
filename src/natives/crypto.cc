// crypto: hashes, message authentication codes, ciphers and random bytes, through OpenSSL's
// libcrypto as OTP has them; the Erlang part of the application is OTP's own.
//
// The state of a hash or code that is computed piece by piece is what it was given so far, so that
// it is an immutable value as all others. Random bytes come from a seed and the number of a new
// reference: the same in every run, and nothing that could keep a secret (Input::Random).
//
// Not here: public keys, curves, engines, and ciphers piece by piece (crypto_init); a program that
// calls one is told which.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>

#include "machine/machine.h"
#include "natives/families.h"
#include "values/lists.h"
#include "values/maps.h"

namespace fathom::machine::crypto_natives {
namespace {

template <auto Free>
struct Freeing {
  template <class T>
  void operator()(T* p) const {
    Free(p);
  }
};
using Digest = std::unique_ptr<EVP_MD, Freeing<EVP_MD_free>>;
using Cipher = std::unique_ptr<EVP_CIPHER, Freeing<EVP_CIPHER_free>>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Freeing<EVP_CIPHER_CTX_free>>;
using Mac = std::unique_ptr<EVP_MAC, Freeing<EVP_MAC_free>>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, Freeing<EVP_MAC_CTX_free>>;

const uint8_t* bytes_in(std::string_view text) {
  return reinterpret_cast<const uint8_t*>(text.data());
}
uint8_t* bytes_in(std::string& text) { return reinterpret_cast<uint8_t*>(text.data()); }

// As OTP's own functions fail; crypto.erl makes an error of it. The places are those of C files.
Value fail(Context& c, std::string_view kind, int argument, std::string_view why) {
  const Value pairs[] = {atom("c_file_name"), c.heap.string("fathom"),    atom("c_file_line_num"),
                         Value::small(0),     atom("c_function_arg_num"), Value::small(argument)};
  return c.error(c.heap.tuple({atom(kind), map_from_pairs(c.heap, pairs), c.heap.string(why)}));
}

std::optional<std::string> data_of(Value iodata) {
  std::string bytes;
  const auto size = iolist_bytes(iodata);
  if (!size || *size > kMaxResultBytes || !append_iolist(bytes, iodata)) return std::nullopt;
  return bytes;
}

Value binary(Context& c, const std::string& bytes) {
  return c.heap.binary(std::string_view(bytes));
}

// ---- Names ------------------------------------------------------------------

struct Name {
  std::string_view otp;
  const char* openssl;
};
constexpr Name kDigests[] = {
    {"md4", "MD4"},
    {"md5", "MD5"},
    {"ripemd160", "RIPEMD160"},
    {"sha", "SHA1"},
    {"sha224", "SHA224"},
    {"sha256", "SHA256"},
    {"sha384", "SHA384"},
    {"sha512", "SHA512"},
    {"sha3_224", "SHA3-224"},
    {"sha3_256", "SHA3-256"},
    {"sha3_384", "SHA3-384"},
    {"sha3_512", "SHA3-512"},
    {"blake2b", "BLAKE2B-512"},
    {"blake2s", "BLAKE2S-256"},
};

Digest digest_of(Value type) {
  if (!type.is_atom()) return nullptr;
  const auto* found = std::ranges::find(kDigests, type.atom().text(), &Name::otp);
  return Digest(found == std::end(kDigests) ? nullptr
                                            : EVP_MD_fetch(nullptr, found->openssl, nullptr));
}

// OTP's names are OpenSSL's with other dashes; cfb is cfb128.
std::string cipher_name(Value type) {
  if (!type.is_atom()) return "";
  std::string name(type.atom().text());
  std::ranges::replace(name, '_', '-');
  if (name.ends_with("cfb128")) name.resize(name.size() - 3);
  return name;
}

Cipher cipher_of(Value type) {
  const std::string name = cipher_name(type);
  return Cipher(name.empty() ? nullptr : EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr));
}

// ---- Hashes -----------------------------------------------------------------

std::string hashed(const EVP_MD* digest, std::string_view data) {
  std::string result(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  EVP_Digest(data.data(), data.size(), bytes_in(result), &size, digest, nullptr);
  result.resize(size);
  return result;
}

Value hash_2(Context& c, const Value* a) {
  const Digest digest = digest_of(a[0]);
  if (!digest) return fail(c, "badarg", 0, "Bad digest type");
  const auto data = data_of(a[1]);
  return data ? binary(c, hashed(digest.get(), *data)) : fail(c, "badarg", 1, "Not iolist");
}

Value hash_info_1(Context& c, const Value* a) {
  const Digest digest = digest_of(a[0]);
  if (!digest) return a[0].is_atom() ? atom("notsup") : c.badarg();
  const Value pairs[] = {Value(atoms::type), Value::small(EVP_MD_get_type(digest.get())),
                         atom("size"),       Value::small(EVP_MD_get_size(digest.get())),
                         atom("block_size"), Value::small(EVP_MD_get_block_size(digest.get()))};
  return map_from_pairs(c.heap, pairs);
}

// {What, Parameters, Data so far}, as long as there may be more.
Value state(Context& c, std::string_view what, Value parameters, Value data) {
  return c.heap.tuple({atom(what), parameters, data});
}
bool is_state(Value value, std::string_view what) {
  return value.is_tuple(3) && value.element(0) == atom(what);
}
// With the data after that of the state; none() if it is not data.
Value with_more(Context& c, Value before, Value data) {
  auto bytes = data_of(data);
  if (!bytes) return Value::none();
  std::string all(BytesOf(before.element(2)).text());
  return c.heap.tuple({before.element(0), before.element(1), binary(c, all + *bytes)});
}

Value hash_init_1(Context& c, const Value* a) {
  if (!digest_of(a[0])) return fail(c, "badarg", 0, "Bad digest type");
  return state(c, "hash", a[0], c.heap.binary(std::string_view()));
}

Value hash_update_2(Context& c, const Value* a) {
  if (!is_state(a[0], "hash")) return fail(c, "badarg", 0, "Bad state");
  const Value next = with_more(c, a[0], a[1]);
  return next.is_none() ? fail(c, "badarg", 1, "Not iolist") : next;
}

Value hash_final_1(Context& c, const Value* a) {
  if (!is_state(a[0], "hash")) return fail(c, "badarg", 0, "Bad state");
  const Digest digest = digest_of(a[0].element(1));
  return binary(c, hashed(digest.get(), BytesOf(a[0].element(2)).text()));
}

// ---- Message authentication codes -------------------------------------------

// hmac with a digest, cmac with a cipher, poly1305. Empty: OpenSSL refuses.
std::optional<std::string> mac_of(Value type, Value subtype, std::string_view key,
                                  std::string_view data) {
  const bool is_hmac = type == atom("hmac");
  const bool is_cmac = type == atom("cmac");
  std::string name = is_cmac ? cipher_name(subtype) : "";
  if (is_hmac) {
    const Digest digest = digest_of(subtype);
    if (!digest) return std::nullopt;
    name = EVP_MD_get0_name(digest.get());
  }
  const Mac mac(
      EVP_MAC_fetch(nullptr, is_hmac ? "HMAC" : (is_cmac ? "CMAC" : "POLY1305"), nullptr));
  const MacContext context(mac ? EVP_MAC_CTX_new(mac.get()) : nullptr);
  if (!context) return std::nullopt;
  const char* parameter = is_hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER;
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(parameter, name.data(), 0),
                             OSSL_PARAM_construct_end()};
  const OSSL_PARAM* chosen = name.empty() ? parameters + 1 : parameters;
  // An empty key is one too.
  const std::string owned_key(key);
  if (EVP_MAC_init(context.get(), bytes_in(std::string_view(owned_key)), key.size(), chosen) != 1 ||
      EVP_MAC_update(context.get(), bytes_in(data), data.size()) != 1) {
    return std::nullopt;
  }
  std::string result(EVP_MAX_MD_SIZE, '\0');
  size_t size = 0;
  if (EVP_MAC_final(context.get(), bytes_in(result), &size, result.size()) != 1)
    return std::nullopt;
  result.resize(size);
  return result;
}

Value mac_4(Context& c, const Value* a) {
  const auto key = data_of(a[2]);
  const auto data = data_of(a[3]);
  if (!key) return fail(c, "badarg", 2, "Bad key");
  if (!data) return fail(c, "badarg", 3, "Bad text");
  const bool is_known = a[0] == atom("hmac") || a[0] == atom("cmac") || a[0] == atom("poly1305");
  if (!is_known) return fail(c, "badarg", 0, "Unknown mac algorithm");
  const auto code = mac_of(a[0], a[1], *key, *data);
  return code ? binary(c, *code) : fail(c, "badarg", 1, "Bad digest, cipher or key");
}

Value mac_init_3(Context& c, const Value* a) {
  const Value empty = c.heap.binary(std::string_view());
  const Value arguments[] = {a[0], a[1], a[2], empty};
  if (mac_4(c, arguments).is_none()) return Value::none();
  return state(c, "mac", c.heap.tuple({a[0], a[1], a[2]}), empty);
}

Value mac_update_2(Context& c, const Value* a) {
  if (!is_state(a[0], "mac")) return fail(c, "badarg", 0, "Bad ref");
  const Value next = with_more(c, a[0], a[1]);
  return next.is_none() ? fail(c, "badarg", 1, "Bad text") : next;
}

Value mac_final_1(Context& c, const Value* a) {
  if (!is_state(a[0], "mac")) return fail(c, "badarg", 0, "Bad ref");
  const Value how = a[0].element(1);
  const Value arguments[] = {how.element(0), how.element(1), how.element(2), a[0].element(2)};
  return mac_4(c, arguments);
}

Value pbkdf2_hmac_5(Context& c, const Value* a) {
  const Digest digest = digest_of(a[0]);
  const auto password = data_of(a[1]);
  const auto salt = data_of(a[2]);
  const auto rounds = small_in(a[3], 1, INT32_MAX);
  const auto size = small_in(a[4], 1, INT32_MAX);
  if (!digest || !password || !salt || !rounds || !size)
    return fail(c, "badarg", 0, "Bad argument");
  std::string key(static_cast<size_t>(*size), '\0');
  PKCS5_PBKDF2_HMAC(password->data(), static_cast<int>(password->size()), bytes_in(*salt),
                    static_cast<int>(salt->size()), static_cast<int>(*rounds), digest.get(),
                    static_cast<int>(key.size()), bytes_in(key));
  return binary(c, key);
}

// ---- Ciphers ----------------------------------------------------------------

struct CipherOptions {
  bool encrypts = true;
  Value padding = Value(atoms::undefined);
};

// A boolean, or [{encrypt, Boolean}, {padding, How}].
std::optional<CipherOptions> cipher_options(Value given) {
  CipherOptions options;
  if (given.is_boolean()) {
    options.encrypts = given == Value::boolean(true);
    return options;
  }
  const auto items = proper_items(given);
  if (!items) return std::nullopt;
  for (const Value item : *items) {
    if (!item.is_tuple(2)) return std::nullopt;
    if (item.element(0) == atom("encrypt") && item.element(1).is_boolean()) {
      options.encrypts = item.element(1) == Value::boolean(true);
    } else if (item.element(0) == atom("padding")) {
      options.padding = item.element(1);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

// ng_crypto_one_time(Cipher, Key, IV, Data, Options)
Value one_time_5(Context& c, const Value* a) {
  const auto key = data_of(a[1]);
  const auto vector = data_of(a[2]);
  auto data = data_of(a[3]);
  const auto options = cipher_options(a[4]);
  const Cipher cipher = cipher_of(a[0]);
  if (!cipher) return fail(c, "badarg", 0, "Unknown cipher");
  if (!key || key->size() != static_cast<size_t>(EVP_CIPHER_get_key_length(cipher.get()))) {
    return fail(c, "badarg", 1, "Bad key size");
  }
  if (!vector || vector->size() != static_cast<size_t>(EVP_CIPHER_get_iv_length(cipher.get()))) {
    return fail(c, "badarg", 2, "Bad iv size");
  }
  if (!data) return fail(c, "badarg", 3, "expected binary");
  if (!options) return fail(c, "badarg", 4, "Options are not a boolean or a proplist");
  const bool has_padding = options->padding == atom("pkcs_padding");
  const bool is_plain = options->padding == Value(atoms::undefined) ||
                        options->padding == atom("none") || options->padding == atom("zero");
  if (!has_padding && !is_plain) return c.unsupported("random padding");
  const auto block = static_cast<size_t>(EVP_CIPHER_get_block_size(cipher.get()));
  if (options->encrypts && options->padding == atom("zero") && data->size() % block != 0) {
    data->resize(data->size() + block - data->size() % block, '\0');
  }
  const CipherContext context(EVP_CIPHER_CTX_new());
  std::string result(data->size() + 2 * block, '\0');
  int size = 0;
  int last = 0;
  EVP_CipherInit_ex2(context.get(), cipher.get(), bytes_in(*key), bytes_in(*vector),
                     options->encrypts ? 1 : 0, nullptr);
  EVP_CIPHER_CTX_set_padding(context.get(), has_padding ? 1 : 0);
  if (EVP_CipherUpdate(context.get(), bytes_in(result), &size, bytes_in(*data),
                       static_cast<int>(data->size())) != 1) {
    return fail(c, "error", 3, "Can't update");
  }
  // Without a word about padding, what does not fill a block is left out.
  const bool ends = options->padding != Value(atoms::undefined);
  if (ends && EVP_CipherFinal_ex(context.get(), bytes_in(result) + size, &last) != 1) {
    return fail(c, "error", -1, "Padding 'none' but unfilled last block");
  }
  result.resize(static_cast<size_t>(size) + static_cast<size_t>(last));
  return binary(c, result);
}

struct Aead {
  std::string key;
  std::string vector;
  std::string text;
  std::string more;  // authenticated, and not encrypted
  std::string tag;   // of its length, empty when it is made
};

// Empty: OpenSSL refuses, or the tag is not that of the text.
std::optional<std::string> aead(const EVP_CIPHER* cipher, Aead& how, bool encrypts) {
  const CipherContext context(EVP_CIPHER_CTX_new());
  EVP_CIPHER_CTX* x = context.get();
  const bool is_ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
  const auto length = [](const std::string& s) { return static_cast<int>(s.size()); };
  int size = 0;
  int last = 0;
  if (EVP_CipherInit_ex2(x, cipher, nullptr, nullptr, encrypts ? 1 : 0, nullptr) != 1 ||
      EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_IVLEN, length(how.vector), nullptr) != 1) {
    return std::nullopt;
  }
  const bool sets_tag = !encrypts || is_ccm;
  if (sets_tag && EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_SET_TAG, length(how.tag),
                                      encrypts ? nullptr : how.tag.data()) != 1) {
    return std::nullopt;
  }
  if (EVP_CipherInit_ex2(x, nullptr, bytes_in(how.key), bytes_in(how.vector), -1, nullptr) != 1) {
    return std::nullopt;
  }
  if (is_ccm && EVP_CipherUpdate(x, nullptr, &size, nullptr, length(how.text)) != 1) {
    return std::nullopt;
  }
  if (!how.more.empty() &&
      EVP_CipherUpdate(x, nullptr, &size, bytes_in(how.more), length(how.more)) != 1) {
    return std::nullopt;
  }
  std::string result(how.text.size() + 32, '\0');
  size = 0;
  if ((!how.text.empty() || is_ccm) &&
      EVP_CipherUpdate(x, bytes_in(result), &size, bytes_in(how.text), length(how.text)) != 1) {
    return std::nullopt;
  }
  if (!(is_ccm && !encrypts) && EVP_CipherFinal_ex(x, bytes_in(result) + size, &last) != 1) {
    return std::nullopt;
  }
  if (encrypts &&
      EVP_CIPHER_CTX_ctrl(x, EVP_CTRL_AEAD_GET_TAG, length(how.tag), how.tag.data()) != 1) {
    return std::nullopt;
  }
  result.resize(static_cast<size_t>(size) + static_cast<size_t>(last));
  return result;
}

// aead_cipher(Cipher, Key, IV, Text, AAD, Tag or its length, whether it encrypts)
Value aead_7(Context& c, const Value* a) {
  const Cipher cipher = cipher_of(a[0]);
  const bool is_aead =
      cipher && (EVP_CIPHER_get_flags(cipher.get()) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
  if (!is_aead) return fail(c, "badarg", 0, "Not aead cipher");
  const auto key = data_of(a[1]);
  const auto vector = data_of(a[2]);
  const auto text = data_of(a[3]);
  const auto more = data_of(a[4]);
  if (!key || key->size() != static_cast<size_t>(EVP_CIPHER_get_key_length(cipher.get()))) {
    return fail(c, "badarg", 1, "Bad key size");
  }
  if (!vector || vector->empty()) return fail(c, "badarg", 2, "Bad IV");
  if (!text) return fail(c, "badarg", 3, "text must be iolist");
  if (!more) return fail(c, "badarg", 4, "AAD must be iolist");
  const bool encrypts = a[6] == Value::boolean(true);
  Aead how{*key, *vector, *text, *more, ""};
  if (encrypts) {
    const auto length = small_in(a[5], 0, 16);
    if (!length) return fail(c, "badarg", 5, "Bad Tag length");
    how.tag.resize(static_cast<size_t>(*length));
  } else {
    const auto tag = data_of(a[5]);
    if (!tag) return fail(c, "badarg", 5, "Bad Tag");
    how.tag = *tag;
  }
  const auto result = aead(cipher.get(), how, encrypts);
  if (!encrypts) return result ? binary(c, *result) : Value(atoms::error);
  if (!result) return fail(c, "badarg", 2, "Bad IV length");
  return c.heap.tuple({binary(c, *result), binary(c, how.tag)});
}

// ---- Others -----------------------------------------------------------------

Value strong_rand_bytes_1(Context& c, const Value* a) {
  const auto size = small_in(a[0], 0, INT32_MAX);
  if (!size) return c.badarg();
  c.machine.inputs().look_at(Input::Random);
  const uint64_t number = c.machine.numbers().reference(c.machine.process());
  const Digest digest(EVP_MD_fetch(nullptr, "SHA256", nullptr));
  std::string bytes;
  for (uint64_t i = 0; bytes.size() < static_cast<size_t>(*size); ++i) {
    bytes += hashed(digest.get(), "fathom " + std::to_string(number) + " " + std::to_string(i));
  }
  bytes.resize(static_cast<size_t>(*size));
  return binary(c, bytes);
}

Value rand_seed_1(Context& c, const Value* a) {
  return a[0].is_binary() ? Value(atoms::ok) : c.badarg();
}

Value hash_equals_2(Context& c, const Value* a) {
  if (!a[0].is_binary() || !a[1].is_binary() || a[0].bit_size() != a[1].bit_size()) {
    return c.badarg();
  }
  return Value::boolean(BytesOf(a[0]).text() == BytesOf(a[1]).text());
}

Value do_exor_2(Context& c, const Value* a) {
  auto first = data_of(a[0]);
  const auto second = data_of(a[1]);
  if (!first || !second || first->size() != second->size()) return c.badarg();
  for (size_t i = 0; i < first->size(); ++i)
    (*first)[i] = static_cast<char>((*first)[i] ^ (*second)[i]);
  return binary(c, *first);
}

// What programs ask before they use it.
Value info_fips_0(Context&, const Value*) { return atom("not_supported"); }

constexpr NativeEntry kEntries[] = {
    {"crypto", "info_fips", 0, info_fips_0},
    {"crypto", "hash_nif", 2, hash_2},
    {"crypto", "hash_info_nif", 1, hash_info_1},
    {"crypto", "hash_init_nif", 1, hash_init_1},
    {"crypto", "hash_update_nif", 2, hash_update_2},
    {"crypto", "hash_final_nif", 1, hash_final_1},
    {"crypto", "mac_nif", 4, mac_4},
    {"crypto", "mac_init_nif", 3, mac_init_3},
    {"crypto", "mac_update_nif", 2, mac_update_2},
    {"crypto", "mac_final_nif", 1, mac_final_1},
    {"crypto", "pbkdf2_hmac_nif", 5, pbkdf2_hmac_5},
    {"crypto", "ng_crypto_one_time_nif", 5, one_time_5, true, "random padding"},
    {"crypto", "aead_cipher_nif", 7, aead_7},
    {"crypto", "strong_rand_bytes_nif", 1, strong_rand_bytes_1},
    {"crypto", "rand_seed_nif", 1, rand_seed_1},
    {"crypto", "hash_equals_nif", 2, hash_equals_2},
    {"crypto", "do_exor", 2, do_exor_2},
};

}  // namespace

std::span<const NativeEntry> entries() { return kEntries; }

}  // namespace fathom::machine::crypto_natives
