%% The syntax of OTP 26 to 28.
%% RUN: fathom parse --format erl --otp-release 28 %s
-module('maybe').
-moduledoc """
  Everything new.
    Indented.
  """.
-nominal meters() :: number().
-doc #{since => "1.0"}.
f(L, M) ->
    maybe
        {ok, A} ?= first(L),
        B = #{K => V || K := V <- M, V > A},
        {A, B, [X || X <:- L], [{X, Y} || X <- L && Y <- L], <<<<X>> || <<X>> <:= <<1, 2>>>>}
    else
        error -> ~b"none\n"
    end.
first([H | _]) -> {ok, H};
first([]) -> ~S(raw\n).
%% OUT: -file("maybe.erl", 1).
%% OUT:
%% OUT: -module('maybe').
%% OUT: -moduledoc("Everything new.\n  Indented.").
%% OUT:
%% OUT: -nominal meters() :: number().
%% OUT:
%% OUT: -doc(#{since => "1.0"}).
%% OUT: f(L, M) ->
%% OUT:     maybe
%% OUT:         {ok, A} ?= first(L),
%% OUT:         B = #{K => V || K := V <- M, V > A},
%% OUT:         {
%% OUT:             A,
%% OUT:             B,
%% OUT:             [X || X <:- L],
%% OUT:             [{X, Y} || X <- L && Y <- L],
%% OUT:             << <<X>> || <<X>> <:= <<1, 2>> >>
%% OUT:         }
%% OUT:     else
%% OUT:         error -> <<"none\n"/utf8>>
%% OUT:     end.
%% OUT:
%% OUT: first([H | _]) ->
%% OUT:     {ok, H};
%% OUT: first([]) -> "raw\\n".
