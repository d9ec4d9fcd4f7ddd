-module(records).
-record(r, {a, b = 1, c :: t(), d = [] :: [integer()] | undefined, 'E e'}).
-record(empty, {}).
-record r2, {x}.
new() -> #r{a = 1, _ = 2}.
get(R) -> {R#r.a, R#r.b, #r.c, (f(R))#r.d, R#r.'E e'}.
set(R) -> R#r{a = 1, b = 2}#r{c = 3}#r.d.
match(#r{a = A, b = #empty{}} = R) when R#r.a =:= A, is_record(R, r) -> #{}#{a => 1}.
