%% Records: a bank's accounts, updated and matched.
-module(records).
-export([main/0]).

-record(account, {id, owner, kind = current, balance = 0, limit = 100, log = []}).
-record(transfer, {from, to, amount}).
-record(deposit, {to, amount}).
-record(withdrawal, {from, amount}).
-record(fee, {kind, amount}).

main() ->
    Accounts = [#account{id = I, owner = {person, I}, kind = kind(I)} || I <- lists:seq(1, 24)],
    Final = work(300000, 5, Accounts),
    {lists:sum([A#account.balance || A <- Final]),
     lists:sum([length(A#account.log) || A <- Final]),
     length([A || #account{kind = savings, balance = B} = A <- Final, B > 0])}.

kind(I) when I rem 3 =:= 0 -> savings;
kind(_) -> current.

work(0, _, Accounts) -> Accounts;
work(N, Seed, Accounts) ->
    Next = (Seed * 1103515245 + 12345) band 16#7FFFFFFF,
    work(N - 1, Next, [apply_to(Event, A) || A <- Accounts, Event <- [event(Next bsr 7)]]).

event(N) ->
    case N rem 5 of
        0 -> #transfer{from = N rem 24 + 1, to = N rem 23 + 1, amount = N rem 100};
        1 -> #fee{kind = current, amount = 1};
        2 -> #withdrawal{from = N rem 24 + 1, amount = N rem 50};
        _ -> #deposit{to = N rem 24 + 1, amount = N rem 70}
    end.

apply_to(#transfer{from = Id, amount = N}, #account{id = Id} = A) -> take(N, A);
apply_to(#transfer{to = Id, amount = N}, #account{id = Id} = A) -> give(N, A);
apply_to(#deposit{to = Id, amount = N}, #account{id = Id} = A) -> give(N, A);
apply_to(#withdrawal{from = Id, amount = N}, #account{id = Id} = A) -> take(N, A);
apply_to(#fee{kind = K, amount = N}, #account{kind = K, balance = B} = A) when B > N ->
    A#account{balance = B - N};
apply_to(_, A) -> A.

give(N, #account{balance = B, log = Log} = A) ->
    A#account{balance = B + N, log = lists:sublist([{give, N} | Log], 5)}.

take(N, #account{balance = B, limit = L} = A) when B + L >= N -> A#account{balance = B - N};
take(N, #account{log = Log} = A) -> A#account{log = lists:sublist([{refused, N} | Log], 5)}.
