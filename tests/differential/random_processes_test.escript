#!/usr/bin/env escript
%%! +S 2 -kernel logger_level none
%% Random concurrent programs (random_processes.hrl) in OTP, many times each, with random pauses,
%% beside all that `fathom check` finds that they can do: every outcome that OTP shows must be among
%% those of some interleaving.
%%
%% A program with an outcome that the check does not have is cut down and printed with it.
%%
%%   random_processes_test.escript [SEED...]  these programs, else the first COUNT (96) from
%%                                            SEED (1) on; with SECONDS=n as many as there is time
%%                                            for; ROUNDS=200 in OTP; SHRINK=0: no cutting down;
%%                                            CHECK_OPTIONS="--delivery any"
%%
%% Programs that the check does not finish in time are not compared, and counted.
-mode(compile).
-include("fathom_port.hrl").
-include("json.hrl").
-include("random_processes.hrl").

-define(BATCH, 96).
-define(SLOTS, 12).
-record(counts, {passed = 0, failed = 0, left = 0, outcomes = 0, possible = 0, runs = 0}).

main(Arguments) ->
    Dir = filename:join(os:getenv("TMPDIR", "/tmp"), "fathom_random_processes." ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Dir, "x")),
    Counts = case Arguments of
                 [] -> check_from(Dir, setting("SEED", 1), setting("COUNT", 96), deadline(), #counts{});
                 Seeds -> check(Dir, [list_to_integer(S) || S <- Seeds], #counts{})
             end,
    _ = [file:delete(F) || F <- filelib:wildcard(filename:join(Dir, "*"))],
    file:del_dir(Dir),
    #counts{passed = Passed, failed = Failed, left = Left, outcomes = Outcomes, possible = Possible, runs = Runs} = Counts,
    io:format("~w runs in OTP, with ~w outcomes of ~w; ~w programs not compared: the check takes too long~n", [Runs, Outcomes, Possible, Left]),
    summary(Passed, Failed).

setting(Name, Default) -> list_to_integer(os:getenv(Name, integer_to_list(Default))).

deadline() ->
    case os:getenv("SECONDS") of
        false -> none;
        Seconds -> erlang:monotonic_time(second) + list_to_integer(Seconds)
    end.

%% With a deadline it alone counts.
check_from(_, _, 0, none, Counts) -> Counts;
check_from(Dir, Seed, Count, Deadline, Counts) ->
    case Deadline =/= none andalso erlang:monotonic_time(second) >= Deadline of
        true -> io:format("next SEED=~w~n", [Seed]), Counts;
        false ->
            Size = case Deadline of none -> min(Count, ?BATCH); _ -> ?BATCH end,
            More = check(Dir, lists:seq(Seed, Seed + Size - 1), Counts),
            check_from(Dir, Seed + Size, case Deadline of none -> Count - Size; _ -> 0 end, Deadline, More)
    end.

check(Dir, Seeds, Counts) ->
    Programs = [{Seed, random_processes(Seed)} || Seed <- Seeds],
    Possible = possible(Dir, Programs),
    Seen = seen(Dir, Programs, setting("ROUNDS", 200)),
    lists:foldl(fun(Program, C) -> compare(Dir, Program, Possible, Seen, C) end, Counts, Programs).

compare(Dir, {Seed, _} = Program, Possible, Seen, Counts) ->
    case maps:get(Seed, Possible) of
        unknown -> Counts#counts{left = Counts#counts.left + 1};
        Known ->
            Outcomes = maps:get(Seed, Seen),
            More = Counts#counts{outcomes = Counts#counts.outcomes + length(Outcomes), possible = Counts#counts.possible + length(Known),
                                 runs = Counts#counts.runs + setting("ROUNDS", 200)},
            case Outcomes -- Known of
                [] -> More#counts{passed = More#counts.passed + 1};
                Missing -> report(Dir, Program, Missing), More#counts{failed = More#counts.failed + 1}
            end
    end.

report(Dir, {Seed, Program}, Missing) ->
    Small = case setting("SHRINK", 1) of 0 -> {Program, Missing}; _ -> shrunk(Dir, Seed, Program, Missing) end,
    {Smallest, Outcomes} = Small,
    io:format("SEED=~w: OTP has ~w outcomes that the check does not have~n~ts", [Seed, length(Missing), program_text(Seed, Smallest)]),
    [io:format("    ~0tp~n", [Outcome]) || Outcome <- lists:sublist(Outcomes, 3)].

%% --- what can happen

%% Of each seed the outcomes of all interleavings, or unknown.
possible(Dir, Programs) ->
    File = write(Dir, Programs),
    Fathom = os:getenv("FATHOM", filename:absname("build/fathom")),
    Tests = lists:append([["-t", call(Seed)] || {Seed, _} <- Programs]),
    Port = open_port({spawn_executable, Fathom},
                     [binary, exit_status, {args, ["check", File, "--no-project", "--keep-going", "--first-process-only", "--ignore", "stuck",
                                                   "--format", "json", "--quiet", "--time-limit", os:getenv("CHECK_SECONDS", "5")]
                                                  ++ string:lexemes(os:getenv("CHECK_OPTIONS", ""), " ") ++ Tests}]),
    {_, Output} = port_output(Port, []),
    {Complete, Found} = scanned(Output),
    maps:from_list([{Seed, case lists:member(call(Seed), Complete) of
                               true -> different([Outcome || {Call, Outcome} <- Found, Call =:= call(Seed)]);
                               false -> unknown
                           end} || {Seed, _} <- Programs]).

%% Not by lists:usort/1, for which {1} and {1.0} are the same.
different(Outcomes) -> maps:keys(maps:from_keys(Outcomes, seen)).

call(Seed) -> lists:flatten(io_lib:format("rp:t~w(0)", [Seed])).

%% The tests that were explored completely, and {Test, Outcome} for each error. The document has one
%% member in a line, and is large, for the steps that lead to each error: only the lines that matter
%% are read.
scanned(Output) ->
    scanned(binary:split(Output, <<"\n">>, [global]), none, [], []).

scanned([<<"      \"test\": ", Text/binary>> | Rest], _, Complete, Found) -> scanned(Rest, text_in(Text), Complete, Found);
scanned([<<"      \"complete\": true", _/binary>> | Rest], Test, Complete, Found) -> scanned(Rest, Test, [Test | Complete], Found);
scanned([<<"      \"kind\": \"deadlock\"", _/binary>> | Rest], Test, Complete, Found) -> scanned(Rest, Test, Complete, [{Test, hangs} | Found]);
scanned([<<"      \"reason\": ", Text/binary>> | Rest], Test, Complete, Found) -> scanned(Rest, Test, Complete, [{Test, outcome_in(text_in(Text))} | Found]);
scanned([_ | Rest], Test, Complete, Found) -> scanned(Rest, Test, Complete, Found);
scanned([], _, Complete, Found) -> {Complete, Found}.

text_in(<<"\"", Bytes/binary>>) ->
    {Text, _} = json_text(Bytes, <<>>),
    unicode:characters_to_list(Text).

outcome_in(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text ++ "."),
    case erl_parse:parse_term(Tokens) of
        {ok, {out, _, _} = Outcome} -> Outcome;
        _ -> {other, Text}
    end.

write(Dir, Programs) ->
    File = filename:join(Dir, "rp.erl"),
    ok = file:write_file(File, processes_module("rp", Programs)),
    File.

%% --- what happens in OTP

seen(Dir, Programs, Rounds) ->
    File = write(Dir, Programs),
    {ok, rp, Code} = compile:file(File, [binary, {d, 'OTP'}]),
    code:purge(rp),
    {module, rp} = code:load_binary(rp, File, Code),
    Slots = [spawn_monitor(fun() -> exit([{Seed, outcomes(Seed, Rounds, Slot)} || {Seed, _} <- every(Slot, Programs)]) end)
             || Slot <- lists:seq(1, ?SLOTS)],
    maps:from_list(lists:append([receive {'DOWN', Reference, process, Pid, Outcomes} -> Outcomes end || {Pid, Reference} <- Slots])).

%% Programs wait most of their time, so many of them run at once.
every(Slot, Programs) -> [P || {I, P} <- lists:zip(lists:seq(1, length(Programs)), Programs), I rem ?SLOTS =:= Slot - 1].

outcomes(Seed, Rounds, Slot) ->
    maps:keys(outcomes(list_to_atom("t" ++ integer_to_list(Seed)), Rounds, Slot, 0, #{})).

%% One alone, a few or many at once: each way has its own interleavings. Names are used again when
%% nothing can be left of whoever had them before.
outcomes(_, Rounds, _, Round, Outcomes) when Round >= Rounds -> Outcomes;
outcomes(Function, Rounds, Slot, Round, Outcomes) ->
    Together = min(lists:nth(rand:uniform(4), [1, 3, 12, 40]), Rounds - Round),
    Started = [spawn_monitor(rp, Function, [{Slot, I, Round rem 200}]) || I <- lists:seq(1, Together)],
    Seen = [outcome(Pid, Reference) || {Pid, Reference} <- Started],
    outcomes(Function, Rounds, Slot, Round + Together, maps:merge(Outcomes, maps:from_keys(Seen, seen))).

outcome(Pid, Reference) ->
    receive {'DOWN', Reference, process, Pid, Reason} -> Reason
    after 60000 -> exit(Pid, kill), hangs
    end.

%% --- cutting down

%% Without operations that are not needed for an outcome that the check lacks.
shrunk(Dir, Seed, {Table, Workers} = Program, Missing) ->
    Smaller = [{Table, replaced(W, removed(I, lists:nth(W, Workers)), Workers)}
               || W <- lists:seq(1, length(Workers)), I <- lists:seq(1, length(lists:nth(W, Workers)))],
    case first_missing(Dir, Seed, Smaller) of
        none -> {Program, Missing};
        {Less, Still} -> shrunk(Dir, Seed, Less, Still)
    end.

first_missing(_, _, []) -> none;
first_missing(Dir, Seed, [Program | Rest]) ->
    #{Seed := Known} = possible(Dir, [{Seed, Program}]),
    #{Seed := Seen} = seen(Dir, [{Seed, Program}], max(2000, 2 * setting("ROUNDS", 200))),
    case Known =/= unknown andalso Seen -- Known of
        [_ | _] = Missing -> {Program, Missing};
        _ -> first_missing(Dir, Seed, Rest)
    end.

removed(I, List) -> lists:sublist(List, I - 1) ++ lists:nthtail(I, List).
replaced(I, Item, List) -> lists:sublist(List, I - 1) ++ [Item | lists:nthtail(I, List)].
