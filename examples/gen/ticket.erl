%% The price of a ticket, in cents.
-module(ticket).
-export([price/3]).

-spec price(0..120, boolean(), 0..1000) -> non_neg_integer().
price(Age, _, _) when Age < 6 -> 0;
price(Age, true, Km) when Age >= 60, Km =/= 777 -> base(Km) div 2;
price(_, _, Km) -> base(Km).

base(Km) when Km < 50 -> 500;
base(Km) -> 500 + Km * 1000 div (Km - 777).
