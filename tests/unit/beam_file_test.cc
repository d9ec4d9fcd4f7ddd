// Small files made by hand, whole and damaged; and all files of the Erlang/OTP on
// the PATH, if there is one.
#include "syntax/beam_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/etf.h"
#include "base/term_print.h"
#include "shell.h"
#include "tests_dir.h"

namespace fathom::beam_file_test {
namespace {

namespace fs = std::filesystem;

std::string be32(size_t n) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift);
  return out;
}

std::string chunk(std::string_view id, std::string_view data) {
  std::string out = std::string(id) + be32(data.size()) + std::string(data);
  while (out.size() % 4 != 0) out += '\0';
  return out;
}

std::string form(std::string_view chunks) {
  return "FOR1" + be32(chunks.size() + 4) + "BEAM" + std::string(chunks);
}

std::string atom_table(std::string_view first) {
  return be32(1) + static_cast<char>(first.size()) + std::string(first);
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string external(Term term) {
  std::string out;
  EXPECT_TRUE(etf::encode(term, out).ok());
  return out;
}

// A small file with everything that BeamFile knows.
std::string sample() {
  TermArena arena;
  const Term source =
      arena.tuple({Atom::intern("source"), arena.string("/src/gr\u00FC\u00DF.erl")});
  const Term info = arena.list({arena.tuple({Atom::intern("version"), arena.string("8")}), source});
  return form(chunk("AtU8", atom_table("gr\u00FC\u00DF")) + chunk("Code", "12345") +
              chunk("CInf", external(info)));
}

TEST(BeamFileTest, FindsChunks) {
  const Result<BeamFile> file = BeamFile::parse(sample());
  ASSERT_TRUE(file.ok()) << file.error().message;
  std::vector<std::string> ids;
  for (const BeamFile::Chunk& c : file->chunks()) ids.emplace_back(c.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"AtU8", "Code", "CInf"}));
  EXPECT_EQ(file->find("Code"), "12345");
  EXPECT_EQ(file->find("Dbgi"), std::nullopt);
  EXPECT_EQ(file->module_name()->text(), "gr\u00FC\u00DF");
  EXPECT_EQ(file->source_path(), "/src/gr\u00FC\u00DF.erl");
  TermArena arena;
  EXPECT_EQ(printed(*file->compile_info(arena)),
            "[{version,\"8\"},{source,\"/src/gr\u00FC\u00DF.erl\"}]");
}

TEST(BeamFileTest, WholeFileMayBeCompressed) {
  const std::string packed = gzipped(sample());
  EXPECT_TRUE(BeamFile::looks_like_one(packed));
  const Result<BeamFile> file = BeamFile::parse(packed);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->find("Code"), "12345");
}

TEST(BeamFileTest, MovingKeepsTheChunks) {
  BeamFile file = BeamFile::parse(form(chunk("Code", "1"))).value();
  const BeamFile moved = std::move(file);
  EXPECT_EQ(moved.find("Code"), "1");
}

TEST(BeamFileTest, Tolerates) {
  const std::string last = form("Code" + be32(5) + "12345");  // without padding
  EXPECT_EQ(BeamFile::parse(last)->find("Code"), "12345");
  std::string counted = last;  // without padding, but counted as if with it
  counted[7] = static_cast<char>(counted[7] + 3);
  EXPECT_EQ(BeamFile::parse(counted)->find("Code"), "12345");
  EXPECT_EQ(BeamFile::parse(sample() + "what follows is not ours")->find("Code"), "12345");
  EXPECT_TRUE(BeamFile::parse(form(""))->chunks().empty());
}

TEST(BeamFileTest, SaysWhatIsWrong) {
  const std::string whole = form(chunk("Code", "1234") + chunk("Dbgi", "12345678"));
  const struct {
    std::string bytes;
    const char* message;
  } rows[] = {
      {"", "the file ends inside its header"},
      {"FOR1", "the file ends inside its header"},
      {"FO", "the file ends inside its header"},
      {"-module(m).", "this is no BEAM file: it does not begin with FOR1 and BEAM"},
      {"FOR1" + be32(4) + "TEXT", "this is no BEAM file: it does not begin with FOR1 and BEAM"},
      {whole.substr(0, whole.size() - 1), "the file ends inside chunk `Dbgi`"},
      {whole.substr(0, whole.size() - 8), "the file ends inside chunk `Dbgi`"},
      {whole.substr(0, whole.size() - 9), "the file ends inside the header of a chunk"},
      {whole.substr(0, whole.size() - 16), "the file ends early: 24 bytes of 40 are there"},
      {form(std::string("\0A\xFF ", 4) + be32(9)), "the file ends inside chunk `\\x00A\\xFF\\x20`"},
      {form("Code" + be32(0xFFFFFFFF) + "1234"), "the file ends inside chunk `Code`"},
      {form("Code" + be32(8) + "1234") + "5678", "chunk `Code` goes beyond the end of the form"},
      {gzipped(whole).substr(0, 30), "the compressed data ends too early"},
      {"\x1F\x8B hello, this is no gzip", "the compressed data is damaged"},
      {gzipped("hello"), "this is no BEAM file: it does not begin with FOR1 and BEAM"},
  };
  for (const auto& row : rows) {
    const Result<BeamFile> file = BeamFile::parse(row.bytes);
    ASSERT_FALSE(file.ok()) << row.message;
    EXPECT_EQ(file.error().message, row.message);
  }
  EXPECT_FALSE(BeamFile::read("there-is-no-such.beam").ok());
}

TEST(BeamFileTest, ModuleNames) {
  const std::string long_name(200, 'm');
  auto bytes = [](std::initializer_list<int> list) {
    return std::string(list.begin(), list.end());
  };
  const struct {
    std::string chunks;
    std::string name;  // or the error
  } rows[] = {
      {chunk("AtU8", atom_table("m")), "m"},
      {chunk("Atom", atom_table("\xE5")), "\u00E5"},
      // OTP 28: a negative count, and lengths in the compact form of the code.
      {chunk("AtU8", be32(0xFFFFFFFF) + bytes({0x30}) + "mod"), "mod"},
      {chunk("AtU8", be32(0xFFFFFFFE) + bytes({0x08, 200}) + long_name), long_name},
      {chunk("AtU8", be32(0xFFFFFFFE) + bytes({0x28, 200}) + std::string(456, 'x')),
       std::string(456, 'x')},
      {chunk("AtU8", be32(0xFFFFFFFE) + bytes({0x31}) + "mod"), "chunk `AtU8` is damaged"},
      {chunk("AtU8", be32(0xFFFFFFFE) + bytes({0x18}) + "mod"), "chunk `AtU8` is damaged"},
      {chunk("AtU8", be32(0)), "chunk `AtU8` is damaged"},
      {chunk("AtU8", be32(1) + "\x09mod"), "chunk `AtU8` is damaged"},
      {chunk("AtU8", atom_table("\xE5")), "chunk `AtU8` is damaged"},
      {chunk("Code", ""), "the file has no table of atoms"},
  };
  for (const auto& row : rows) {
    const BeamFile file = BeamFile::parse(form(row.chunks)).value();
    const Result<Atom> name = file.module_name();
    EXPECT_EQ(name ? std::string(name->text()) : name.error().message, row.name);
  }
}

TEST(BeamFileTest, CompileInfoMayBeMissingOrDamaged) {
  TermArena arena;
  const BeamFile without = BeamFile::parse(form(chunk("Code", ""))).value();
  EXPECT_EQ(without.compile_info(arena).error().message, "the file has no chunk `CInf`");
  EXPECT_EQ(without.source_path(), std::nullopt);
  const BeamFile damaged = BeamFile::parse(form(chunk("CInf", "\x83"))).value();
  EXPECT_EQ(damaged.compile_info(arena).error().message,
            "chunk `CInf` is damaged: byte 1: the data ends inside a term");
  EXPECT_EQ(damaged.source_path(), std::nullopt);
  const BeamFile empty = BeamFile::parse(form(chunk("CInf", external({})))).value();
  EXPECT_EQ(empty.source_path(), std::nullopt);
}

// Asks for everything that there may be.
void use(const std::string& bytes) {
  const Result<BeamFile> file = BeamFile::parse(bytes);
  if (!file) {
    EXPECT_FALSE(file.error().message.empty());
    return;
  }
  const Result<Atom> name = file->module_name();
  EXPECT_TRUE(name.ok() || !name.error().message.empty());
  file->source_path();
}

TEST(BeamFileTest, DamageDoesNoHarm) {
  const std::string whole = sample();
  const std::string packed = gzipped(whole);
  for (size_t size = 0; size < whole.size(); ++size) use(whole.substr(0, size));
  for (size_t size = 0; size < packed.size(); ++size) use(packed.substr(0, size));
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string changed = round % 8 == 0 ? packed : whole;
    const size_t changes = 1 + random() % 4;
    for (size_t i = 0; i < changes; ++i) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    use(changed);
  }
}

// ---- The files of the installed OTP -----------------------------------------

// OTP's folder, from where `erl` is.
std::optional<fs::path> otp_root() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const size_t colon = std::min(rest.find(':'), rest.size());
    const fs::path erl = fs::path(rest.substr(0, colon)) / "erl";
    rest.remove_prefix(std::min(colon + 1, rest.size()));
    std::error_code error;
    const fs::path real = fs::canonical(erl, error);
    if (error) continue;
    const fs::path root = real.parent_path().parent_path();
    if (fs::is_directory(root / "lib", error)) return root;
  }
  return std::nullopt;
}

std::vector<fs::path> otp_beams() {
  std::vector<fs::path> files;
  const std::optional<fs::path> root = otp_root();
  if (!root) return files;
  for (const auto& library : fs::directory_iterator(*root / "lib")) {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(library.path() / "ebin", error)) {
      if (file.path().extension() == ".beam") files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool holds_a_term(std::string_view id) {
  return id == "Dbgi" || id == "CInf" || id == "Attr" || id == "Docs" || id == "Meta";
}

TEST(BeamFileTest, ReadsAllOfOtp) {
  const std::vector<fs::path> files = otp_beams();
  if (files.empty()) GTEST_SKIP() << "no erl on the PATH";
  size_t terms = 0;
  for (const fs::path& path : files) {
    const Result<BeamFile> file = BeamFile::read(path.string());
    ASSERT_TRUE(file.ok()) << path << ": " << file.error().message;
    EXPECT_EQ(file->module_name()->text(), path.stem().string());
    EXPECT_TRUE(file->find("Code").has_value());
    for (const BeamFile::Chunk& c : file->chunks()) {
      if (!holds_a_term(c.id)) continue;
      TermArena arena;
      size_t used = 0;
      const Result<Term> term = etf::decode(c.data, arena, &used);
      ASSERT_TRUE(term.ok()) << path << " " << c.id << ": " << term.error().message;
      EXPECT_EQ(used, c.data.size()) << path << " " << c.id;
      const std::string again = external(*term);
      TermArena other;
      EXPECT_TRUE(equal(*term, etf::decode(again, other).value())) << path << " " << c.id;
      ++terms;
    }
  }
  EXPECT_GE(terms, files.size());
}

// What OTP's own term_to_binary makes of the same chunks is byte for byte what
// Fathom makes of them.
TEST(BeamFileTest, WritesTheTermsOfOtpAsOtpDoes) {
  const std::vector<fs::path> files = otp_beams();
  if (files.empty() || !have_program("escript")) {
    GTEST_SKIP() << "no erl or no escript on the PATH";
  }
  const fs::path script = tests_dir() / "differential" / "term_oracle.escript";
  const fs::path output = fs::path(::testing::TempDir()) / fmt::format("beams-{}", getpid());
  std::string command = fmt::format("escript '{}' beams '{}'", script.string(), output.string());
  for (size_t i = 0; i < files.size(); i += 4) command += fmt::format(" '{}'", files[i].string());
  ASSERT_TRUE(shell(command).ok());
  std::ifstream in(output, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  fs::remove(output);

  size_t at = 0;
  auto number = [&] {
    uint32_t n = 0;
    for (int i = 0; i < 4; ++i) n = n << 8 | static_cast<uint8_t>(data.at(at++));
    return n;
  };
  auto text = [&] {
    const uint32_t size = number();
    at += size;
    return data.substr(at - size, size);
  };
  size_t chunks = 0;
  for (; at < data.size(); ++chunks) {
    const std::string path = text();
    const std::string id = text();
    EXPECT_EQ(number(), 8u);
    const uint32_t size = number();
    const uint32_t crc = number();
    const BeamFile file = BeamFile::read(path).value();
    TermArena arena;
    const std::string bytes = external(etf::decode(file.find(id).value(), arena).value());
    EXPECT_EQ(bytes.size(), size) << path << " " << id;
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()), crc)
        << path << " " << id;
  }
  EXPECT_GT(chunks, files.size() / 4);
}

}  // namespace
}  // namespace fathom::beam_file_test
