#include "report/html_page.h"

#include <fmt/format.h>

#include "report/xml.h"

namespace fathom::report {
namespace {

constexpr std::string_view kBaseStyle = R"(
:root{color-scheme:light dark;--fg:#1b1f24;--bg:#fff;--dim:#6a737d;--line:#d8dee4;
--good:#dafbe1;--some:#fff3c4;--bad:#ffdcd7;--good-fg:#116329;--some-fg:#7a5200;--bad-fg:#a40e26}
@media(prefers-color-scheme:dark){:root{--fg:#d7dde4;--bg:#14181d;--dim:#8b949e;--line:#30363d;
--good:#12311d;--some:#3d3110;--bad:#42191b;--good-fg:#7ee2a0;--some-fg:#f0cf6a;--bad-fg:#ff9d92}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:75rem;color:var(--fg);background:var(--bg);
font:16px/1.45 system-ui,sans-serif}
h1{font-size:1.3rem;margin:.2rem 0 .8rem;overflow-wrap:anywhere}
a{color:inherit}
)";

}  // namespace

std::string html_page(const HtmlPage& page) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n{}{}</body>\n</html>\n",
      xml_text(page.title), kBaseStyle, page.style, page.body,
      page.script.empty() ? "" : fmt::format("<script>{}</script>\n", page.script));
}

}  // namespace fathom::report
