%% For ../bad-header.erl.

half(N) when N rem 2 =:= 0 -> N div 2;
half(N) -> error({odd, N}).
