#include "core/places.h"

#include "core/constant_parts.h"

namespace fathom::core {

FileLine file_line(const Module& module, AstId node) {
  const Unit& unit = module.unit();
  return {module.file_of(node), unit.otp_position(unit.ast[node].anchor).line};
}

std::optional<FileLine> file_line(const Module& module, NodeId node) {
  const AstId origin = origin_of(module, node);
  if (!fathom::exists(origin)) return std::nullopt;
  return file_line(module, origin);
}

Place place_of(const Module& module, AstId node) {
  const Unit& unit = module.unit();
  if (!fathom::exists(node)) return {{}, unit.path, 0};
  const FileLine otp = file_line(module, node);
  Place place{{}, std::string(otp.file), otp.line};
  const auto span = unit.file ? unit.used_span(node) : std::nullopt;
  if (span && span->begin && span->begin.is_text()) place.span = *span;
  return place;
}

Place place_of(const Module& module, NodeId node) {
  return place_of(module, origin_of(module, node));
}

}  // namespace fathom::core
