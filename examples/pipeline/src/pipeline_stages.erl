%% The stages of one pipeline, in the order in which items pass. When one crashes, what it
%% and those behind it held is lost; they begin anew and ask again.
-module(pipeline_stages).
-behaviour(supervisor).

-export([start_link/1]).
-export([init/1]).

start_link(Stages) -> supervisor:start_link(?MODULE, Stages).

init(Stages) ->
    Numbered = lists:zip(lists:seq(1, length(Stages)), Stages),
    {ok, {#{strategy => rest_for_one, intensity => 3, period => 10, auto_shutdown => all_significant},
          [#{id => N, start => {pipeline_stage, start_link, [Stage#{supervisor => self(), number => N}]},
             restart => transient, significant => true}
           || {N, Stage} <- Numbered]}}.
