#!/usr/bin/env escript
%%! +S 1
%% Reading all of the installed OTP's sources: `fathom parse` against
%% epp:parse_file/2, the same files and include path, each on one core. Fathom's
%% time is that of the whole process, start to end, the best of five; epp's that of
%% its calls.
-mode(compile).
-include("../tests/differential/fathom_port.hrl").

main(_) ->
    Dirs = otp_include_dirs(),
    Files = otp_sources(),
    Bytes = lists:sum([filelib:file_size(F) || F <- Files]),
    {Fathom, Stats} = lists:min([fathom(Dirs, Files) || _ <- lists:seq(1, 5)]),
    Epp = seconds(fun() -> [epp(F, Dirs) || F <- Files] end),
    io:format("reading ~w files, ~.1f MB, one core~n", [length(Files), Bytes / 1.0e6]),
    io:format("  epp:parse_file  ~7.2f s  ~6.1f MB/s~n", [Epp, Bytes / 1.0e6 / Epp]),
    io:format("  fathom parse    ~7.2f s  ~6.1f MB/s  ~ts MB peak~n",
              [Fathom, Bytes / 1.0e6 / Fathom, proplists:get_value("peak MB", Stats)]),
    io:format("  ratio           ~7.1f~n", [Epp / Fathom]).

epp(File, Dirs) ->
    {ok, Forms} = epp:parse_file(File, [{location, {1, 1}}, {includes, Dirs}]),
    length(Forms).

fathom(Dirs, Files) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Args = ["parse", "--quiet", "--stats", "--no-project" | include_args(Dirs)] ++ Files,
    Self = self(),
    Seconds = seconds(fun() ->
        Port = open_port({spawn_executable, Fathom},
                         [exit_status, {line, 200}, stderr_to_stdout, {args, Args}]),
        Self ! {lines, lines(Port)}
    end),
    Stats = receive {lines, Lines} -> [pair(L) || L <- Lines] end,
    {Seconds, Stats}.

lines(Port) ->
    receive
        {Port, {data, {_, Line}}} -> [Line | lines(Port)];
        {Port, {exit_status, _}} -> []
    end.

pair(Line) ->
    case string:split(Line, "  ") of
        [Key, Value] -> {Key, string:trim(Value)};
        _ -> {Line, ""}
    end.

seconds(Fun) ->
    T0 = erlang:monotonic_time(),
    Fun(),
    erlang:convert_time_unit(erlang:monotonic_time() - T0, native, microsecond) / 1.0e6.
