// Calls, and what names a function without calling it.
#include <fmt/format.h>

#include "lint/lint_body.h"

namespace fathom::lint {

// is_record(E, name) and its remote forms test for a record that must be known.
bool BodyLinter::is_record_test(NodeId id) {
  const auto view = ast_.get<node::Call>(id);
  const auto arguments = ast_.list(view.arguments);
  if (arguments.size() != 2 || !ast_.is(arguments[1], NodeKind::Atom)) return false;
  NodeId name = view.function;
  if (ast_.is(name, NodeKind::Remote)) {
    const auto remote = ast_.get<node::Remote>(name);
    if (tables_.atom_at(remote.module) != atoms::erlang) return false;
    name = remote.name;
  } else if (ast_.is(name, NodeKind::Tuple)) {
    const auto parts = ast_.list(ast_.get<node::Tuple>(name).elements);
    if (parts.size() != 2 || tables_.atom_at(parts[0]) != atoms::erlang) return false;
    name = parts[1];
  }
  return tables_.atom_at(name) == atoms::is_record;
}

void BodyLinter::call(NodeId id) {
  const auto view = ast_.get<node::Call>(id);
  if (is_record_test(id)) {
    const auto arguments = ast_.list(view.arguments);
    push(arguments[0]);
    is_record_atom(arguments[1]);
    return;
  }
  if (ast_.is(view.function, NodeKind::Remote)) {
    remote_call(id, ast_.get<node::Remote>(view.function), view.arguments);
    return;
  }
  push_all(view.arguments);
  if (!ast_.is(view.function, NodeKind::Atom)) {
    push(view.function);
    return;
  }
  const auto arity = static_cast<uint32_t>(ast_.list(view.arguments).size());
  local_call(id, view.function, {tables_.atom_at(view.function), arity});
}

void BodyLinter::remote_call(NodeId id, const node::Remote& remote, ListId arguments) {
  push_all(arguments);
  const bool known_module = ast_.is(remote.module, NodeKind::Atom);
  if (known_module && ast_.is(remote.name, NodeKind::Atom)) {
    const ArityName f{tables_.atom_at(remote.name),
                      static_cast<uint32_t>(ast_.list(arguments).size())};
    // With a name that is not a constant, OTP takes it for a call of is_record/2
    // without a module.
    if (tables_.atom_at(remote.module) == atoms::erlang && f == ArityName{atoms::is_record, 2}) {
      local_call(id, remote.name, f);
      return;
    }
    check_module_name(tables_.atom_at(remote.module), remote.module, id, report_);
    return;
  }
  if (known_module) {
    check_module_name(tables_.atom_at(remote.module), remote.module, remote.module, report_);
  }
  push(remote.module);
  push(remote.name);
}

void BodyLinter::local_call(NodeId id, NodeId name, ArityName f) {
  const AutoImported bif = tables_.bif(f);
  const bool is_local = tables_.is_local(f);
  const bool switched_off = tables_.is_auto_import_off(f);
  if (tables_.import_of(f)) return;
  if (!is_local && bif.is_imported && !switched_off) return;
  if (f == ArityName{atoms::record_info, 2}) {
    record_info_call(id, name, ast_.get<node::Call>(id).arguments);
    return;
  }
  if (bif.is_old && !switched_off && tables_.reports_clash(f)) {
    report_
        .error(Rule::CallToRedefinedOldBif, name, id,
               fmt::format("{0} is a function of this module and a built-in function too: write "
                           "`erlang:{1}(…)`, or `-compile({{no_auto_import, [{0}]}})` to mean the "
                           "function of this module",
                           show(f), show(f.name)))
        .note(tables_.functions.at(f), "this function hides the built-in one");
  }
  if (f != function_) tables_.calls.push_back({f, name, id});
}

void BodyLinter::record_info_call(NodeId id, NodeId name, ListId argument_list) {
  const auto arguments = ast_.list(argument_list);
  const Atom what = tables_.atom_at(arguments[0]);
  if (!ast_.is(arguments[0], NodeKind::Atom) || !ast_.is(arguments[1], NodeKind::Atom)) {
    report_.error(Rule::IllegalRecordInfo, id,
                  "record_info/2 is known to the compiler only: write the names of the record and "
                  "of what to tell, as in `record_info(fields, r)`");
  } else if (what.text() != "fields" && what.text() != "size") {
    report_.error(Rule::IllegalRecordInfo, arguments[0],
                  fmt::format("record_info/2 tells `fields` or `size`, not `{}`", show(what)));
  } else {
    record(arguments[1], name);
  }
}

void BodyLinter::fun_name(NodeId id) {
  const auto view = ast_.get<node::FunName>(id);
  if (!ast_.is(view.name, NodeKind::Atom) || !ast_.is(view.arity, NodeKind::Integer)) {
    push(view.name);
    push(view.arity);
    return;
  }
  const ArityName f{tables_.atom_at(view.name), ast_.get<node::Integer>(view.arity).value};
  if (f == ArityName{atoms::record_info, 2}) {
    report_.error(Rule::IllegalRecordInfo, id,
                  "record_info/2 is known to the compiler only: there is no fun of it");
    return;
  }
  const Import* import = tables_.import_of(f);
  if (import && !tables_.is_local(f)) {
    const bool is_bif = tables_.bif(f).is_imported && !tables_.is_auto_import_off(f);
    if (tables_.release < 28 && is_bif) return;
    report_
        .error(tables_.release < 28 ? Rule::UndefinedFunction : Rule::FunImport, id,
               fmt::format("`fun {0}` cannot name an imported function: write `fun {1}:{0}`",
                           show(f), show(import->module)))
        .note(import->at, "it is imported here");
    return;
  }
  if (!tables_.is_local(f) && tables_.bif(f).is_imported && !tables_.is_auto_import_off(f)) return;
  tables_.calls.push_back({f, id, id});
}

void BodyLinter::fun_remote(NodeId id) {
  const auto view = ast_.get<node::FunRemote>(id);
  push(view.module);
  push(view.name);
  push(view.arity);
}

}  // namespace fathom::lint
