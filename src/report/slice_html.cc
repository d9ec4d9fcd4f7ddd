// A slice as a page.
//
// The text of each module is cut into pieces: each belongs to the smallest place around it that is
// in the slice. The page holds the tree of reasons (slice/reasons.h) once, as a table, and follows
// it from the place that is clicked to the criterion.
#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "core/places.h"
#include "report/html_page.h"
#include "report/slice_report.h"
#include "report/text.h"
#include "report/xml.h"

namespace fathom::report {
namespace {

using slice::kNoReason;
using slice::ReasonStep;
using slice::SlicedModule;
using slice::TextRange;

constexpr std::string_view kSliceStyle = R"(
:root{--on:#fff3c4;--hit:#ffd24d}
@media(prefers-color-scheme:dark){:root{--on:#3d3110;--hit:#7a5c00}}
body{max-width:90rem}
.sum{color:var(--dim);margin:.2rem 0 .6rem}
.all{display:grid;grid-template-columns:minmax(0,1fr) minmax(16rem,26rem);gap:1rem;align-items:start}
.code{font:13px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid var(--line);
border-radius:6px;margin-bottom:1rem}
.code>div{min-width:max-content;padding:.4rem 0}
.code h2{font:600 14px/1.4 system-ui,sans-serif;margin:0;padding:.4rem .6rem;
border-bottom:1px solid var(--line);position:sticky;left:0}
.l{display:flex;white-space:pre;min-height:1.5em}
.l .n{flex:none;width:3.4rem;color:var(--dim);text-align:right;padding:0 .6rem;user-select:none}
.l.in .n{color:var(--fg);font-weight:600}
.l .t{color:var(--dim);opacity:.55}
.l.in .t{opacity:1}
.k{color:var(--fg)}
.k[data-w]{cursor:pointer;border-radius:3px}
.k[data-w]:hover,.k[data-w]:focus{background:var(--line);outline:0}
.k.on{background:var(--on)}
.k.hit{background:var(--hit)}
.short .l:not(.in){display:none}
#why{position:sticky;top:.5rem;border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;
max-height:calc(100vh - 1rem);overflow:auto;background:var(--bg)}
#why h2{font-size:1rem;margin:0 0 .4rem}
#why ol{margin:0;padding-left:1.4rem}
#why li{margin:.35rem 0}
#why code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
#why button{all:unset;cursor:pointer;color:inherit;text-decoration:underline dotted;
overflow-wrap:anywhere}
#why button:focus-visible{outline:2px solid var(--dim)}
#why .at{color:var(--dim);font-size:.85rem;white-space:nowrap}
details{margin:.4rem 0 1rem}
details li{font:13px/1.6 ui-monospace,monospace;overflow-wrap:anywhere}
label{display:inline-block;margin:0 0 .8rem}
@media(max-width:52rem){body{padding:.6rem}.all{display:block}.l .n{width:2.4rem;padding:0 .4rem}
#why{position:sticky;top:auto;bottom:0;max-height:40vh;box-shadow:0 -4px 12px #0004}}
)";

constexpr std::string_view kSliceScript = R"(
const box=document.getElementById('why'),start=box.innerHTML;
const clear=()=>document.querySelectorAll('.on,.hit').forEach(e=>e.classList.remove('on','hit'));
const pieces=i=>document.querySelectorAll('[data-w="'+i+'"]');
const node=(tag,text,kind)=>{const e=document.createElement(tag);e.textContent=text;
if(kind)e.className=kind;return e};
function go(s){const e=pieces(s.home)[0]||document.getElementById(s.line);
if(e)e.scrollIntoView({block:'center',behavior:'smooth'})}
function link(i){const s=steps[i],b=node('button','');b.append(node('code',s.text));
b.onclick=()=>{show(s.home<0?i:s.home);go(s)};return[b,' ',node('span',s.where,'at')]}
function show(i){clear();box.replaceChildren();const h=node('h2','Why is this here?');
const first=node('p','');first.append(...link(i));box.append(h,first);const list=node('ol','');
let last='';for(let s=steps[i];;s=steps[s.next]){pieces(s.home).forEach(e=>e.classList.add('on'));
const to=s.next<0?criterion:steps[s.next].text+steps[s.next].where;if(to!==last){
const li=node('li','It '+s.relation+' ');if(s.next<0)li.append(node('code',criterion));
else li.append(...link(s.next));list.append(li)}last=to;if(s.next<0)break}
box.append(list);pieces(i).forEach(e=>e.classList.add('hit'))}
document.addEventListener('click',e=>{const k=e.target.closest('.code .k[data-w]');
if(k)show(Number(k.dataset.w))});
document.addEventListener('keydown',e=>{if(e.key==='Escape'){clear();box.innerHTML=start}
const k=e.target.closest&&e.target.closest('.k[data-w]');
if(k&&e.key==='Enter')show(Number(k.dataset.w))});
document.getElementById('short').onchange=e=>
document.querySelector('.all').classList.toggle('short',e.target.checked);
)";

class SliceHtml {
 public:
  explicit SliceHtml(const SlicePage& page) : page_(page) {}
  std::string made();

 private:
  std::string code(size_t module);
  std::vector<uint32_t> owners(const SlicedModule& module, std::string_view text) const;
  std::string pieces(std::string_view line, size_t from, const std::vector<bool>& is_kept,
                     const std::vector<uint32_t>& owner) const;
  std::string steps_table() const;
  std::string line_id(const core::Module& module, uint32_t line) const;

  const SlicePage& page_;
};

std::string SliceHtml::line_id(const core::Module& module, uint32_t line) const {
  for (size_t i = 0; i < page_.slice.modules.size(); ++i) {
    if (page_.slice.modules[i].module == &module) return fmt::format("m{}l{}", i, line);
  }
  return "";
}

// By byte of the text: the step of the smallest place there.
std::vector<uint32_t> SliceHtml::owners(const SlicedModule& module, std::string_view text) const {
  std::vector<uint32_t> owner(text.size(), kNoReason);
  const uint32_t start = page_.sources.start(*module.module->unit().file).index();
  struct Painted {
    uint32_t begin, end, step;
  };
  std::vector<Painted> all;
  for (const auto& [place, step] : page_.reasons.by_place) {
    if (place.first != module.module) continue;
    const Span span = core::place_of(*place.first, place.second).span;
    if (!span.begin || page_.sources.file_of(span.begin) != *module.module->unit().file) continue;
    all.push_back({span.begin.index() - start, span.end.index() - start, step});
  }
  std::sort(all.begin(), all.end(), [](const Painted& a, const Painted& b) {
    return std::tuple(b.end - b.begin, a.begin, a.step) <
           std::tuple(a.end - a.begin, b.begin, b.step);
  });
  for (const Painted& p : all) {
    std::fill(owner.begin() + p.begin, owner.begin() + p.end, p.step);
  }
  return owner;
}

std::string SliceHtml::pieces(std::string_view line, size_t from, const std::vector<bool>& is_kept,
                              const std::vector<uint32_t>& owner) const {
  std::string out;
  const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  for (size_t at = 0; at < line.size();) {
    const auto key = [&](size_t i) {
      return is_kept[from + i] && i >= indent ? std::pair(true, owner[from + i])
                                              : std::pair(false, kNoReason);
    };
    size_t end = at + 1;
    while (end < line.size() && key(end) == key(at)) ++end;
    const std::string text = xml_text(line.substr(at, end - at));
    const auto [kept, step] = key(at);
    if (!kept) {
      out += text;
    } else if (step == kNoReason) {
      out += fmt::format("<span class=\"k\">{}</span>", text);
    } else {
      out += fmt::format("<span class=\"k\" data-w=\"{}\" tabindex=\"0\">{}</span>", step, text);
    }
    at = end;
  }
  return out;
}

std::string SliceHtml::code(size_t number) {
  const SlicedModule& m = page_.slice.modules[number];
  const std::string_view text = page_.sources.text(*m.module->unit().file);
  std::vector<bool> is_kept(text.size());
  for (const TextRange r : m.kept) {
    const TextRange t = trimmed(r, text);
    std::fill(is_kept.begin() + t.begin, is_kept.begin() + t.end, true);
  }
  const std::vector<uint32_t> owner = owners(m, text);
  std::string out =
      fmt::format("<div class=\"code\"><h2>{}</h2><div>\n", xml_text(m.module->unit().path));
  uint32_t line = 1;
  for (size_t at = 0; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    bool is_in = false;
    for (size_t i = at; i < end; ++i) {
      is_in =
          is_in || (is_kept[i] && std::string_view(" ,;.").find(text[i]) == std::string_view::npos);
    }
    out += fmt::format(
        "<div class=\"l{}\" id=\"m{}l{}\"><span class=\"n\">{}</span><span "
        "class=\"t\">{}</span></div>\n",
        is_in ? " in" : "", number, line, line,
        pieces(text.substr(at, end - at), at, is_kept, owner));
    at = end + 1;
  }
  return out + "</div></div>\n";
}

std::string SliceHtml::steps_table() const {
  std::string out;
  JsonWriter json(out, JsonWriter::Style::Compact);
  json.begin_array();
  for (const ReasonStep& step : page_.reasons.steps) {
    const Place place = core::place_of(*step.module, step.origin);
    const auto home = step.name.empty() ? page_.reasons.find(*step.module, step.origin) : kNoReason;
    json.begin_object();
    json.field("text", reason_text(step, page_.sources));
    json.field("where", fmt::format("line {}", place.line));
    json.field("relation", step.relation);
    json.field("next", step.next == kNoReason ? int64_t{-1} : int64_t{step.next});
    json.field("home", home == kNoReason ? int64_t{-1} : int64_t{home});
    json.field("line", line_id(*step.module, place.line));
    json.end_object();
  }
  json.end_array();
  json.finish();
  return out;
}

// As a script may hold it: no `</script` and no `<!--`.
std::string in_script(std::string_view json) {
  std::string out;
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string SliceHtml::made() {
  const slice::Slice& slice = page_.slice;
  const double share = slice.nodes_total == 0 ? 0.0
                                              : 100.0 * static_cast<double>(slice.nodes_kept) /
                                                    static_cast<double>(slice.nodes_total);
  std::string body =
      fmt::format("<h1>{}</h1>\n<p class=\"sum\">{} of {} nodes are kept ({:.0f} %).</p>\n",
                  xml_text(page_.question), slice.nodes_kept, slice.nodes_total, share);
  if (!page_.conclusion.empty()) {
    body += fmt::format("<p>{}</p>\n<details><summary>{}</summary><ol>\n",
                        xml_text(page_.conclusion), counted(page_.steps.size(), "step"));
    for (const std::string& step : page_.steps) {
      body += fmt::format("<li>{}</li>\n", xml_text(step));
    }
    body += "</ol></details>\n";
  }
  body +=
      "<label><input type=\"checkbox\" id=\"short\"> Show only lines of the slice</label>\n"
      "<div class=\"all\"><div>\n";
  for (size_t i = 0; i < slice.modules.size(); ++i) body += code(i);
  body += fmt::format("</div>\n<aside id=\"why\"><p>{}</p></aside></div>\n",
                      page_.reasons.steps.empty()
                          ? "What is not dimmed is in the slice."
                          : "What is not dimmed is in the slice. Choose a place to see why.");
  std::string criterion;
  JsonWriter json(criterion, JsonWriter::Style::Compact);
  json.value(page_.criteria.size() == 1 ? page_.criteria[0] : "one of the criteria");
  json.finish();
  const std::string script = fmt::format("const steps={},criterion={};{}", in_script(steps_table()),
                                         in_script(criterion), kSliceScript);
  return html_page({.title = page_.question, .style = kSliceStyle, .body = body, .script = script});
}

}  // namespace

std::string slice_html(const SlicePage& page) { return SliceHtml(page).made(); }

}  // namespace fathom::report
