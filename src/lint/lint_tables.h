// What the linter knows of a module while it goes through it. Functions and
// compiler options are known from the start; records, imports and types are there
// from their form on, since Erlang wants them defined before they are used.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "lint/auto_imported.h"
#include "lint/lint.h"
#include "lint/lint_report.h"

namespace fathom::lint {

struct RecordFieldInfo {
  Atom name;
  NodeId at;
  NodeId value;  // the default; none if there is none or it is wrong
};

struct RecordInfo {
  NodeId form;
  std::vector<RecordFieldInfo> fields;

  const RecordFieldInfo* find(Atom name) const {
    for (const RecordFieldInfo& field : fields) {
      if (field.name == name) return &field;
    }
    return nullptr;
  }
};

struct Import {
  Atom module;
  NodeId at;
};

// A place that needs a function or type to exist, at the end of the module.
struct Need {
  ArityName name;
  NodeId at;
  NodeId anchor;
};

class Tables {
 public:
  Tables(const Unit& unit_read, const Options& options)
      : unit(unit_read), ast(unit_read.ast), release(options.otp_release) {}

  const Unit& unit;
  const Ast& ast;
  const uint32_t release;

  Atom module;                            // '' before -module
  std::map<ArityName, NodeId> functions;  // of the whole module: where defined first
  std::map<ArityName, Import> imports;
  std::unordered_map<Atom, RecordInfo> records;
  std::unordered_map<Atom, NodeId> record_forms;  // of the whole module
  std::vector<Need> calls;
  // From the -compile attributes.
  std::set<ArityName> not_auto_imported;
  bool no_auto_import = false;
  bool no_auto_import_types = false;
  bool export_all = false;
  bool warns_bif_clash = true;
  std::set<ArityName> nowarn_bif_clash;

  bool is_local(ArityName f) const { return functions.contains(f); }
  static bool is_made_by_compiler(ArityName f);
  bool is_defined(ArityName f) const { return is_local(f) || is_made_by_compiler(f); }
  const Import* import_of(ArityName f) const {
    const auto at = imports.find(f);
    return at == imports.end() ? nullptr : &at->second;
  }
  bool is_overridden(ArityName f) const { return is_local(f) || import_of(f); }
  bool is_auto_import_off(ArityName f) const {
    return no_auto_import || not_auto_imported.contains(f);
  }
  AutoImported bif(ArityName f) const { return auto_imported(f.name, f.arity, release); }
  // Whether a guard that calls f means the built-in function.
  bool means_bif_in_guard(ArityName f) const {
    const Import* import = import_of(f);
    const bool from_erlang = import && import->module == atoms::erlang;
    return !is_local(f) && (from_erlang || (!import && !is_auto_import_off(f)));
  }
  bool reports_clash(ArityName f) const { return warns_bif_clash && !nowarn_bif_clash.contains(f); }

  // name/arity or {Name, Arity}, as attributes hold them.
  std::optional<ArityName> name_arity(NodeId id) const;
  // The nodes of nested lists, flat; a node that is not a list is itself.
  std::vector<NodeId> flattened(NodeId id) const;
  Atom atom_at(NodeId id) const {  // '' if it is not an atom
    return ast.is(id, NodeKind::Atom) ? ast.get<node::Atom>(id).value : Atom();
  }
};

// Reports a module's name that no module may have.
void check_module_name(Atom name, NodeId at, NodeId anchor, Reporter& report);

// Reports that there is no function f, and what may have been meant.
void report_undefined_function(const Tables& tables, const Need& call, Reporter& report);

// The same for the record that a node names; OTP's place is that of `anchor`. Not if
// forms or headers could not be read: the definition may be in one of them.
void report_undefined_record(const Tables& tables, NodeId name, NodeId anchor, Reporter& report);

void report_undefined_field(const Tables& tables, Atom record, const RecordInfo& info, NodeId field,
                            Reporter& report);

// Adds what the name may have been meant to be.
void suggest(Found found, Atom name, const std::vector<Atom>& candidates);

}  // namespace fathom::lint
