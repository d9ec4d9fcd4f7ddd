#!/usr/bin/env escript
%%! +S 2
%% Every .beam file of the installed OTP that has debug info:
%% 1. the forms that Fathom reads from it equal those that beam_lib reads;
%% 2. where its source lies in ../src, the forms that Fathom reads from the source
%%    equal those of the debug info, after what the compiler does to forms before it
%%    saves them: it runs the module's parse transforms, with the options that the
%%    .beam file names. -file attributes are left out: they name headers by the
%%    paths of the machine where OTP was built. A module one of whose headers is not
%%    installed, so that epp cannot read it either, is counted apart.
-mode(compile).
-include("fathom_port.hrl").

main(_) ->
    Beams = otp_beams(),
    {Passed1, Failed1, Without} = fold_fathom(Beams, fun debug_info/3, {0, 0, 0}),
    io:format("~w OTP .beam files: the forms of ~w equal their debug info, ~w differ, "
              "~w have none~n", [length(Beams), Passed1, Failed1, Without]),
    Dirs = otp_include_dirs(),
    Results = [from_source(Pair, Dirs) || Pair <- pairs(Beams)],
    Count = fun(R) -> length([1 || R1 <- Results, R1 =:= R]) end,
    io:format("~w of them have sources beside them: ~w read the same from source, ~w differ, "
              "~w lack a header~n",
              [length(Results), Count(same), Count(different), Count(lacks_header)]),
    summary(Passed1 + Count(same), Failed1 + Count(different)).

debug_info(Path, Forms, {Passed, Failed, Without}) ->
    case debug_forms(Path) of
        none -> {Passed, Failed, Without + 1};
        Forms -> {Passed + 1, Failed, Without};
        Expected ->
            print_difference(Path, Expected, Forms),
            {Passed, Failed + 1, Without}
    end.

debug_forms(Path) ->
    case beam_lib:chunks(Path, [debug_info]) of
        {ok, {_, [{debug_info, {debug_info_v1, erl_abstract_code, {Forms, _}}}]}}
          when Forms =/= none -> Forms;
        _ -> none
    end.

pairs(Beams) ->
    [{Beam, Source} || Beam <- Beams,
                       debug_forms(Beam) =/= none,
                       Source <- source_of(Beam)].

source_of(Beam) ->
    App = filename:dirname(filename:dirname(Beam)),
    Name = filename:basename(Beam, ".beam") ++ ".erl",
    filelib:wildcard(filename:join([App, "src", "**", Name])).

from_source({Beam, Source}, Dirs) ->
    {ok, {_, [{compile_info, Info}]}} = beam_lib:chunks(Beam, [compile_info]),
    Options = proplists:get_value(options, Info, []),
    DebugForms = debug_forms(Beam),
    {Dir, Name} = as_compiled(Source, DebugForms),
    Includes = [filename:absname(I, Dir) || {i, I} <- Options] ++ Dirs,
    Args = ["--no-project"] ++ include_args(Includes) ++ macro_args(Options) ++ [Name],
    Forms = fold_fathom(Dir, Args, fun(_, F, _) -> F end, []),
    case [1 || {error, _} <- Forms] =/= [] andalso lacks_header(Source, Includes) of
        true -> lacks_header;
        false ->
            Got = without_files(transformed(Forms, Options)),
            Expected = without_files(DebugForms),
            case Got =:= Expected of
                true -> same;
                false ->
                    print_difference(Source, Expected, Got),
                    different
            end
    end.

%% The directory in which the compiler ran, and what it called the source there:
%% ?FILE is that name.
as_compiled(Source, [{attribute, _, file, {Name, _}} | _]) ->
    case lists:suffix("/" ++ Name, Source) of
        true -> {lists:sublist(Source, length(Source) - length(Name) - 1), Name};
        false -> {filename:dirname(Source), filename:basename(Source)}
    end.

lacks_header(Source, Includes) ->
    {ok, Forms} = epp:parse_file(Source, [{includes, Includes}]),
    [1 || {error, {_, epp, {include, _, _}}} <- Forms] =/= [].

macro_args(Options) ->
    lists:append([["-D", macro(D)] || D <- Options, element(1, D) =:= d]).

macro({d, Name}) -> atom_to_list(Name);
macro({d, Name, Value}) -> lists:flatten(io_lib:format("~ts=~0tp", [Name, Value])).

without_files(Forms) -> [F || F <- Forms, not is_file_attribute(F)].

is_file_attribute({attribute, _, file, _}) -> true;
is_file_attribute(_) -> false.

%% What compile does: transforms of the options first, then of the module.
transformed(Forms, Options) ->
    Own = lists:append([compile_options(Value) || {attribute, _, compile, Value} <- Forms]),
    Transforms = [M || {parse_transform, M} <- Options ++ Own],
    Clean = case Transforms of
                [] -> Forms;
                _ -> lists:append([clean(F) || F <- Forms])
            end,
    lists:foldl(fun(M, Fs) -> M:parse_transform(Fs, Options) end, Clean, Transforms).

compile_options(List) when is_list(List) -> List;
compile_options(Option) -> [Option].

clean({attribute, A, compile, {parse_transform, _}}) when is_tuple(A) -> [];
clean({attribute, A, compile, List}) when is_list(List) ->
    [{attribute, A, compile, [O || O <- List, not is_transform(O)]}];
clean(Form) -> [Form].

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.
