// decode_packet/3 for HTTP: a request or status line, or a header with the lines that
// continue it. What is no such line is {http_error, Line}, as in OTP, which is lenient:
// numbers wrap around at 32 bits, what follows a version is passed over.
#include <algorithm>
#include <array>

#include "natives/packets.h"
#include "values/lists.h"

namespace fathom::machine {
namespace {

// Numbered from 1.
constexpr std::string_view kFields[] = {
    "Cache-Control",
    "Connection",
    "Date",
    "Pragma",
    "Transfer-Encoding",
    "Upgrade",
    "Via",
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Authorization",
    "From",
    "Host",
    "If-Modified-Since",
    "If-Match",
    "If-None-Match",
    "If-Range",
    "If-Unmodified-Since",
    "Max-Forwards",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "User-Agent",
    "Age",
    "Location",
    "Proxy-Authenticate",
    "Public",
    "Retry-After",
    "Server",
    "Vary",
    "Warning",
    "Www-Authenticate",
    "Allow",
    "Content-Base",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Location",
    "Content-Md5",
    "Content-Range",
    "Content-Type",
    "Etag",
    "Expires",
    "Last-Modified",
    "Accept-Ranges",
    "Set-Cookie",
    "Set-Cookie2",
    "X-Forwarded-For",
    "Cookie",
    "Keep-Alive",
    "Proxy-Connection",
};
constexpr std::string_view kMethods[] = {"OPTIONS", "GET",    "HEAD", "POST",
                                         "PUT",     "DELETE", "TRACE"};
constexpr size_t kMaxFieldName = 50;  // longer ones keep their case
constexpr std::string_view kVersion = "HTTP/";

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_token(char c) {
  constexpr std::string_view kSpecial = "\"(),/:;<=>?@[\\]{}";
  return static_cast<uint8_t>(c) > ' ' && static_cast<uint8_t>(c) < 0x80 &&
         kSpecial.find(c) == std::string_view::npos;
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Takes the longest beginning whose characters satisfy the test.
template <class Test>
std::string_view take_while(std::string_view& text, Test test) {
  const auto end = std::ranges::find_if_not(text, test);
  const std::string_view taken = text.substr(0, static_cast<size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

// As a C int would hold it.
int32_t number(std::string_view digits) {
  uint32_t value = 0;
  for (const char digit : digits) value = value * 10 + static_cast<uint32_t>(digit - '0');
  return static_cast<int32_t>(value);
}

struct Size {
  enum class Kind : uint8_t { Whole, More, Invalid } kind;
  uint64_t bytes = 0;
};

// How long the line is, with the lines that continue a header: those begin with a blank.
Size line_size(std::string_view text, bool headers, uint64_t limit) {
  if (text == "\n" || text == "\r\n") return {Size::Kind::Whole, text.size()};
  size_t from = 0;
  for (;;) {
    const size_t newline = text.find('\n', from);
    if (newline == std::string_view::npos) {
      return {limit != 0 && text.size() >= limit ? Size::Kind::Invalid : Size::Kind::More};
    }
    const size_t size = newline + 1;
    const bool goes_on = headers && size > 2 && size < text.size() && is_blank(text[size]);
    if (goes_on) {
      from = size;
      continue;
    }
    if (limit != 0 && size > limit) return {Size::Kind::Invalid};
    // Whether the header goes on is not known yet.
    if (headers && size == text.size()) return {Size::Kind::More};
    return {Size::Kind::Whole, size};
  }
}

class HttpLine {
 public:
  HttpLine(Context& c, std::string_view line, HttpType type) : c_(c), line_(line), type_(type) {}

  Value parse() {
    std::string_view rest = line_;
    if (rest.size() >= 2 && rest[rest.size() - 2] == '\r') {
      rest.remove_suffix(2);
    } else if (rest.ends_with('\n')) {
      rest.remove_suffix(1);
    }
    Value result;
    if (type_.headers) {
      result = header(rest);
    } else {
      result = rest.starts_with(kVersion) ? response(rest) : request(rest);
    }
    return result.is_none() ? c_.heap.tuple({atom("http_error"), text(line_)}) : result;
  }

 private:
  Value text(std::string_view bytes) {
    return type_.binaries ? c_.heap.binary(bytes) : c_.heap.string(bytes);
  }

  // HTTP/Major.Minor, or none().
  Value version(std::string_view& rest) {
    if (!rest.starts_with(kVersion)) return Value::none();
    rest.remove_prefix(kVersion.size());
    const std::string_view major = take_while(rest, is_digit);
    if (major.empty() || !rest.starts_with('.')) return Value::none();
    rest.remove_prefix(1);
    const std::string_view minor = take_while(rest, is_digit);
    if (minor.empty()) return Value::none();
    return c_.heap.tuple({Value::small(number(major)), Value::small(number(minor))});
  }

  Value response(std::string_view rest) {
    const Value v = version(rest);
    if (v.is_none() || take_while(rest, is_blank).empty()) return Value::none();
    const int32_t status = number(take_while(rest, is_digit));
    if (take_while(rest, is_blank).empty() && !rest.empty()) return Value::none();
    return c_.heap.tuple({atom("http_response"), v, Value::small(status), text(rest)});
  }

  Value request(std::string_view rest) {
    const std::string_view method = take_while(rest, is_token);
    if (method.empty() || take_while(rest, is_blank).empty()) return Value::none();
    const std::string_view target = take_while(rest, [](char c) { return !is_blank(c); });
    if (target.empty()) return Value::none();
    take_while(rest, is_blank);
    Value v = c_.heap.tuple({Value::small(0), Value::small(9)});
    if (!rest.empty()) v = version(rest);
    if (v.is_none()) return v;
    const bool known = std::ranges::find(kMethods, method) != std::end(kMethods);
    return c_.heap.tuple(
        {atom("http_request"), known ? atom(method) : text(method), uri(target), v});
  }

  Value uri(std::string_view target) {
    if (target == "*") return atom("*");
    // Any single character is taken for a path.
    if (target.starts_with('/') || target.size() == 1) {
      return c_.heap.tuple({atom("abs_path"), text(target)});
    }
    for (const std::string_view scheme : {"http", "https"}) {
      const std::string_view marker = "://";
      std::string begin(target.substr(0, scheme.size() + marker.size()));
      std::ranges::transform(begin, begin.begin(), lower);
      if (begin == std::string(scheme) + std::string(marker)) {
        return absolute_uri(atom(scheme), target.substr(begin.size()));
      }
    }
    const size_t colon = target.find(':');
    if (colon == std::string_view::npos) return text(target);
    return c_.heap.tuple(
        {atom("scheme"), text(target.substr(0, colon)), text(target.substr(colon + 1))});
  }

  Value absolute_uri(Value scheme, std::string_view rest) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view path = slash < rest.size() ? rest.substr(slash) : "/";
    const std::string_view authority = rest.substr(0, slash);
    const size_t colon = std::min(authority.find(':'), authority.size());
    std::string_view port = authority.substr(std::min(colon + 1, authority.size()));
    const int32_t value = number(take_while(port, is_digit));
    const bool known = port.empty() && value != 0;
    return c_.heap.tuple({atom("absoluteURI"), scheme, text(authority.substr(0, colon)),
                          known ? Value::small(value) : Value(atoms::undefined), text(path)});
  }

  Value header(std::string_view rest) {
    if (rest.empty()) return atom("http_eoh");
    const std::string_view name = take_while(rest, is_token);
    if (!rest.starts_with(':')) return Value::none();
    rest.remove_prefix(1);
    take_while(rest, is_blank);
    const std::string shown = canonical(name);
    const auto* field = std::ranges::find(kFields, shown);
    const bool known = field != std::end(kFields);
    const auto index = known ? field - std::begin(kFields) + 1 : 0;
    return c_.heap.tuple({atom("http_header"), Value::small(index),
                          known ? atom(shown) : text(shown), text(name), text(rest)});
  }

  // The first letter and those after a - in upper case, the others in lower case.
  static std::string canonical(std::string_view name) {
    std::string shown(name);
    if (name.size() > kMaxFieldName) return shown;
    bool first = true;
    for (char& c : shown) {
      c = first ? upper(c) : lower(c);
      first = !first && c == '-';
    }
    return shown;
  }

  Context& c_;
  std::string_view line_;
  HttpType type_;
};

}  // namespace

std::optional<HttpType> http_type(Value type) {
  for (const bool headers : {false, true}) {
    for (const bool binaries : {false, true}) {
      const std::string name =
          std::string("http") + (headers ? "h" : "") + (binaries ? "_bin" : "");
      if (type == atom(name)) return HttpType{headers, binaries};
    }
  }
  return std::nullopt;
}

Value http_packet(Context& c, Value binary, HttpType type, const PacketOptions& options) {
  const BytesOf bytes(binary);
  const Size size = line_size(bytes.text(), type.headers, options.packet_size);
  const uint64_t needed = size.kind == Size::Kind::More ? bytes.text().size() : size.bytes;
  if (options.packet_size == 0 && options.line_length != 0 && needed >= options.line_length)
    return invalid_packet(c);
  if (size.kind == Size::Kind::Invalid) return invalid_packet(c);
  if (size.kind == Size::Kind::More) return more_needed(c, Value(atoms::undefined));
  const Value packet = HttpLine(c, bytes.text().substr(0, size.bytes), type).parse();
  return packet_and_rest(c, packet, binary, size.bytes);
}

}  // namespace fathom::machine
