%% Inputs are as the spec says, proofs are of what the spec allows, and exceptions have their class.
%% RUN: fathom gen --no-project --errors --time-limit 30 %s; true
-module(specs).
-export([g/1,h/1,u2/1,d/1,b/1,n/1,i/1,r/1,q/1,f/1,f2/1,e/1,a/2,k/1,unk/1,rec/1,fn/1,two/2,js/1,st/1]).
-record(r, {a :: a | b, n = 1 :: integer()}).
-spec g(1..9) -> small.
g(X) when X > 5 ->
    throw(big);
g(_) -> small.
-spec h(maybe_improper_list(1,2)) -> ok.
h([1|2]) -> imp; h([1]) -> l; h([]) -> e; h(_) -> o.
-spec u2(maybe_improper_list(1..2,a)) -> any().
u2(X) -> length(X).
-spec d(calendar:date()) -> any().
d({_,_,_}) -> ok.
-spec b(<<_:16, _:_*8>>) -> any().
b(<<_, _, _/binary>>) -> ok.
-spec n(nonempty_binary()) -> any().
n(<<_, _/binary>>) -> ok.
-spec i(nonempty_improper_list(1,2)) -> any().
i([1|2]) -> ok; i([_|_]) -> more; i(X) -> X.
-spec r(1 bsl 3 .. (16#F band 12)) -> any().
r(13) -> error(x); r(_) -> ok.
-spec q(queue:queue()) -> any().
q({A, B}) when is_list(A), is_list(B) -> ok.
f(F) -> try F(1) catch throw:_ -> thrown end.
f2(F) -> F(1).
-spec e({a,b,c,1..2}) -> 1..2.
e(T) -> element(4,T).
-spec a(a|b, b|c) -> any().
a(X,X) -> same; a(_,_) -> other.
-spec k(tuple()) -> any().
k({}) -> a; k({_,_,_}) -> b; k(_) -> c.
-spec unk(no_such:type()) -> any().
unk({x, _}) -> ok.
-spec rec(#r{a :: a}) -> any().
rec(#r{a = a}) -> ok; rec(#r{a = b}) -> bad.
-spec fn(file:filename()) -> any().
fn([$a | _]) -> a; fn(X) when is_binary(X) -> bin; fn([]) -> e; fn(L) when is_list(L) -> l.
two(A, B) when is_binary(A), byte_size(A) > 2 -> {A, B}; two(_, _) -> no.
-type js() :: null | number() | binary() | [js()] | #{binary() => js()}.
-spec js(js()) -> any().
js(null) -> n; js(L) when is_list(L) -> [js(X) || X <- L]; js(M) when is_map(M) -> maps:map(fun(_, V) -> js(V) end, M); js(B) when is_binary(B) -> b; js(F) when is_float(F) -> f; js(I) when is_integer(I) -> i; js(_) -> other.
st(1) -> put(k, 1), self() ! hello, ok; st(2) -> receive hello -> got after 0 -> {none, get(k)} end; st(3) -> spawn_link(fun() -> exit(boom) end), timer:sleep(50), ok; st(4) -> exit(self(), kill), timer:sleep(5), ok; st(_) -> x.
%% EXIT: 2
