# Writes a C++ file with the texts of the modules of a folder, as embedded.h declares
# it: cmake -D FOLDER=… -D OUTPUT=… -P Embed.cmake
file(GLOB modules ${FOLDER}/*.erl)
set(entries "")
foreach(path ${modules})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"natives/embedded.h\"

namespace fathom::machine {
namespace {

struct EmbeddedModule {
  std::string_view name;
  std::string_view text;
};

constexpr EmbeddedModule kModules[] = {
${entries}};

}  // namespace

std::optional<std::string_view> embedded_module(std::string_view name) {
  for (const EmbeddedModule& module : kModules) {
    if (module.name == name) return module.text;
  }
  return std::nullopt;
}

}  // namespace fathom::machine
")
