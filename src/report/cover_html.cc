#include "report/cover_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "report/html_page.h"
#include "report/text.h"
#include "report/xml.h"

namespace fathom::report {

using cover::Coverage;
using cover::Criterion;
using cover::Item;
using cover::ItemKind;
using cover::ItemState;
using cover::ModuleCoverage;
using cover::Totals;

namespace {

constexpr std::string_view kCoverStyle = R"(.scroll{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.totals td,.totals th{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:right;
white-space:nowrap}
.totals td:first-child,.totals th:first-child{text-align:left}
.totals th button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;
cursor:pointer}
tfoot td{font-weight:600}
.good{background:var(--good)}.some{background:var(--some)}.bad{background:var(--bad)}
.totals .good{color:var(--good-fg)}.totals .some{color:var(--some-fg)}
.totals .bad{color:var(--bad-fg)}
.code{font:13px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid var(--line);
border-radius:6px;margin-top:1rem}
.code .all{min-width:max-content}
.l{display:flex;white-space:pre;min-height:1.5em}
.l .n,.l .c{flex:none;color:var(--dim);text-align:right;padding:0 .5rem;user-select:none}
.l .n{width:3.6rem}.l .c{width:4.6rem;border-right:1px solid var(--line)}
.l .t{padding:0 .6rem}
details summary{list-style:none;cursor:pointer}
details summary::-webkit-details-marker{display:none}
summary .m{flex:none;width:1rem;color:var(--bad-fg);font-weight:700}
.l .m{flex:none;width:1rem}
ul.notes{margin:0;padding:.2rem .6rem .4rem 10.4rem;list-style:none;color:var(--bad-fg);
white-space:normal}
ul.notes li.ok{color:var(--good-fg)}
p.key span{padding:.1rem .5rem;margin-right:.4rem;border-radius:4px}
@media(max-width:40rem){body{padding:.6rem}.l .n{width:2.6rem}.l .c{display:none}
ul.notes{padding-left:3.8rem}}
)";

constexpr std::string_view kSort = R"(
document.querySelectorAll('th button').forEach(b=>b.addEventListener('click',()=>{
const i=b.closest('th').cellIndex,body=b.closest('table').tBodies[0],up=b.dataset.up!=='1';b.dataset.up=up?'1':'0';
const key=r=>i?Number(r.cells[i].dataset.v):r.cells[0].textContent;
[...body.rows].sort((x,y)=>{const a=key(x),c=key(y);return(a<c?-1:a>c?1:0)*(up?1:-1)})
.forEach(r=>body.append(r))}));
)";

std::string_view color_of(size_t covered, size_t total) {
  if (total == 0) return "";
  return covered == total ? "good" : covered > 0 ? "some" : "bad";
}

std::string cell(const Totals& t) {
  if (t.total == 0) return "<td data-v=\"101\">–</td>";
  return fmt::format("<td class=\"{}\" data-v=\"{:.3f}\">{} % <small>{}/{}</small></td>",
                     color_of(t.covered, t.total), t.percent(), t.covered * 100 / t.total,
                     t.covered, t.total);
}

std::string file_name(std::string_view module) {
  std::string name;
  for (const char c : module) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '_' || c == '@' || c == '.';
    name += is_plain ? std::string(1, c) : fmt::format("-{:02x}", static_cast<unsigned char>(c));
  }
  return name + ".html";
}

struct TotalsRow {
  std::string name;
  std::vector<Totals> cells;
};

template <class Whole>
TotalsRow totals_row(const Coverage& coverage, std::string name, const Whole& whole) {
  TotalsRow row{std::move(name), {}};
  for (const Criterion c : coverage.criteria.list()) row.cells.push_back(cover::totals(whole, c));
  return row;
}

std::string row_html(const TotalsRow& row) {
  std::string out = "<tr><td>" + row.name + "</td>";
  for (const Totals& t : row.cells) out += cell(t);
  return out + "</tr>\n";
}

// `sum` comes last, whatever the rows are sorted by; none: there is none.
std::string table(const Coverage& coverage, std::string_view first_heading,
                  const std::vector<TotalsRow>& rows, const std::optional<TotalsRow>& sum) {
  std::string out = "<div class=\"scroll\"><table class=\"totals\">\n<thead><tr>";
  out += fmt::format("<th><button>{}</button></th>", first_heading);
  for (const Criterion c : coverage.criteria.list()) {
    out += fmt::format("<th><button>{}</button></th>", cover::name_of(c));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const TotalsRow& row : rows) out += row_html(row);
  out += "</tbody>\n";
  if (sum) out += "<tfoot>\n" + row_html(*sum) + "</tfoot>\n";
  return out + "</table></div>\n";
}

std::string index_page(const Coverage& coverage) {
  std::vector<TotalsRow> rows;
  for (const ModuleCoverage& module : coverage.modules) {
    rows.push_back(
        totals_row(coverage,
                   fmt::format("<a href={}>{}</a>", xml_attribute(file_name(module.name)),
                               xml_text(module.name)),
                   module));
  }
  const TotalsRow sum = totals_row(coverage, "all modules", coverage);
  return html_page({.title = "Coverage",
                    .style = kCoverStyle,
                    .body = "<h1>Coverage</h1>\n" + table(coverage, "module", rows, sum),
                    .script = kSort});
}

// ---- A module ---------------------------------------------------------------

struct LineMarks {
  std::vector<const Item*> items;     // that begin there, without the line itself
  std::vector<const Item*> incoming;  // that end there
  const Item* line = nullptr;
};

std::map<uint32_t, LineMarks> marks_of(const ModuleCoverage& module) {
  std::map<uint32_t, LineMarks> marks;
  for (const Item& item : module.items) {
    if (item.kind == ItemKind::Line) {
      marks[item.place.line].line = &item;
    } else if (item.kind != ItemKind::Statement) {
      marks[item.place.line].items.push_back(&item);
    }
    const bool ends_elsewhere = item.to.line != item.place.line && item.to_module.empty();
    if (item.to.line > 0 && ends_elsewhere) marks[item.to.line].incoming.push_back(&item);
  }
  return marks;
}

std::string state_text(const Item& item) {
  if (item.count > 0) return with_commas(item.count);
  switch (item.state) {
    case ItemState::Unreachable:
      return "unreachable";
    case ItemState::Unknown:
      return "not known";
    default:
      return "not covered";
  }
}

std::string note(const Item& item, std::string_view text) {
  return fmt::format("<li{}>{} {}: {}</li>", item.count > 0 ? " class=\"ok\"" : "",
                     item.count > 0 ? "✓" : "✗", text, state_text(item));
}

std::string link(std::string_view module, const cover::ItemPlace& place) {
  return fmt::format("<a href=\"{}#L{}\">{}{}line {}</a>", module.empty() ? "" : file_name(module),
                     place.line, xml_text(module), module.empty() ? "" : " ", place.line);
}

std::string words_of(const Item& item) {
  return xml_text(item.what.empty() ? std::string(cover::name_of(item.kind)) : item.what);
}

// Of an item that begins in the line.
std::string note(const Item& item) {
  std::string text = words_of(item);
  if (item.to.line > 0) text += " → " + link(item.to_module, item.to);
  if (item.place.column > 0) text += fmt::format(" (column {})", item.place.column);
  return note(item, text);
}

// Of one that ends there.
std::string incoming_note(const Item& item) {
  return note(item, words_of(item) + " ← " + link({}, item.place));
}

std::string line_html(uint32_t number, std::string_view text, const LineMarks* marks) {
  size_t total = 0;
  size_t covered = 0;
  bool is_missing = false;
  const auto see = [&](const Item& item) {
    if (!item.is_counted()) return;
    ++total;
    covered += item.count > 0 ? 1 : 0;
  };
  std::string count;
  std::string notes;
  if (marks) {
    if (marks->line) {
      see(*marks->line);
      count = with_commas(marks->line->count);
    }
    for (const Item* item : marks->items) {
      see(*item);
      is_missing = is_missing || item->count == 0;
      notes += note(*item);
    }
    for (const Item* item : marks->incoming) notes += incoming_note(*item);
  }
  const std::string line = fmt::format(
      "<span class=\"n\">{}</span><span class=\"c\">{}</span><span class=\"m\">{}</span>"
      "<span class=\"t\">{}</span>",
      number, count, is_missing ? "✗" : "", xml_text(text));
  const std::string_view color = color_of(covered, total);
  if (notes.empty()) {
    return fmt::format("<div class=\"l {}\" id=\"L{}\">{}</div>\n", color, number, line);
  }
  return fmt::format(
      "<details id=\"L{}\"><summary class=\"l {}\">{}</summary><ul class=\"notes\">{}</ul>"
      "</details>\n",
      number, color, line, notes);
}

std::string module_page(const Coverage& coverage, const ModuleCoverage& module,
                        const std::optional<std::string>& text) {
  const TotalsRow totals = totals_row(coverage, xml_text(module.name), module);
  std::string body =
      fmt::format("<p><a href=\"index.html\">Coverage</a></p>\n<h1>{}</h1>\n{}",
                  xml_text(module.path), table(coverage, "module", {totals}, std::nullopt));
  if (!text) {
    body += "<p>The source is not there, or has changed since it was measured.</p>\n";
    return html_page({.title = module.name, .style = kCoverStyle, .body = body});
  }
  body +=
      "<p class=\"key\"><span class=\"good\">all of the line</span><span class=\"some\">some of "
      "it</span><span class=\"bad\">nothing</span> ✗ opens what is missing</p>\n"
      "<div class=\"code\"><div class=\"all\">\n";
  const std::map<uint32_t, LineMarks> marks = marks_of(module);
  std::string_view rest = *text;
  for (uint32_t number = 1; !rest.empty(); ++number) {
    const size_t end = rest.find('\n');
    const auto found = marks.find(number);
    body += line_html(number, rest.substr(0, end), found == marks.end() ? nullptr : &found->second);
    if (end == rest.npos) break;
    rest = rest.substr(end + 1);
  }
  body += "</div></div>\n";
  return html_page({.title = module.name, .style = kCoverStyle, .body = body});
}

}  // namespace

void cover_html(const Coverage& coverage, const SourceText& source, const WriteFile& write) {
  write("index.html", index_page(coverage));
  for (const ModuleCoverage& module : coverage.modules) {
    write(file_name(module.name), module_page(coverage, module, source(module)));
  }
}

}  // namespace fathom::report
