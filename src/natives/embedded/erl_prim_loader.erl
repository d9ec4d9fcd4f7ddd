%% In place of OTP's: reads the files that belong to code, in the process that asks.
%%
%% The ebin of an application that was never compiled is seen as a build would leave it:
%% it has a .beam for each module of src, which cannot be read, and its .app is made of
%% the .app.src.
-module(erl_prim_loader).
-export([get_file/1, list_dir/1, read_file_info/1, read_link_info/1, get_cwd/0, get_cwd/1,
         get_path/0, get_modules/2, get_modules/3, is_basename/1]).

get_file(Name) ->
    File = text(Name),
    case fathom_code:read(File) of
        {ok, Bytes} -> {ok, Bytes, File};
        error ->
            case filename:extension(File) =:= ".app" andalso made_application(File) of
                {ok, Bytes} -> {ok, Bytes, File};
                _ -> error
            end
    end.

list_dir(Name) ->
    Dir = text(Name),
    case {fathom_code:list(Dir), filename:basename(Dir)} of
        {Real, "ebin"} ->
            case {Real, made_files(filename:join(filename:dirname(Dir), "src"))} of
                {error, []} -> error;
                {error, Made} -> {ok, lists:usort(Made)};
                {{ok, Files}, Made} -> {ok, lists:usort(Files ++ Made)}
            end;
        {Real, _} -> Real
    end.

read_file_info(Name) ->
    case fathom_code:kind(text(Name)) of
        none -> error;
        _ -> prim_file:read_file_info(Name)
    end.

read_link_info(Name) ->
    case prim_file:read_link_info(Name) of
        {ok, _} = Info -> Info;
        _ -> error
    end.

get_cwd() -> prim_file:get_cwd().
get_cwd(Drive) -> prim_file:get_cwd(Drive).
get_path() -> {ok, code:get_path()}.

%% Code needs no preparation: what there is has been loaded when this returns.
get_modules(Modules, _) ->
    {ok, {[], [{Module, nofile} || Module <- Modules, not fathom_code:load(Module)]}}.
get_modules(Modules, Prepare, _) -> get_modules(Modules, Prepare).

is_basename(Name) -> filename:basename(Name) =:= Name.

text(Name) when is_atom(Name) -> atom_to_list(Name);
text(Name) when is_binary(Name) -> unicode:characters_to_list(Name);
text(Name) -> lists:flatten(Name).

%% What a build would make of the files in and below the directory.
made_files(Src) ->
    lists:append([made_file(filename:join(Src, Name), Name) || Name <- names_in(Src)]).

names_in(Dir) ->
    case fathom_code:list(Dir) of
        {ok, Names} -> Names;
        error -> []
    end.

made_file(Path, Name) ->
    case filename:extension(Name) of
        ".erl" -> [filename:rootname(Name) ++ ".beam"];
        ".src" -> [filename:rootname(Name)];
        "" ->
            case fathom_code:kind(Path) of
                directory -> made_files(Path);
                _ -> []
            end;
        _ -> []
    end.

%% With the modules that there are, and a version even where only a build tool knows it.
made_application(File) ->
    Src = filename:join(filename:dirname(filename:dirname(File)), "src"),
    case fathom_code:read(filename:join(Src, filename:basename(File) ++ ".src")) of
        {ok, Bytes} ->
            case fathom_code:terms(Bytes) of
                {ok, [{application, Name, Keys}]} ->
                    Modules = [list_to_atom(filename:rootname(M)) || M <- made_files(Src),
                               filename:extension(M) =:= ".beam"],
                    Made = {application, Name, completed(Keys, lists:usort(Modules))},
                    {ok, unicode:characters_to_binary(io_lib:format("~tp.~n", [Made]))};
                _ -> error
            end;
        error -> error
    end.

completed(Keys, Modules) ->
    Version = case lists:keyfind(vsn, 1, Keys) of
                  {vsn, Text} when is_list(Text) -> Text;
                  _ -> "0"
              end,
    lists:keystore(modules, 1, lists:keystore(vsn, 1, Keys, {vsn, Version}), {modules, Modules}).
