-module(calendar1).
-export([main/2]).

-record(date, {day, month, year}).
-record(event, {title, starts, ends, tags = []}).

main(Text, Extra) ->
    Start = parse(Text),
    End = later(Start, Extra),
    Event = #event{title = "Fair", starts = Start, ends = End, tags = [fair, Extra]},
    Shown = show(Event),
    Year = (Event#event.ends)#date.year,
    Length = Extra + 1,
    {Shown, Year, Length}.

parse(Text) ->
    [D, M, Y] = string:split(Text, "-", all),
    #date{day = list_to_integer(D), month = month(M), year = list_to_integer(Y)}.

month("jan") -> 1;
month("feb") -> 2;
month("dec") -> 12;
month(M) -> list_to_integer(M).

later(#date{day = D} = Date, Days) when D + Days =< 30 ->
    Date#date{day = D + Days};
later(#date{day = D, month = 12, year = Y} = Date, Days) ->
    Date#date{day = D + Days - 30, month = 1, year = Y + 1};
later(#date{day = D, month = M} = Date, Days) ->
    Date#date{day = D + Days - 30, month = M + 1}.

show(#event{title = T, starts = S, tags = Tags}) ->
    T ++ " " ++ day(S) ++ lists:flatten([atom_to_list(Tag) || Tag <- Tags, is_atom(Tag)]).

day(#date{day = D, month = M}) -> integer_to_list(D) ++ "." ++ integer_to_list(M).
