-module(request).
-export([t/1]).

t(X) ->
    Client = self(),
    Worker = spawn(fun() -> worker() end),
    Front = spawn(fun() -> front(Worker) end),
    Front ! {request, Client, {mul, X, 10}, <<"trace">>},
    Extra = [X, X],
    receive
        {reply, Answer} when Answer > 0 -> {Answer, length(Extra)};
        {reply, Answer} -> error({bad_answer, Answer})
    end.

front(Worker) ->
    receive
        {request, From, Job, _Trace} ->
            Worker ! {job, From, Job}
    end.

worker() ->
    receive
        {job, From, {mul, A, B}} -> Product = A * B, From ! {reply, Product};
        {job, From, {add, A, B}} -> From ! {reply, A + B}
    end.
