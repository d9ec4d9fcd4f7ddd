%% The callback of a log message is in a map of which nothing is known.
-module(way_reports_in_doubt).
-compile([export_all,nowarn_export_all]).
test() ->
    {ok, Tokens, _} = erl_scan:string("#{report_cb => Callback}."),
    {ok, Expression} = erl_parse:parse_exprs(Tokens),
    {value, Metadata, _} = erl_eval:exprs(Expression, [{'Callback', fun ?MODULE:report/1}]),
    logger:log(notice, #{a => 1}, Metadata).
report(Report) -> {"~p", [Report]}.
