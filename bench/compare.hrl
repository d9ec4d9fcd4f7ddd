%% Comparing `fathom run` with erl, which this script runs in, on programs: modules whose
%% main/0 prints nothing and returns a value. Times are seconds of one processor, user and
%% system, the best of RUNS runs: for erl those of the call in a fresh process, for Fathom
%% those of the whole program, from its start, with reading and compiling what it runs.
%% Both must return the same value.

-define(RUNS, 3).
-define(TICKS, 100).  % of the times in /proc, in a second

%% {Name, ratio of the times} of each, with a line of a table.
ratios(Files) ->
    io:format("~-14s ~10s ~10s ~8s~n", ["program", "erl s", "fathom s", "ratio"]),
    [{filename:basename(File, ".erl"), ratio(File)} || File <- Files].

geometric_mean(Ratios) -> math:exp(lists:sum([math:log(R) || R <- Ratios]) / length(Ratios)).

is_wanted(_, []) -> true;
is_wanted(File, Words) -> lists:any(fun(W) -> string:find(File, W) =/= nomatch end, Words).

ratio(File) ->
    Module = list_to_atom(filename:basename(File, ".erl")),
    {ok, Module, Code} = compile:file(File, [binary, report]),
    {module, Module} = code:load_binary(Module, File, Code),
    {Erl, Expected} = erl(Module),
    {Fathom, Value} = fathom([File], io_lib:format("erlang:phash2(~s:main())", [Module]), processor,
                             ?RUNS),
    io:format("~-14s ~10.3f ~10.3f ~8.2f~n", [Module, Erl, Fathom, Fathom / Erl]),
    Value =:= integer_to_list(Expected) orelse error({different_values, Module, Expected, Value}),
    Fathom / Erl.

erl(Module) ->
    lists:min([erl_once(Module) || _ <- lists:seq(1, ?RUNS)]).

erl_once(Module) ->
    Self = self(),
    spawn_link(fun() ->
        Before = processor_seconds(),
        Value = Module:main(),
        Self ! {processor_seconds() - Before, erlang:phash2(Value)}
    end),
    receive {_, _} = Timed -> Timed end.

%% Of this process of the operating system: fields 14 and 15, in ticks.
processor_seconds() ->
    {ok, Text} = file:read_file("/proc/self/stat"),
    [_, Behind] = string:split(Text, ") "),
    Fields = string:lexemes(Behind, " "),
    (binary_to_integer(lists:nth(12, Fields)) + binary_to_integer(lists:nth(13, Fields))) / ?TICKS.

%% What it printed, and the least time, by the clock or of the processor.
fathom(Files, Expression, Which, Runs) ->
    lists:min([fathom_once(Files, Expression, Which) || _ <- lists:seq(1, Runs)]).

fathom_once(Files, Expression, Which) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Script = "TIMEFORMAT='%R %U %S'; time \"$@\"",
    Port = open_port({spawn_executable, os:find_executable("bash")},
                     [exit_status, {line, 1000}, stderr_to_stdout,
                      {args, ["-c", Script, "bash", Fathom, "run", "-e", Expression | Files]}]),
    {Printed, [Times]} = lists:split(1, lines(Port)),
    [Real, User, System] = [list_to_float(T) || T <- string:lexemes(Times, " ")],
    {case Which of wall -> Real; processor -> User + System end, hd(Printed)}.

lines(Port) ->
    receive
        {Port, {data, {_, Line}}} -> [Line | lines(Port)];
        {Port, {exit_status, _}} -> []
    end.
