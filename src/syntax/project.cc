#include "syntax/project.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "syntax/app_dir.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

// Both absolute: is `path` this directory or below it?
bool is_within(std::string_view path, std::string_view dir) {
  if (dir == "/") return true;
  return path.starts_with(dir) && (path.size() == dir.size() || path[dir.size()] == '/');
}

void add_once(std::vector<std::string>& list, std::string item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(std::move(item));
}

void report(const std::vector<Diagnostic>& problems, Diagnostics& diagnostics) {
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::Error) {
      diagnostics.file_error(problem.file, problem.message);
    } else {
      diagnostics.file_warning(problem.file, problem.message);
    }
  }
}

// Sources in src, for a build tool that needs no configuration.
bool has_sources(const std::string& dir) {
  const auto names = list_directory(path_in(dir, "src"));
  return names && std::any_of(names->begin(), names->end(),
                              [](const std::string& name) { return name.ends_with(".erl"); });
}

bool has_make_config(const std::string& dir) {
  return is_plain_file(path_in(dir, "Emakefile")) || is_plain_file(path_in(dir, "erlang.mk"));
}

bool has_rebar_config(const std::string& dir) {
  const std::string file = path_in(dir, "rebar.config");
  return is_plain_file(file) || is_plain_file(file + ".script");
}

}  // namespace

struct Project::Application {
  AppDir place;        // absolute; without a name: the files that belong to none
  bool is_own = true;  // else a checkout or a dependency: compiled by its own rules
  RebarConfig config;  // complete once there are options
  std::shared_ptr<const CompileOptions> options;  // made on first use

  std::vector<SourceDir> src_dirs() const {
    return config.src_dirs.empty() ? std::vector<SourceDir>{{"src", true}} : config.src_dirs;
  }
  bool is_test(const std::string& file) const {
    const auto holds = [&](const std::string& dir) {
      return is_within(file, path_in(place.dir, dir));
    };
    return holds("test") || std::any_of(config.extra_src_dirs.begin(), config.extra_src_dirs.end(),
                                        [&](const SourceDir& dir) { return holds(dir.path); });
  }
};

struct Project::Workspace {
  std::string root;  // absolute; "" for the files that are in no project
  RebarConfig config;
  bool reported = false;
  std::vector<Application> apps;  // its own, then checkouts and dependencies
  Application rest;               // of the files in none of them
  std::unique_ptr<CodePath> code_path;
};

// The modules below directories, links followed, each directory once.
class Project::FileWalk {
 public:
  explicit FileWalk(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void walk(const std::string& dir, bool recursive) {
    std::vector<std::string> todo{dir};
    while (!todo.empty()) {
      const std::string at = std::move(todo.back());
      todo.pop_back();
      if (!enter(at)) continue;
      const Result<std::vector<std::string>> names = list_directory(at);
      if (!names) {
        diagnostics_.file_error("", names.error().message);
        continue;
      }
      for (const std::string& name : *names) {
        if (name[0] == '.') continue;
        std::string path = path_in(at, name);
        if (name.ends_with(".erl") && is_plain_file(path)) {
          sources.push_back(std::move(path));
        } else if (name.ends_with(".beam") && is_plain_file(path)) {
          beams.push_back(std::move(path));
        } else if (recursive && name != "_build" && is_directory(path)) {
          todo.push_back(std::move(path));
        }
      }
    }
  }

  // Sources, or where there are none the compiled modules; sorted.
  std::vector<std::string> take() {
    std::vector<std::string> files = std::move(sources.empty() ? beams : sources);
    sources.clear();
    beams.clear();
    std::sort(files.begin(), files.end());
    return files;
  }

  std::vector<std::string> sources;
  std::vector<std::string> beams;

 private:
  bool enter(const std::string& dir) {
    struct stat info {};
    if (stat(dir.empty() ? "." : dir.c_str(), &info) != 0) return false;
    return seen_.emplace(info.st_dev, info.st_ino).second;
  }

  Diagnostics& diagnostics_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

ProjectOptions ProjectOptions::from_environment() {
  ProjectOptions options;
  options.otp = OtpSearch::from_environment();
  if (const char* libs = std::getenv("ERL_LIBS")) options.code_path.erl_libs = libs;
  return options;
}

Project::Project(ProjectOptions options)
    : options_(std::move(options)),
      otp_(std::make_shared<const OtpInstallation>(OtpInstallation::find(options_.otp))),
      current_dir_(absolute_path(".")),
      loose_(std::make_unique<Workspace>()) {
  loose_->code_path = std::make_unique<CodePath>(options_.code_path, otp_);
}

Project::~Project() = default;

CodePath& Project::code_path() { return *loose_->code_path; }

// The project whose root this directory is, or null.
Project::Workspace* Project::workspace_at(const std::string& dir) {
  if (options_.ignore_projects) return nullptr;
  const auto known = workspaces_.find(dir);
  if (known != workspaces_.end()) return known->second.get();
  const bool configured = has_rebar_config(dir);
  std::unique_ptr<Workspace> workspace;
  if (configured || app_at(dir) || has_make_config(dir) || has_sources(dir) ||
      !apps_in(path_in(dir, "apps")).empty()) {
    workspace = open_workspace(dir, configured);
  }
  return (workspaces_[dir] = std::move(workspace)).get();
}

std::unique_ptr<Project::Workspace> Project::open_workspace(const std::string& root,
                                                            bool configured) {
  auto workspace = std::make_unique<Workspace>();
  workspace->root = root;
  workspace->rest.place.dir = root;
  if (configured) {
    workspace->config =
        read_rebar_config(root, {options_.tests, otp_->platform(), options_.run_script});
  } else {
    workspace->config = read_make_config(root, {options_.tests, otp_->platform()});
  }
  find_applications(*workspace, configured);
  std::vector<AppDir> libraries;
  for (const Application& app : workspace->apps) {
    libraries.push_back({app.place.name, shown(app.place.dir)});
  }
  workspace->code_path = std::make_unique<CodePath>(options_.code_path, otp_, libraries);
  return workspace;
}

// In the order of the code path: a project's own applications, as their sources
// lie, hide what was built of them.
void Project::find_applications(Workspace& workspace, bool configured) {
  const std::string& root = workspace.root;
  const RebarConfig& config = workspace.config;
  std::vector<std::string> src_dirs = config.src_dir_names();
  add_once(src_dirs, "src");

  const auto add = [&](AppDir app, bool is_own) {
    const auto& excluded = config.excluded_apps;
    if (is_own && std::find(excluded.begin(), excluded.end(), app.name) != excluded.end()) return;
    const auto same = [&](const Application& known) { return known.place.dir == app.dir; };
    if (std::any_of(workspace.apps.begin(), workspace.apps.end(), same)) return;
    workspace.apps.push_back({std::move(app), is_own, {}, {}});
  };
  const auto add_all = [&](const std::string& parent, bool is_own) {
    for (AppDir& app : apps_in(parent, src_dirs)) add(std::move(app), is_own);
  };

  std::vector<std::string> patterns = config.project_app_dirs;
  // Where no rebar.config says that this is a project, `lib` may be anything: all
  // the libraries of an OTP.
  if (patterns.empty() && configured) patterns = {"apps/*", "lib/*", "."};
  if (patterns.empty()) patterns = {"apps/*", "."};
  for (const std::string& pattern : patterns) {
    const fs::path glob = pattern;
    if (glob.filename() == "*") {
      add_all(absolute_path(path_in(root, glob.parent_path().string())), true);
    } else if (auto app = app_at(absolute_path(path_in(root, pattern)), src_dirs)) {
      add(std::move(*app), true);
    }
  }

  if (workspace.apps.empty() && !config.application.empty()) add({config.application, root}, true);

  add_all(path_in(root, config.checkouts_dir.empty() ? "_checkouts" : config.checkouts_dir), false);
  const std::string build = path_in(root, config.base_dir.empty() ? "_build" : config.base_dir);
  std::vector<std::string> profiles{"default"};
  if (options_.tests) profiles.insert(profiles.begin(), "test");
  if (const auto names = list_directory(build)) {
    for (const std::string& name : *names) add_once(profiles, name);
  }
  for (const std::string& profile : profiles) add_all(path_in(build, profile + "/lib"), false);
  add_all(path_in(root, "deps"), false);  // where erlang.mk and mix put theirs
}

// A path as the user would write it.
std::string Project::shown(const std::string& absolute) const {
  if (absolute == current_dir_) return ".";
  if (current_dir_ == "/" || !is_within(absolute, current_dir_)) return absolute;
  return absolute.substr(current_dir_.size() + 1);
}

// Where a file in this directory belongs. The innermost application around it
// counts, and among the projects that have this application the outermost: an
// application of an umbrella may have a rebar.config of its own.
const Project::Home& Project::home_of(const std::string& dir) {
  const auto known = homes_.find(dir);
  if (known != homes_.end()) return known->second;
  Home home;
  Workspace* nearest = nullptr;
  for (std::string above = dir;; above = directory_of(above)) {
    if (Workspace* workspace = workspace_at(above)) {
      if (!nearest) nearest = workspace;
      for (Application& app : workspace->apps) {
        if (!is_within(dir, app.place.dir)) continue;
        if (!home.application || app.place.dir.size() >= home.application->place.dir.size()) {
          home = {workspace, &app};
        }
      }
    }
    if (above == "/") break;
  }
  if (!home.application) {
    home.workspace = nearest ? nearest : loose_.get();
    home.application = &home.workspace->rest;
  }
  return homes_[dir] = home;
}

// Completes an application's configuration and makes its options, once; reports
// what could not be honoured, once.
void Project::prepare(Home home, Diagnostics& diagnostics) {
  Workspace& workspace = *home.workspace;
  Application& app = *home.application;
  if (!workspace.reported) {
    workspace.reported = true;
    report(workspace.config.problems, diagnostics);
  }
  if (app.options) return;
  if (app.is_own) {
    app.config = workspace.config;
    app.config.problems.clear();
  }
  if (app.place.dir != workspace.root && has_rebar_config(app.place.dir)) {
    const bool tests = app.is_own && options_.tests;
    app.config.overlay(
        read_rebar_config(app.place.dir, {tests, otp_->platform(), options_.run_script}));
    report(app.config.problems, diagnostics);
  }
  for (const RebarOverride& change : workspace.config.overrides) {
    const bool is_meant =
        change.application.empty() ? !app.is_own : change.application == app.place.name;
    if (is_meant) app.config.apply(change);
  }
  if (app.is_own && options_.tests) app.config.prepare_tests();
  app.options = make_options(workspace, app);
}

std::shared_ptr<CompileOptions> Project::make_options(Workspace& workspace,
                                                      const Application& app) {
  auto options = std::make_shared<CompileOptions>();
  const auto add_include = [&](const std::string& dir) {
    add_once(options->include_dirs, shown(dir));
  };
  const auto add_existing = [&](const std::string& dir) {
    if (is_directory(dir)) add_include(dir);
  };

  const std::string& root = workspace.root;
  add_include(root.empty() ? current_dir_ : root);
  for (const std::string& dir : options_.include_dirs) add_once(options->include_dirs, dir);
  if (!root.empty()) {
    const std::string& base = app.place.dir;
    for (const std::string& dir : app.config.include_dirs) {
      const std::string from_root = absolute_path(path_in(root, dir));
      const std::string from_app = absolute_path(path_in(base, dir));
      add_include(is_directory(from_root) || !is_directory(from_app) ? from_root : from_app);
    }
    for (const SourceDir& dir : app.src_dirs()) {
      add_existing(absolute_path(path_in(base, dir.path)));
    }
    for (const SourceDir& dir : app.config.extra_src_dirs) {
      add_existing(absolute_path(path_in(base, dir.path)));
    }
    add_existing(path_in(base, "include"));
    add_include(base);
  }
  options->macros = app.config.macros;
  for (const MacroDefinition& macro : options_.macros) add_macro(options->macros, macro);
  options->parse_transforms = app.config.parse_transforms;
  options->otp_release = otp_->release();
  options->libraries = workspace.code_path.get();
  return options;
}

void Project::add(const std::string& path, Diagnostics& diagnostics) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      diagnostics.file_error("", "no such file or directory: " + path);
    } else {
      diagnostics.file_error("", "cannot read " + path + ": " + std::strerror(errno));
    }
  } else if (S_ISREG(info.st_mode)) {
    add_file(path, diagnostics);
  } else if (!S_ISDIR(info.st_mode)) {
    diagnostics.file_error("", "neither a file nor a directory: " + path);
  } else if (Workspace* workspace = workspace_at(absolute_path(path))) {
    add_project(path, *workspace, diagnostics);
  } else {
    add_tree(path, diagnostics);
  }
}

void Project::add_file(const std::string& path, Diagnostics& diagnostics) {
  if (!path.ends_with(".erl") && !path.ends_with(".beam")) {
    diagnostics.file_error("", "neither an .erl nor a .beam file: " + path);
    return;
  }
  add_module(path, home_of(directory_of(absolute_path(path))), diagnostics);
}

void Project::add_tree(const std::string& path, Diagnostics& diagnostics) {
  const size_t errors_before = diagnostics.error_count();
  FileWalk walk(diagnostics);
  walk.walk(path, true);
  const std::vector<std::string> files = walk.take();
  for (const std::string& file : files) add_file(file, diagnostics);
  if (files.empty() && diagnostics.error_count() == errors_before) {
    diagnostics.file_error("", "no .erl or .beam files in " + path);
  }
}

void Project::add_project(const std::string& path, Workspace& workspace, Diagnostics& diagnostics) {
  const Home home = home_of(workspace.root);
  if (home.workspace != &workspace && home.application->place.dir == workspace.root) {
    // An application of a larger project, and read as that project has it.
    add_applications(path, workspace.root, *home.workspace, {home.application}, diagnostics);
    return;
  }
  std::vector<Application*> own;
  for (Application& app : workspace.apps) {
    if (app.is_own) own.push_back(&app);
  }
  // An umbrella may have tests at its top, and a rebar.config may stand over
  // sources that no resource file makes an application.
  const auto is_root = [&](const Application* app) { return app->place.dir == workspace.root; };
  if (std::none_of(own.begin(), own.end(), is_root)) own.push_back(&workspace.rest);
  add_applications(path, workspace.root, workspace, own, diagnostics);
}

void Project::add_applications(const std::string& path, const std::string& absolute,
                               Workspace& workspace, const std::vector<Application*>& apps,
                               Diagnostics& diagnostics) {
  FileWalk walk(diagnostics);
  size_t found = 0;
  // Directories are known by their absolute names; modules are to be called by the
  // PATH that was given.
  const auto walk_dir = [&](const Application& app, const std::string& name, bool recursive) {
    const std::string dir = absolute_path(path_in(app.place.dir, name));
    const std::string relative = fs::path(dir).lexically_relative(absolute).string();
    if (is_directory(dir)) walk.walk(path_in(path, relative), recursive);
  };
  const auto take = [&](Application& app) {
    for (const std::string& file : walk.take()) {
      ++found;
      add_module(file, {&workspace, &app}, diagnostics);
    }
  };
  for (Application* app : apps) {
    prepare({&workspace, app}, diagnostics);
    if (app != &workspace.rest || apps.size() == 1) {
      for (const SourceDir& dir : app->src_dirs()) walk_dir(*app, dir.path, dir.recursive);
      if (walk.sources.empty()) walk_dir(*app, "ebin", false);
      take(*app);
    }
    if (!options_.tests || !app->is_own) continue;
    for (const SourceDir& dir : app->config.extra_src_dirs) {
      walk_dir(*app, dir.path, dir.recursive);
    }
    take(*app);
  }
  if (found == 0) add_tree(path, diagnostics);
}

void Project::add_module(const std::string& path, Home home, Diagnostics& diagnostics) {
  const std::string absolute = absolute_path(path);
  if (!added_.insert(absolute).second) return;
  prepare(home, diagnostics);
  const bool is_new = std::find(used_.begin(), used_.end(), home.workspace) == used_.end();
  if (home.workspace == loose_.get()) {
    add_once(loose_dirs_, fs::path(path).parent_path().string());
  } else if (is_new) {
    used_.push_back(home.workspace);
  }
  const Application& app = *home.application;
  modules_.push_back({path, app.options, app.is_test(absolute), app.place.name});
}

// In the extra source directories of the applications whose modules have been added.
std::string Project::find_test_module(const Workspace& workspace, const std::string& name) const {
  for (const Application& app : workspace.apps) {
    for (const SourceDir& dir : app.config.extra_src_dirs) {
      const std::string path = path_in(path_in(app.place.dir, dir.path), name + ".erl");
      if (is_plain_file(path)) return shown(path);
    }
  }
  return {};
}

std::string Project::find_neighbour(const std::string& name) const {
  for (const std::string& dir : loose_dirs_) {
    std::string path = (fs::path(dir) / (name + ".erl")).string();
    if (is_plain_file(path)) return path;
  }
  return {};
}

std::optional<SourceModule> Project::find_module(const std::string& name,
                                                 Diagnostics& diagnostics) {
  std::string path;
  // Those that modules belong to, in the order in which they came.
  for (const Workspace* workspace : used_) {
    path = workspace->code_path->find_module(name);
    if (path.empty() && options_.tests) path = find_test_module(*workspace, name);
    if (!path.empty()) break;
  }
  if (path.empty()) path = code_path().find_module(name);
  if (path.empty()) path = find_neighbour(name);
  if (path.empty()) return std::nullopt;
  const std::string absolute = absolute_path(path);
  // What is compiled needs no options.
  const Home home =
      path.ends_with(".erl") ? home_of(directory_of(absolute)) : Home{loose_.get(), &loose_->rest};
  prepare(home, diagnostics);
  const Application& app = *home.application;
  return SourceModule{path, app.options, app.is_test(absolute), app.place.name};
}

std::vector<AppDir> Project::applications() {
  std::vector<AppDir> all;
  const auto add = [&](CodePath& path) {
    for (const AppDir& app : path.applications()) {
      if (std::find(all.begin(), all.end(), app) == all.end()) all.push_back(app);
    }
  };
  for (const Workspace* workspace : used_) add(*workspace->code_path);
  add(code_path());
  return all;
}

std::vector<std::string> Project::missing_dependencies() {
  std::vector<std::string> missing;
  for (const auto& [root, workspace] : workspaces_) {
    if (!workspace || !workspace->reported) continue;
    for (const std::string& name : workspace->config.deps) {
      if (workspace->code_path->library_dir(name).empty()) add_once(missing, name);
    }
  }
  std::sort(missing.begin(), missing.end());
  return missing;
}

std::vector<std::string> Project::roots_with_hooks() const {
  std::vector<std::string> roots;
  for (const Workspace* workspace : used_) {
    if (workspace->config.has_hooks) roots.push_back(shown(workspace->root));
  }
  return roots;
}

std::vector<EunitTarget> Project::eunit_tests() const {
  std::vector<EunitTarget> targets;
  for (const Workspace* workspace : used_) {
    const auto& own = workspace->config.eunit_tests;
    targets.insert(targets.end(), own.begin(), own.end());
  }
  return targets;
}

MacroDefinition parse_macro_argument(std::string_view argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return {std::string(argument), {}};
  return {std::string(argument.substr(0, equals)), std::string(argument.substr(equals + 1))};
}

}  // namespace fathom
