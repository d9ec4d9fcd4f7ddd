#include "cover/data_file.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <charconv>
#include <cstdio>
#include <filesystem>

#include "base/budget.h"
#include "base/source.h"
#include "cover/decisions.h"

namespace fathom::cover {
namespace {

constexpr std::string_view kName = "fathom-coverage";

// Tabs, line ends and backslashes are escaped.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    out += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
  }
  return out;
}

std::string place_text(const ItemPlace& p) {
  return fmt::format("{}:{}:{}:{}", p.line, p.column, p.end_line, p.end_column);
}

std::string ranges(const std::vector<uint32_t>& numbers) {
  std::string out;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!out.empty()) out += ' ';
    out +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

uint32_t checksum(std::string_view text) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size()));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos) return parts;
    text = text.substr(at + 1);
  }
}

template <class T>
bool read_number(std::string_view text, T& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_place(std::string_view text, ItemPlace& place) {
  const auto parts = split(text, ':');
  return parts.size() == 4 && read_number(parts[0], place.line) &&
         read_number(parts[1], place.column) && read_number(parts[2], place.end_line) &&
         read_number(parts[3], place.end_column);
}

bool read_ranges(std::string_view text, size_t most, std::vector<uint32_t>& numbers) {
  if (text.empty()) return true;
  for (const std::string_view range : split(text, ' ')) {
    const auto ends = split(range, '-');
    uint32_t first = 0;
    if (ends.size() > 2 || !read_number(ends[0], first)) return false;
    uint32_t last = first;
    if (ends.size() == 2 && !read_number(ends[1], last)) return false;
    if (last >= most || last < first || (!numbers.empty() && first <= numbers.back())) return false;
    for (uint32_t i = first; i <= last; ++i) numbers.push_back(i);
  }
  return true;
}

class DataReader {
 public:
  // False: the record makes no sense.
  bool read(std::string_view record) {
    spend(1);
    const auto fields = split(record, '\t');
    if (fields[0] == "criteria") return read_criteria(fields);
    if (fields[0] == "module") return read_module(fields);
    if (fields[0] == "item") return read_item(fields);
    if (fields[0] == "decision") return read_decision(fields);
    if (fields[0] == "test") return read_test(fields);
    if (fields[0] == "covers") return read_covers(fields);
    return false;
  }

  Coverage coverage;

 private:
  using Fields = std::vector<std::string_view>;

  bool read_criteria(const Fields& fields) {
    for (size_t i = 1; i < fields.size(); ++i) {
      const auto c = criterion_named(fields[i]);
      if (!c) return false;
      coverage.criteria = coverage.criteria | of(*c);
    }
    return true;
  }
  bool read_module(const Fields& fields) {
    ModuleCoverage module;
    if (fields.size() != 4 || !read_number(fields[2], module.hash, 16)) return false;
    module.name = unescaped(fields[1]);
    module.path = unescaped(fields[3]);
    coverage.modules.push_back(std::move(module));
    return true;
  }
  bool read_item(const Fields& fields) {
    if (fields.size() != 8 || coverage.modules.empty()) return false;
    const auto kind = item_kind_named(fields[1]);
    Item item;
    if (!kind || !read_number(fields[2], item.count) || !read_place(fields[3], item.place) ||
        !read_place(fields[4], item.to)) {
      return false;
    }
    item.kind = *kind;
    item.to_module = unescaped(fields[5]);
    if (fields[6] == "unreachable") item.state = ItemState::Unreachable;
    if (fields[6] == "unknown") item.state = ItemState::Unknown;
    item.what = unescaped(fields[7]);
    coverage.modules.back().items.push_back(std::move(item));
    return true;
  }
  bool read_decision(const Fields& fields) {
    if (fields.size() != 4 || coverage.modules.empty()) return false;
    ModuleCoverage& module = coverage.modules.back();
    DecisionCoverage decision;
    decision.formula = fields[1];
    for (const std::string_view number : split(fields[2], ' ')) {
      uint32_t item = 0;
      if (!read_number(number, item) || item >= module.items.size()) return false;
      decision.items.push_back(item);
    }
    if (decision.items.size() > kMostConditions ||
        !is_well_formed(decision.formula, decision.items.size()))
      return false;
    if (!read_ranges(fields[3], vector_count(decision.items.size()), decision.vectors)) {
      return false;
    }
    module.decisions.push_back(std::move(decision));
    return true;
  }
  bool read_test(const Fields& fields) {
    if (fields.size() != 2) return false;
    coverage.tests.push_back(
        {unescaped(fields[1]), std::vector<std::vector<uint32_t>>(coverage.modules.size())});
    return true;
  }
  bool read_covers(const Fields& fields) {
    size_t module = 0;
    if (fields.size() != 3 || coverage.tests.empty() || !read_number(fields[1], module) ||
        module >= coverage.modules.size()) {
      return false;
    }
    return read_ranges(fields[2], coverage.modules[module].items.size(),
                       coverage.tests.back().items[module]);
  }
};

std::string_view state_text(ItemState state) {
  static constexpr std::string_view kTexts[] = {"", "unreachable", "unknown"};
  return kTexts[static_cast<size_t>(state)];
}

}  // namespace

std::string data_text(const Coverage& coverage) {
  std::string out = fmt::format("{}\t{}\ncriteria", kName, kDataVersion);
  for (const Criterion c : all_criteria()) {
    if (coverage.criteria.has(c)) out += fmt::format("\t{}", name_of(c));
  }
  out += "\n";
  size_t records = 1;
  for (const ModuleCoverage& module : coverage.modules) {
    out += fmt::format("module\t{}\t{:x}\t{}\n", escaped(module.name), module.hash,
                       escaped(module.path));
    for (const Item& item : module.items) {
      out += fmt::format("item\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name_of(item.kind), item.count,
                         place_text(item.place), place_text(item.to), escaped(item.to_module),
                         state_text(item.state), escaped(item.what));
    }
    for (const DecisionCoverage& decision : module.decisions) {
      out += fmt::format("decision\t{}\t{}\t{}\n", decision.formula, fmt::join(decision.items, " "),
                         ranges(decision.vectors));
    }
    records += 1 + module.items.size() + module.decisions.size();
  }
  for (const TestCoverage& test : coverage.tests) {
    out += fmt::format("test\t{}\n", escaped(test.name));
    ++records;
    for (size_t m = 0; m < test.items.size(); ++m) {
      if (test.items[m].empty()) continue;
      out += fmt::format("covers\t{}\t{}\n", m, ranges(test.items[m]));
      ++records;
    }
  }
  return out + fmt::format("end\t{}\t{:08x}\n", records, checksum(out));
}

Result<Coverage> parse_data(std::string_view text) {
  const auto head = split(text.substr(0, text.find('\n')), '\t');
  if (head[0] != kName)
    return Error{
        "this is not a file of coverage; --cover-data FILE of run, test and check writes one"};
  int version = 0;
  if (head.size() != 2 || !read_number(head[1], version)) {
    return Error{"the file is damaged: its first line names no version"};
  }
  if (version != kDataVersion) {
    return Error{fmt::format("the file is of version {}, and this Fathom reads version {}", version,
                             kDataVersion)};
  }
  const size_t end = text.rfind("end\t");
  const auto tail = end == text.npos ? std::vector<std::string_view>()
                                     : split(text.substr(end, text.find('\n', end) - end), '\t');
  uint32_t sum = 0;
  if (tail.size() != 3 || !text.ends_with('\n') || !read_number(tail[2], sum, 16)) {
    return Error{"the file is damaged: its end is missing"};
  }
  if (sum != checksum(text.substr(0, end))) {
    return Error{"the file is damaged: its checksum is another one"};
  }
  size_t count = 0;
  if (!read_number(tail[1], count)) return Error{"the file is damaged: its end makes no sense"};
  DataReader reader;
  std::string_view records = text.substr(0, end);
  records = records.substr(records.find('\n') + 1);
  for (size_t line = 2; !records.empty(); ++line) {
    const size_t at = records.find('\n');
    if (!reader.read(records.substr(0, at))) {
      return Error{fmt::format("the file is damaged: line {} makes no sense", line)};
    }
    records = records.substr(at + 1);
    --count;
  }
  if (count != 0) return Error{"the file is damaged: records are missing"};
  return std::move(reader.coverage);
}

Result<void> write_data(const std::string& path, const Coverage& coverage) {
  const std::string text = data_text(coverage);
  const std::string beside = fmt::format("{}.{}", path, getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  bool ok = file != nullptr;
  if (file) {
    ok = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    ok = std::fclose(file) == 0 && ok;
  }
  std::error_code error;
  if (ok) std::filesystem::rename(beside, path, error);
  if (ok && !error) return {};
  std::filesystem::remove(beside, error);
  return Error{fmt::format("{}: cannot be written", path)};
}

Result<Coverage> read_data(const std::string& path) {
  auto text = read_file(path);
  if (!text) return Error{fmt::format("{}: {}", path, text.error().message)};
  auto coverage = parse_data(*text);
  if (!coverage) return Error{fmt::format("{}: {}", path, coverage.error().message)};
  return coverage;
}

}  // namespace fathom::cover
