%% The results in a suite.log of ct_run: [{Suite, Case, ok | failed | skipped | auto_skipped}].
%% Suites whose cases are not known have no entry of their own name.
-spec ct_cases(file:name()) -> [{string(), string(), atom()}].
ct_cases(File) ->
    {ok, Text} = file:read_file(File),
    ct_cases(string:split(Text, "\n", all), none).

ct_cases([<<"=case ", Name/binary>> | Rest], _) ->
    [Suite, Case] = string:split(string:trim(Name), ":"),
    ct_cases(Rest, {binary_to_list(Suite), binary_to_list(Case)});
ct_cases([<<"=result ", Result/binary>> | Rest], {Suite, Case}) ->
    Conf = ["init_per_suite", "end_per_suite", "init_per_group", "end_per_group"],
    Own = [{Suite, Case, ct_result(string:trim(Result))} || not lists:member(Case, Conf),
                                                            Suite =/= "ct_framework"],
    Own ++ ct_cases(Rest, none);
ct_cases([_ | Rest], Case) -> ct_cases(Rest, Case);
ct_cases([], _) -> [].

ct_result(<<"ok", _/binary>>) -> ok;
ct_result(<<"failed", _/binary>>) -> failed;
ct_result(<<"skipped", _/binary>>) -> skipped;
ct_result(<<"auto_skipped", _/binary>>) -> auto_skipped.
