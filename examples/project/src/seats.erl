%% The seats of a small theatre: a server owns the table, clients read it themselves.
-module(seats).
-behaviour(gen_server).
-export([start_link/1, stop/0, reserve/2, owner/1]).
-export([init/1, handle_call/3, handle_cast/2]).

start_link(Seats) -> gen_server:start_link({local, seats}, seats, Seats, []).
stop() -> gen_server:stop(seats).

owner(Seat) -> ets:lookup_element(seats, Seat, 2).

reserve(Seat, Name) ->
    case owner(Seat) of
        free -> gen_server:call(seats, {take, Seat, Name});
        _ -> taken
    end.

init(Seats) ->
    seats = ets:new(seats, [named_table]),
    ets:insert(seats, [{Seat, free} || Seat <- Seats]),
    {ok, seats}.

handle_call({take, Seat, Name}, _From, Table) ->
    ets:insert(Table, {Seat, Name}),
    {reply, ok, Table}.

handle_cast(_, Table) -> {noreply, Table}.
