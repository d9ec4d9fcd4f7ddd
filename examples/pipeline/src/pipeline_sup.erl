%% The pipelines, each a supervisor of its own, which are started and end as they like.
-module(pipeline_sup).
-behaviour(supervisor).

-export([start_link/0, start_pipeline/1]).
-export([init/1]).

start_link() -> supervisor:start_link({local, ?MODULE}, ?MODULE, []).

start_pipeline(Stages) -> supervisor:start_child(?MODULE, [Stages]).

init([]) ->
    {ok, {#{strategy => simple_one_for_one},
          [#{id => pipeline, start => {pipeline_stages, start_link, []},
             restart => temporary, type => supervisor}]}}.
