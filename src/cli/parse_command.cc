// fathom parse: how Fathom reads a module.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "base/etf.h"
#include "base/json.h"
#include "base/term_print.h"
#include "base/verdict.h"
#include "command.h"
#include "command_budget.h"
#include "core/dump.h"
#include "core/lower.h"
#include "lint/lint.h"
#include "syntax/abstract.h"
#include "syntax/dump.h"
#include "syntax/print.h"

namespace fathom {
namespace {

struct ParseOptions : CommonOptions {
  std::vector<std::string> paths;
  bool stats = false;
  bool lint = false;
  std::string transforms = "auto";
  bool format_given = false;
  double time_limit = 0;
  uint64_t memory_limit = 4096;
};

struct ParseStats {
  size_t files = 0;
  size_t failed = 0;
  uint64_t bytes = 0;
  uint64_t tokens = 0;
  uint64_t nodes = 0;
  double seconds = 0;

  double megabytes_per_second() const {
    return seconds > 0 ? static_cast<double>(bytes) / 1e6 / seconds : 0;
  }
};

// The most memory this process has had, in megabytes.
double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// One way of showing units. begin and end are called once, unit for each module.
class UnitWriter {
 public:
  virtual ~UnitWriter() = default;
  virtual void begin(Output&) {}
  virtual void unit(const Unit& unit, Output& out) = 0;
  // What was reported while reading the last unit, or before the first one.
  virtual void diagnostics(Diagnostics&, const SourceMap&) {}
  virtual void end(const ParseStats&, Output&) {}
};

class TextWriter : public UnitWriter {
 public:
  void unit(const Unit& unit, Output& out) override {
    dump_text(unit, [&out](std::string_view text) { out.write(text); });
  }
};

class SourceWriter : public UnitWriter {
 public:
  void unit(const Unit& unit, Output& out) override { out.write(print_unit(unit)); }
};

// Core. A module with errors has none.
class CoreWriter : public UnitWriter {
 public:
  void unit(const Unit& unit, Output& out) override {
    if (unit.has_errors) return;
    auto module = core::lower(unit);
    text_.clear();
    if (module) core::dump(**module, text_);
    out.write(text_);
  }

 private:
  std::string text_;
};

// The forms as terms, each ended by a full stop: file:consult/1 reads them.
class AbstractWriter : public UnitWriter {
 public:
  void begin(Output& out) override { out.write("%% -*- coding: utf-8 -*-\n"); }
  void unit(const Unit& unit, Output& out) override {
    for (const NodeId form : unit.ast.forms()) {
      TermArena arena;
      text_.clear();
      print_term(text_, to_abstract(unit, form, arena));
      text_ += ".\n";
      out.write(text_);
    }
  }

 private:
  std::string text_;
};

void write_packet(Term packet, Output& out) {
  std::string bytes(4, '\0');
  if (!etf::encode(packet, bytes)) return;
  const auto size = static_cast<uint32_t>(bytes.size() - 4);
  for (int i = 0; i < 4; ++i)
    bytes[static_cast<size_t>(i)] = static_cast<char>(size >> (24 - 8 * i));
  out.write(bytes);
}

// {Path, Forms} in the external term format, each after its length in four bytes,
// big end first: what a port with {packet, 4} reads.
class EtfWriter : public UnitWriter {
 public:
  void unit(const Unit& unit, Output& out) override {
    TermArena arena;
    std::vector<Term> forms;
    for (const NodeId form : unit.ast.forms()) forms.push_back(to_abstract(unit, form, arena));
    write_packet(arena.tuple({arena.string(unit.path), arena.list(forms)}), out);
  }
};

// With --lint: {Path, Errors} instead, where an error is {{Line, Column}, Rule} with
// the place that OTP's linter names, or {none, Rule}.
class EtfLintWriter : public UnitWriter {
 public:
  void unit(const Unit& unit, Output& out) override {
    unit_ = &unit;
    out_ = &out;
  }
  void diagnostics(Diagnostics& diagnostics, const SourceMap&) override {
    if (!unit_) return;
    TermArena arena;
    std::vector<Term> errors;
    for (const Diagnostic& d : diagnostics.all()) {
      Term place(Atom::intern("none"));
      if (d.anchor) {
        const Position at = unit_->otp_position(d.anchor);
        place = arena.tuple({Term(at.line), Term(at.column)});
      }
      errors.push_back(arena.tuple({place, Term(Atom::intern(d.rule))}));
    }
    write_packet(arena.tuple({arena.string(unit_->path), arena.list(errors)}), *out_);
    unit_ = nullptr;
  }

 private:
  const Unit* unit_ = nullptr;
  Output* out_ = nullptr;
};

class JsonUnitWriter : public UnitWriter {
 public:
  explicit JsonUnitWriter(bool stats) : stats_(stats) {}

  void begin(Output& out) override {
    json_ = std::make_unique<JsonWriter>([&out](std::string_view text) { out.write(text); });
    json_->begin_object();
    json_->field("command", "parse");
    json_->key("modules");
    json_->begin_array();
  }
  void unit(const Unit& unit, Output&) override { dump_json(unit, *json_); }
  void diagnostics(Diagnostics& diagnostics, const SourceMap& sources) override {
    for (const Diagnostic& d : diagnostics.all()) messages_.push_back(message(d, sources));
  }
  void end(const ParseStats& stats, Output&) override {
    json_->end_array();
    json_->key("diagnostics");
    json_->begin_array();
    for (const Message& m : messages_) write(m);
    json_->end_array();
    json_->field("verdict", verdict_name(stats.failed == 0 ? Verdict::Clean : Verdict::Unknown));
    json_->key("reasons");
    json_->begin_array();
    if (stats.failed > 0)
      json_->value(fmt::format("{} of {} files have errors", stats.failed, stats.files));
    json_->end_array();
    if (stats_) {
      json_->key("stats");
      json_->begin_object();
      json_->field("files", stats.files);
      json_->field("bytes", stats.bytes);
      json_->field("tokens", stats.tokens);
      json_->field("nodes", stats.nodes);
      json_->field("megabytes_per_second", stats.megabytes_per_second());
      json_->field("peak_megabytes", peak_megabytes());
      json_->end_object();
    }
    json_->field("seconds", stats.seconds);
    json_->end_object();
    json_->finish();
  }

 private:
  struct Message {
    Severity severity;
    std::string text;
    std::string file;
    LineColumn begin;  // line 0: about the file as a whole
    LineColumn end;
    std::string_view rule;
  };

  static Message message(const Diagnostic& d, const SourceMap& sources) {
    if (!d.span.begin) return {d.severity, d.message, d.file, {}, {}, d.rule};
    return {d.severity,
            d.message,
            std::string(sources.name(sources.file_of(d.span.begin))),
            sources.line_column(d.span.begin),
            sources.line_column(d.span.end),
            d.rule};
  }

  void write(const Message& m) {
    json_->begin_object();
    json_->field("severity", m.severity == Severity::Error ? "error" : "warning");
    json_->field("message", m.text);
    if (!m.rule.empty()) json_->field("rule", m.rule);
    if (!m.file.empty()) {
      json_->key("location");
      json_->begin_object(JsonWriter::Shape::Inline);
      json_->field("file", m.file);
      if (m.begin.line > 0) {
        json_->field("line", m.begin.line);
        json_->field("column", m.begin.column);
        json_->field("end_line", m.end.line);
        json_->field("end_column", m.end.column);
      }
      json_->end_object();
    }
    json_->end_object();
  }

  bool stats_;
  std::vector<Message> messages_;
  std::unique_ptr<JsonWriter> json_;
};

std::unique_ptr<UnitWriter> make_writer(const ParseOptions& options) {
  if ((options.stats || options.lint) && !options.format_given) return nullptr;
  if (options.format == "abstract") return std::make_unique<AbstractWriter>();
  if (options.format == "core") return std::make_unique<CoreWriter>();
  if (options.format == "erl") return std::make_unique<SourceWriter>();
  if (options.format == "etf" && options.lint) return std::make_unique<EtfLintWriter>();
  if (options.format == "etf") return std::make_unique<EtfWriter>();
  if (options.format == "json") return std::make_unique<JsonUnitWriter>(options.stats);
  return std::make_unique<TextWriter>();
}

// By default trees and forms are shown as they are in the source; what goes beyond that
// sees the module as the compiler does, after its parse transforms.
bool runs_transforms(const ParseOptions& options) {
  if (options.transforms != "auto") return options.transforms == "always";
  return options.lint || options.format == "core";
}

void read_module(session::Session& session, const SourceModule& module, const ParseOptions& options,
                 Unit& unit, Diagnostics& diagnostics, ParseStats& stats) {
  const auto start = std::chrono::steady_clock::now();
  CompileOptions adjusted = *module.options;
  if (options.otp_release != 0) adjusted.otp_release = options.otp_release;
  bool ok = session.reader().read(module.path, adjusted, unit, diagnostics);
  if (ok && !unit.has_errors && unit.file && runs_transforms(options)) {
    ok = session.library().transform(unit, adjusted, diagnostics);
    unit.has_errors = !ok;
  }
  if (ok && options.lint) ok = lint::check(unit, diagnostics, {adjusted.otp_release});
  stats.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ++stats.files;
  stats.failed += !ok || unit.has_errors;
  stats.bytes += unit.bytes_read;
  stats.tokens += unit.tokens_read;
  stats.nodes += unit.ast.size();
}

std::string stats_text(const ParseStats& stats) {
  return fmt::format(
      "files    {}\nbytes    {}\ntokens   {}\nnodes    {}\nseconds  {:.3f}\nMB/s     {:.1f}\n"
      "peak MB  {:.0f}\n",
      stats.files, stats.bytes, stats.tokens, stats.nodes, stats.seconds,
      stats.megabytes_per_second(), peak_megabytes());
}

int parse(const ParseOptions& options) {
  Messages messages(options);
  const CommandBudget budget({options.time_limit, options.memory_limit << 20});
  session::SessionOptions session_options = options.session_options();
  session_options.paths = options.paths;
  session::Session session(session_options);
  Diagnostics path_diagnostics = session.take_diagnostics();
  messages.print(path_diagnostics, session.sources());

  Output out;
  if (auto opened = out.open(options.output); !opened) {
    messages.error(opened.error().message);
    return kCouldNotRun;
  }
  const auto writer = make_writer(options);
  ParseStats stats;
  if (writer) {
    writer->begin(out);
    writer->diagnostics(path_diagnostics, session.sources());
  }
  Unit unit = session.reader().make_unit();
  for (const SourceModule& module : session.project().modules()) {
    Diagnostics diagnostics;
    read_module(session, module, options, unit, diagnostics, stats);
    messages.print(diagnostics, session.sources());
    messages.print_new(session);
    messages.text(session.take_output());
    if (writer) {
      writer->unit(unit, out);
      writer->diagnostics(diagnostics, session.sources());
    }
  }
  if (writer) writer->end(stats, out);
  if (options.stats && !writer) out.write(stats_text(stats));
  if (options.stats && writer && options.format != "json")
    fmt::print(stderr, "{}", stats_text(stats));
  if (auto closed = out.close(); !closed) {
    messages.error(closed.error().message);
    return kCouldNotRun;
  }
  end_command(stats.failed > 0 || path_diagnostics.has_errors() ? kCouldNotRun : kClean);
}

}  // namespace

void add_parse_command(CommandLine& command_line) {
  Command command = command_line.add_command("parse", "Show how Fathom reads a file");
  auto options = std::make_shared<ParseOptions>();
  options->add_to(command, {"text", "abstract", "core", "erl", "json", "etf"});
  command.add_flag(
      "--stats", options->stats,
      "Count files, bytes, tokens, nodes, seconds; without --format, show nothing else");
  command.add_flag("--lint", options->lint, "Also report what the compiler's linter would refuse");
  command
      .add_option("--transforms", options->transforms,
                  "Run parse transforms; auto: for --lint and --format core")
      .one_of({"auto", "always", "never"})
      .with_default();
  command.begin_group("Limits");
  command.add_option("--time-limit", options->time_limit, "Seconds; none by default");
  command.add_option("--memory-limit", options->memory_limit, "Megabytes").with_default();
  command.add_option("PATH", options->paths, "Files (.erl, .beam), directories, rebar3 projects")
      .required();
  command.when_chosen([command, options] {
    options->format_given = command.has("--format");
    return parse(*options);
  });
}

}  // namespace fathom
