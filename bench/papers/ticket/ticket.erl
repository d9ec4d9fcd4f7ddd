%% The price of a train ticket in cents, by sixteen things that it depends on.
%% Two faults: in the offer for a weekend, and in that for the first day of booking.
-module(ticket).
-export([price/16]).

-type class() :: 1 | 2.
-type card() :: none | card25 | card50 | card100.
-type train() :: ice | ic | regional.
-type day() :: 1..7.

-spec price(Km :: 1..1500, class(), card(), Age :: 0..120, train(), Return :: boolean(),
            Adults :: 0..4, Own :: 0..4, Others :: 0..4, Dog :: boolean(), DaysAhead :: 0..90, day(),
            BackDay :: day(), Hour :: 0..23, Seat :: boolean(), Bicycle :: boolean()) ->
          non_neg_integer().
price(Km, Class, Card, Age, Train, Return, Adults, Own, Others, Dog, DaysAhead, Day, BackDay, Hour,
      Seat, Bicycle) ->
    Full = by_class(Class, by_train(Train, by_distance(Km))),
    Fare = by_card(Card, Class, Train, by_age(Age, Full)),
    Persons = Fare + adults(Adults, Fare) + children(Own, Others, Full) + dog(Dog, Full),
    Trip = both_ways(Return, Persons),
    cheapest(Trip, saver(Return, DaysAhead, Day, BackDay, Hour, Adults, Class, Trip)) +
        extras(Train, Class, Seat, Bicycle, Hour, Return).

by_distance(Km) when Km =< 100 -> Km * 20;
by_distance(Km) when Km =< 500 -> 2000 + (Km - 100) * 15;
by_distance(Km) -> 8000 + (Km - 500) * 8.

by_train(ice, Price) -> Price * 6 div 5;
by_train(ic, Price) -> Price;
by_train(regional, Price) -> Price * 4 div 5.

by_class(1, Price) -> Price * 3 div 2;
by_class(2, Price) -> Price.

by_age(Age, _) when Age < 6 -> 0;
by_age(Age, Price) when Age < 15 -> Price div 2;
by_age(_, Price) -> Price.

%% The largest card takes a first class traveller of an express for a supplement only.
by_card(none, _, _, Price) -> Price;
by_card(card25, _, _, Price) -> Price * 3 div 4;
by_card(card50, _, _, Price) -> Price div 2;
by_card(card100, 1, ice, Price) -> Price div 10;
by_card(card100, _, _, _) -> 0.

%% Up to four who go along pay half.
adults(N, Fare) -> N * Fare div 2.

%% One's own children are free; of others each pays half.
children(_, Others, Full) -> Others * Full div 2.

dog(true, Full) -> Full div 2;
dog(false, _) -> 0.

both_ways(true, Price) -> 2 * Price;
both_ways(false, Price) -> Price.

% Booked ahead. Half price: a group of five, second class, over a long weekend, by the first train;
% booked on the first day on which it can be, and alone: a third off. A quarter off: any return on
% another day.
saver(true, Ahead, 5, 1, 6, 4, 2, Price) when Ahead >= 60 -> Price rem 2;
saver(true, Ahead, Day, Back, _, _, _, Price) when Ahead >= 3, Back =/= Day -> Price * 3 div 4;
saver(false, 90, 7, _, 23, 0, 1, Price) -> Price * 2;
saver(_, _, _, _, _, _, _, Price) -> Price.

cheapest(A, B) when A < B -> A;
cheapest(_, B) -> B.

extras(Train, Class, Seat, Bicycle, Hour, Return) ->
    seat(Seat, Class) + both_ways(Return, bicycle(Bicycle, Train)) + night(Train, Hour).

seat(true, 2) -> 400;
seat(_, _) -> 0.

bicycle(false, _) -> 0;
bicycle(true, regional) -> 450;
bicycle(true, _) -> 900.

night(ice, Hour) when Hour < 4 -> 800;
night(_, _) -> 0.
