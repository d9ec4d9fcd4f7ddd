#!/usr/bin/env escript
%% How fast interleavings are explored (bench/check/readers.erl): events and interleavings for
%% each second; what a long set-up costs each interleaving; whether memory grows with their
%% number. The goals: a million events and 100,000 interleavings for each second; a set-up of
%% 20,000 events makes an interleaving at most a quarter slower; eight times as many
%% interleavings take at most a quarter more memory. BENCH_READERS=23 makes it 8 million.
-mode(compile).

%% The largest resident set, as the kernel counts it, is what was last seen of it.
-define(SCRIPT, "bash -c '~ts check bench/check/readers.erl -t \"~ts\" --allow-leftover --format json & pid=$!; "
                "while read -r _ most _ < <(grep VmHWM /proc/$pid/status 2>/dev/null); do last=$most; sleep 0.01; done; "
                "wait $pid; echo kilobytes: $last'").

main(_) ->
    Few = list_to_integer(os:getenv("BENCH_READERS", "17")) - 3,
    Speed = told("readers", check("readers(~w)", [Few + 3])),
    told("readers that are awaited", check("awaited(~w)", [Few + 3])),
    told("readers of a term", check("terms(~w)", [Few + 3])),
    told("messages", check("messages(~w)", [8])),
    Short = check("set_up(~w, ~w)", [20, Few]),
    Long = check("set_up(~w, ~w)", [20000, Few]),
    One = check("set_up(~w, ~w)", [20000, 0]),
    Slower = (maps:get(seconds, Long) - maps:get(seconds, One)) / maps:get(seconds, Short),
    io:format("set-up of 20,000 events instead of 20: ~.2f times as long for each interleaving~n",
              [Slower]),
    Less = check("readers(~w)", [Few]),
    Growth = maps:get(kilobytes, Speed) / maps:get(kilobytes, Less),
    io:format("memory: ~w MB for ~w interleavings, ~w MB for ~w: ~.2f times as much~n",
              [maps:get(kilobytes, Less) div 1024, maps:get(interleavings, Less),
               maps:get(kilobytes, Speed) div 1024, maps:get(interleavings, Speed), Growth]),
    Reached = rate(events, Speed) >= 1000000 andalso rate(interleavings, Speed) >= 100000
        andalso Slower =< 1.25 andalso Growth =< 1.25,
    halt(case Reached of true -> 0; false -> 1 end).

told(Name, Result) ->
    io:format("~ts: ~w interleavings, ~w events in ~.2f s: ~w interleavings/s, ~w events/s~n",
              [Name, maps:get(interleavings, Result), maps:get(events, Result),
               maps:get(seconds, Result), rate(interleavings, Result), rate(events, Result)]),
    Result.

rate(What, Result) -> round(maps:get(What, Result) / maps:get(seconds, Result)).

%% What a check says of itself, and the most memory that it has had.
check(Format, Arguments) ->
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Call = "readers:" ++ lists:flatten(io_lib:format(Format, Arguments)),
    Output = os:cmd(lists:flatten(io_lib:format(?SCRIPT, [Fathom, Call]))),
    {match, _} = re:run(Output, "\"verdict\": \"clean\""),
    #{interleavings => list_to_integer(field(Output, "\"interleavings\": ([0-9]+)")),
      events => list_to_integer(field(Output, "\"events\": ([0-9]+)")),
      seconds => number(field(Output, "\"seconds\": ([0-9.e-]+)")),
      kilobytes => list_to_integer(field(Output, "kilobytes: ([0-9]+)"))}.

field(Text, Pattern) ->
    {match, [Value]} = re:run(Text, Pattern, [{capture, all_but_first, list}]),
    Value.

number(Text) ->
    case string:to_float(Text) of
        {error, _} -> float(list_to_integer(Text));
        {Number, _} -> Number
    end.
