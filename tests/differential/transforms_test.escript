#!/usr/bin/env escript
%%! +S 2
%% Parse transforms, run by Fathom's machine and by OTP's compiler: the forms that come
%% out must be the same, with all places. The modules are those of OTP that name a
%% transform themselves (ms_transform, eunit_autoexport, qlc, diameter_exprecs), and
%% modules of stdlib that are given one of the transforms below, which read and rebuild
%% everything.
%%
%%   transforms_test.escript [WORD...]   modules whose path contains a WORD
-mode(compile).
-include("fathom_port.hrl").

main(Words) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_transforms." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    ok = compile_transforms(Dir),
    true = code:add_patha(Dir),
    Files = [F || F <- users_of_transforms() ++ given_transforms(Dir), wanted(F, Words)],
    Includes = otp_include_dirs(),
    Results = [check(F, Dir, Includes) || F <- Files],
    os:cmd("rm -r " ++ Dir),
    summary(length([1 || true <- Results]), length([1 || false <- Results])).

wanted(File, Words) -> Words =:= [] orelse lists:any(fun(W) -> string:find(File, W) =/= nomatch end, Words).

users_of_transforms() ->
    [F || F <- otp_sources(), {ok, Text} <- [file:read_file(F)],
          re:run(Text, "ms_transform\\.hrl|eunit\\.hrl|qlc\\.hrl|^-compile.*parse_transform", [multiline]) =/= nomatch].

check(File, Dir, Includes) ->
    case otp_forms(File, Dir, Includes) of
        refused ->  % a header that is not installed, say
            skipped;
        Expected ->
            Got = fold_fathom(["--no-project", "--transforms", "always", "-pa", Dir] ++ include_args(Includes) ++ [File],
                              fun(_, Forms, _) -> Forms end, none),
            Got =:= Expected orelse begin print_difference(File, Expected, Got), false end
    end.

otp_forms(File, Dir, Includes) ->
    case compile:file(File, [binary, 'P', {outdir, Dir}, no_error_module_mismatch | [{i, I} || I <- Includes]]) of
        {ok, _, Forms} -> Forms;
        error -> refused
    end.

%% --- transforms of our own

compile_transforms(Dir) ->
    lists:foreach(
      fun({Name, Body}) ->
              File = filename:join(Dir, Name ++ ".erl"),
              ok = file:write_file(File, ["-module(", Name, ").\n-export([parse_transform/2]).\n", Body]),
              {ok, _} = compile:file(File, [debug_info, {outdir, Dir}]),
              ok = file:delete(File)
      end, transforms()).

transforms() ->
    [{"generated",  % every place is marked
      "parse_transform(Forms, _) -> [mark(F) || F <- Forms].\n"
      "mark({eof, _} = F) -> F;\n"
      "mark(F) -> erl_parse:map_anno(fun(A) -> erl_anno:set_generated(true, A) end, F).\n"},
     {"elsewhere",  % all of a form is on one line
      "parse_transform(Forms, _) -> [move(F) || F <- Forms].\n"
      "move({eof, _} = F) -> F;\n"
      "move({attribute, _, file, _} = F) -> F;\n"
      "move(F) -> erl_parse:map_anno(fun(_) -> erl_anno:new(element(1, element(2, F))) end, F).\n"},
     {"syntax",  % through the trees of syntax_tools
      "parse_transform(Forms, _) -> [tree(F) || F <- Forms].\n"
      "tree({function, _, _, _, _} = F) ->\n"
      "    erl_syntax:revert(erl_syntax_lib:map(fun(T) -> erl_syntax:revert(T) end, F));\n"
      "tree(F) -> F.\n"},
     {"shuffled",  % functions come in another order, and twice as many
      "parse_transform(Forms, _) ->\n"
      "    Functions = [F || {function, _, _, _, _} = F <- Forms],\n"
      "    Copies = [setelement(3, F, list_to_atom(\"copy of \" ++ atom_to_list(element(3, F)))) || F <- Functions],\n"
      "    {eof, _} = Eof = lists:last(Forms),\n"
      "    (lists:droplast(Forms) -- Functions) ++ lists:reverse(Functions) ++ Copies ++ [Eof].\n"}].

given_transforms(Dir) ->
    Stdlib = [F || F <- otp_sources(), string:find(F, "/stdlib-") =/= nomatch,
                   lists:member(filename:basename(F), ["array.erl", "base64.erl", "calendar.erl", "digraph.erl", "erl_scan.erl",
                                                       "filename.erl", "gb_trees.erl", "gen_server.erl", "io_lib.erl", "lists.erl",
                                                       "maps.erl", "orddict.erl", "proplists.erl", "queue.erl", "string.erl",
                                                       "supervisor.erl", "uri_string.erl"])],
    [given(Dir, Name, F) || {Name, _} <- transforms(), F <- Stdlib].

%% The module with a -compile attribute behind its -module.
given(Dir, Transform, File) ->
    Copy = filename:join([Dir, Transform, filename:basename(File)]),
    ok = filelib:ensure_dir(Copy),
    {ok, Text} = file:read_file(File),
    Added = re:replace(Text, "^-module\\(.*\\)\\.$", ["& -compile({parse_transform, ", Transform, "})."], [multiline, unicode]),
    ok = file:write_file(Copy, Added),
    Copy.
