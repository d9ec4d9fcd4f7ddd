%% In place of OTP's: answers in the process that asks. Code is loaded when it is first
%% called; the code path is that of the command line, and what the program adds to it.
-module(code_server).
-export([call/1, checksum/1, checksum_of_file/1]).

call({load_file, Module}) ->
    case is_sticky(Module) of
        true -> {error, sticky_directory};
        false -> load_again(Module)
    end;
call({ensure_loaded, Module}) -> load(Module);
call({load_abs, File, _}) -> load_abs(File, list_to_atom(filename:basename(File)));
call({is_loaded, Module}) -> is_loaded(Module);
call(all_loaded) -> [{Module, loaded_file(Module)} || Module <- fathom_code:loaded()];
call({get_object_code, Module}) -> object_code(Module);
call(get_path) -> path();
call({add_path, Where, Dir}) -> add_path(Where, Dir);
call({add_paths, last, Dirs}) -> lists:foreach(fun(Dir) -> add_path(last, Dir) end, Dirs);
call({add_paths, first, Dirs}) ->
    lists:foreach(fun(Dir) -> add_path(first, Dir) end, lists:reverse(Dirs));
call({set_path, Dirs}) -> set_path(Dirs);
call({del_path, Name}) -> del_path(filename:join([text(Name)]));
call({replace_path, Name, Dir}) -> replace_path(text(Name), text(Dir));
call({dir, root_dir}) -> fathom_code:root();
call({dir, lib_dir}) -> filename:append(fathom_code:root(), "lib");
call({dir, compiler_dir}) -> library(compiler);
call({dir, {lib_dir, Name}}) -> library(Name);
call({dir, {lib_dir, Name, Sub}}) -> library(Name, atom_to_list(Sub));
call({dir, {priv_dir, Name}}) -> library(Name, "priv");
call({finish_loading, Prepared, EnsureLoaded}) -> finish_loading(Prepared, EnsureLoaded);
call(get_mode) -> interactive;
call({load_binary, Module, File, Code}) -> load_binary(Module, File, Code);
call({delete, Module}) ->
    try erlang:delete_module(Module) =:= true catch error:badarg -> false end;
call({purge, Module}) -> purge(Module);
call({soft_purge, Module}) -> soft_purge(Module);
call({Stick, _}) when Stick =:= stick_dir; Stick =:= unstick_dir; Stick =:= stick_mod;
                      Stick =:= unstick_mod -> ok;
call({is_sticky, Module}) -> is_sticky(Module);
call(Request) -> fathom_code:refuse(Request).

%% ---- Modules

load(Module) ->
    case fathom_code:load(Module) of
        true -> {module, Module};
        false -> {error, nofile}
    end.

%% A file that the program has written may have changed since.
load_again(Module) ->
    case fathom_code:written(Module) of
        {File, Code} -> load_binary(Module, filename:absname(File), Code);
        false -> load(Module)
    end.

load_abs(File, Module) ->
    Beam = filename:absname(File ++ ".beam"),
    case fathom_code:is_written(Beam) andalso fathom_code:read(Beam) of
        {ok, Code} -> load_binary(Module, Beam, Code);
        _ -> load_from(filename:dirname(File), Module)
    end.

load_from(Dir, Module) ->
    Before = fathom_code:path(),
    case add_path(last, Dir) of
        true ->
            Loaded = load(Module),
            fathom_code:set_path(Before),
            Loaded;
        _ -> {error, nofile}
    end.

load_binary(Module, File, Code) ->
    case is_sticky(Module) of
        true -> {error, sticky_directory};
        false ->
            erlang:module_loaded(Module) andalso purge(Module),
            case fathom_code:load_binary(Module, File, Code) of
                ok -> {module, Module};
                Error -> {error, Error}
            end
    end.

%% [{Module, {Prepared, File}}], of which none was loaded meanwhile if that is all that is wanted.
finish_loading(Prepared, EnsureLoaded) ->
    Wanted = [P || {Module, _} = P <- Prepared, not (EnsureLoaded andalso erlang:module_loaded(Module))],
    case [{Module, sticky_directory} || {Module, _} <- Wanted, is_sticky(Module)] of
        [] -> finish(Wanted);
        Sticky -> {error, Sticky}
    end.

finish(Prepared) ->
    [erlang:module_loaded(Module) andalso purge(Module) || {Module, _} <- Prepared],
    lists:foreach(fun({Module, {{'$prepared', _, Code}, File}}) ->
                          ok = fathom_code:load_binary(Module, File, Code)
                  end, Prepared).

%% Of the parts of a .beam file that say what the code does; `undefined`: it is none.
checksum(Code) ->
    case beam_lib:md5(Code) of
        {ok, {_, Checksum}} -> Checksum;
        _ -> undefined
    end.

%% That of source is of its text.
checksum_of_file(File) ->
    case fathom_code:read(File) of
        {ok, <<"FOR1", _/binary>> = Code} -> checksum(Code);
        {ok, Text} -> erlang:md5(Text);
        error -> erlang:md5(File)
    end.

%% Whoever runs old code is killed, but for who asks. True: somebody was.
purge(Module) ->
    Users = fathom_code:users_of_old(Module) -- [self()],
    lists:foreach(fun(Pid) -> exit(Pid, kill) end, Users),
    drop_old(Module),
    Users =/= [].

soft_purge(Module) ->
    case fathom_code:users_of_old(Module) of
        [] -> drop_old(Module), true;
        _ -> false
    end.

drop_old(Module) ->
    erlang:check_old_code(Module) andalso erlang:purge_module(Module).

is_loaded(Module) ->
    case erlang:module_loaded(Module) of
        true -> {file, loaded_file(Module)};
        false -> false
    end.

loaded_file(Module) ->
    case lists:member(Module, erlang:pre_loaded()) of
        true -> preloaded;
        false -> compiled(fathom_code:loaded(Module), Module)
    end.

%% A module that was read from source is where a build would have put it; one that the program
%% has loaded, where it says.
compiled(File, Module) ->
    IsGiven = File =/= fathom_code:file_of(Module),
    case filename:extension(File) of
        _ when IsGiven -> File;
        ".beam" -> File;
        _ ->
            Found = [App || {_, App} <- fathom_code:applications(),
                            lists:prefix(filename:join(App, "src") ++ "/", filename:absname(File))],
            Name = atom_to_list(Module) ++ ".beam",
            case Found of
                [App | _] -> filename:join([App, "ebin", Name]);
                [] -> filename:join(filename:dirname(filename:absname(File)), Name)
            end
    end.

object_code(Module) ->
    Name = atom_to_list(Module) ++ ".beam",
    case code:where_is_file(Name) of
        non_existing -> error;
        File ->
            case fathom_code:read(File) of
                {ok, Bytes} -> {Module, Bytes, filename:absname(File)};
                error -> error
            end
    end.

is_sticky(Module) ->
    erlang:module_loaded(Module) andalso
        case loaded_file(Module) of
            File when is_list(File) ->
                lists:any(fun(Name) -> lists:prefix(library(Name) ++ "/", File) end,
                          [kernel, stdlib, compiler]);
            _ -> true
        end.

%% ---- The path

path() ->
    case fathom_code:path() of
        default -> ["." | lists:append([ebin(Dir) || {_, Dir} <- fathom_code:applications()])];
        Changed -> Changed
    end.

%% The directory of an application's code; some have it in their own. One that is not there
%% may be seen as a build would leave it.
ebin(Dir) ->
    Ebin = filename:append(Dir, "ebin"),
    case fathom_code:kind(Ebin) =:= directory orelse erl_prim_loader:list_dir(Ebin) of
        error -> [Dir];
        _ -> [Ebin]
    end.

add_path(Where, Dir0) ->
    try filename:join([text(Dir0)]) of
        Dir ->
            case is_directory(Dir) of
                true -> put_path(Where, Dir, path());
                false -> {error, bad_directory}
            end
    catch
        _:_ -> {error, bad_directory}
    end.

put_path(first, Dir, Path) -> changed([Dir | lists:delete(Dir, Path)]);
put_path(last, Dir, Path) ->
    case lists:member(Dir, Path) of
        true -> true;
        false -> changed(Path ++ [Dir])
    end.

changed(Path) ->
    fathom_code:set_path(Path),
    true.

set_path(Dirs) ->
    case lists:all(fun(Dir) -> is_list(Dir) andalso is_directory(Dir) end, Dirs) of
        true -> changed(Dirs);
        false -> {error, bad_directory}
    end.

del_path(Name) ->
    Path = path(),
    case lists:splitwith(fun(Dir) -> Dir =/= Name andalso name_of(Dir) =/= Name end, Path) of
        {_, []} -> false;
        {Before, [_ | After]} -> changed(Before ++ After)
    end.

replace_path(Name, Dir) ->
    case {name_of(Dir), is_directory(Dir)} of
        {Name, true} ->
            case lists:splitwith(fun(Old) -> name_of(Old) =/= Name end, path()) of
                {Path, []} -> changed(Path ++ [Dir]);
                {Before, [_ | After]} -> changed(Before ++ [Dir | After])
            end;
        {Name, false} -> {error, bad_directory};
        _ -> {error, bad_name}
    end.

is_directory(Dir) ->
    case erl_prim_loader:list_dir(Dir) of
        {ok, _} -> true;
        error -> false
    end.

%% ---- Applications

library(Name) ->
    Wanted = text(Name),
    Added = [without_ebin(Dir) || Dir <- changed_path(), name_of(Dir) =:= Wanted],
    case Added ++ [Dir || {App, Dir} <- fathom_code:applications(), App =:= Wanted] of
        [Dir | _] -> Dir;
        [] -> {error, bad_name}
    end.

library(Name, Sub) ->
    case library(Name) of
        {error, _} = Error -> Error;
        Dir -> filename:join(Dir, Sub)
    end.

changed_path() ->
    case fathom_code:path() of
        default -> [];
        Changed -> Changed
    end.

%% The name of the application that has its code there: foo of .../foo-1.2/ebin.
name_of(Dir) ->
    [Name | _] = string:split(filename:basename(without_ebin(Dir)), "-"),
    Name.

without_ebin(Dir) ->
    case filename:basename(Dir) of
        "ebin" -> filename:dirname(Dir);
        _ -> Dir
    end.

text(Name) when is_atom(Name) -> atom_to_list(Name);
text(Name) -> Name.
