#include "core/parts.h"

#include <fmt/format.h>

#include "core/lower.h"

namespace fathom::core {

std::shared_ptr<Parts> Parts::open(const std::string& path, const SourceMap& sources,
                                   Program& program) {
  const auto beam = BeamFile::read(path);
  if (!beam) return nullptr;
  auto forms = DebugForms::find(*beam);
  if (!forms) return nullptr;
  const std::shared_ptr<Parts> parts(new Parts(std::move(*forms), sources, program));
  return parts->read_outline(path) ? parts : nullptr;
}

bool Parts::read_outline(const std::string& path) {
  tree_->unit.path = path;
  if (!forms_.read_outline(tree_->unit, *tree_->literals, functions_)) return false;
  std::vector<DeclaredFunction> declared;
  declared.reserve(functions_.size());
  for (const FunctionForm& f : functions_) declared.push_back({f.name, f.arity});
  outline_ = std::make_shared<Module>(tree_->unit);
  declarations_ = declare(declared, *outline_);
  outline_->index_functions();
  parts_.resize(functions_.size());
  return outline_->functions.size() == functions_.size();  // none is defined twice
}

ProgramModule Parts::outline() const {
  return {std::shared_ptr<const Unit>(tree_, &tree_->unit), outline_};
}

Result<ProgramModule> Parts::read(FunctionId function) {
  const std::lock_guard lock(mutex_);
  ProgramModule& part = parts_[static_cast<size_t>(function)];
  if (part.core) return part;
  auto now = read_now(function);
  if (now) part = *now;
  return now;
}

Result<ProgramModule> Parts::read_now(FunctionId function) const {
  const FunctionForm& form = functions_[static_cast<size_t>(function)];
  const auto tree = std::make_shared<Tree>(*tree_);
  const auto node = forms_.read_function(form, tree->unit, *tree->literals);
  if (!node) {
    return Error{
        fmt::format("{}: its debug info is damaged: {}", tree->unit.path, node.error().message)};
  }
  auto part = lower_function(tree->unit, declarations_, *node);
  part->files = files_of(form);
  part->functions[0].exported = (*outline_)[function].exported;
  return program_.add(std::shared_ptr<const Unit>(tree, &tree->unit), std::move(part));
}

// Those of the outline, and from its end on the one that was in force before the function.
std::vector<FileStart> Parts::files_of(const FunctionForm& function) const {
  std::vector<FileStart> files = outline_->files;
  if (files.empty() || function.nodes_before == 0) return files;
  const AstId last_before{function.nodes_before - 1};
  const AstId first{static_cast<uint32_t>(tree_->unit.ast.size())};
  files.push_back({first, outline_->file_of(last_before)});
  return files;
}

}  // namespace fathom::core
