%% Height-balanced search trees (Adelson-Velsky and Landis), as tables: a node holds the difference
%% of the heights of its right and its left subtree. Insertion says whether the tree has grown,
%% deletion whether it has shrunk.
%% The fault: where the left side makes up for the right one, the tree is said to have grown.
-module(avl).
-export([from_keys/1, without/2, empty/0, insert/3, delete/2, find/2, to_list/1]).
-export_type([tree/0]).

-type tree() :: leaf | {node, -1..1, tree(), integer(), term(), tree()}.

%% The keys, inserted one after the other.
-spec from_keys([integer()]) -> tree().
from_keys(Keys) -> from_keys(Keys, empty()).

from_keys([], T) -> T;
from_keys([K | Ks], T) -> from_keys(Ks, insert(K, K, T)).

%% The tree of the keys, and then one of them taken out.
-spec without(integer(), [integer()]) -> tree().
without(K, Keys) -> delete(K, from_keys(Keys)).

empty() -> leaf.

find(_, leaf) -> none;
find(K, {node, _, L, K1, _, _}) when K < K1 -> find(K, L);
find(K, {node, _, _, K1, _, R}) when K > K1 -> find(K, R);
find(_, {node, _, _, _, V, _}) -> {value, V}.

to_list(T) -> to_list(T, []).

to_list(leaf, Rest) -> Rest;
to_list({node, _, L, K, V, R}, Rest) -> to_list(L, [{K, V} | to_list(R, Rest)]).

%% ---- Insertion

insert(K, V, T) ->
    {T1, _} = add(K, V, T),
    T1.

add(K, V, leaf) -> {{node, 0, leaf, K, V, leaf}, true};
add(K, V, {node, B, L, K1, V1, R}) when K < K1 ->
    {L1, Grown} = add(K, V, L),
    left_grown(Grown, B, L1, K1, V1, R);
add(K, V, {node, B, L, K1, V1, R}) when K > K1 ->
    {R1, Grown} = add(K, V, R),
    right_grown(Grown, B, L, K1, V1, R1);
add(K, V, {node, B, L, _, _, R}) -> {{node, B, L, K, V, R}, false}.

left_grown(false, B, L, K, V, R) -> {{node, B, L, K, V, R}, false};
left_grown(true, 1, L, K, V, R) -> {{node, 0, L, K, V, R}, true};
left_grown(true, 0, L, K, V, R) -> {{node, -1, L, K, V, R}, true};
left_grown(true, -1, {node, -1, LL, KL, VL, LR}, K, V, R) ->
    {{node, 0, LL, KL, VL, {node, 0, LR, K, V, R}}, false};
left_grown(true, -1, {node, 1, LL, KL, VL, LR}, K, V, R) ->
    {lift_left(LL, KL, VL, LR, K, V, R), false}.

right_grown(false, B, L, K, V, R) -> {{node, B, L, K, V, R}, false};
right_grown(true, -1, L, K, V, R) -> {{node, 0, L, K, V, R}, false};
right_grown(true, 0, L, K, V, R) -> {{node, 1, L, K, V, R}, true};
right_grown(true, 1, L, K, V, {node, 1, RL, KR, VR, RR}) ->
    {{node, 0, {node, 0, L, K, V, RL}, KR, VR, RR}, false};
right_grown(true, 1, L, K, V, {node, -1, RL, KR, VR, RR}) ->
    {lift_right(L, K, V, RL, KR, VR, RR), false}.

%% Double rotations: the inner grandchild becomes the root.
lift_left(LL, KL, VL, {node, B, L, K, V, R}, K1, V1, R1) ->
    {B1, B2} = inner(B),
    {node, 0, {node, B1, LL, KL, VL, L}, K, V, {node, B2, R, K1, V1, R1}}.

lift_right(L1, K1, V1, {node, B, L, K, V, R}, KR, VR, RR) ->
    {B1, B2} = inner(B),
    {node, 0, {node, B1, L1, K1, V1, L}, K, V, {node, B2, R, KR, VR, RR}}.

inner(-1) -> {0, 1};
inner(0) -> {0, 0};
inner(1) -> {-1, 0}.

%% ---- Deletion

delete(K, T) ->
    {T1, _} = remove(K, T),
    T1.

remove(_, leaf) -> {leaf, false};
remove(K, {node, B, L, K1, V1, R}) when K < K1 ->
    {L1, Shrunk} = remove(K, L),
    left_shrunk(Shrunk, B, L1, K1, V1, R);
remove(K, {node, B, L, K1, V1, R}) when K > K1 ->
    {R1, Shrunk} = remove(K, R),
    right_shrunk(Shrunk, B, L, K1, V1, R1);
remove(_, {node, _, leaf, _, _, R}) -> {R, true};
remove(_, {node, _, L, _, _, leaf}) -> {L, true};
remove(_, {node, B, L, _, _, R}) ->
    {K, V, L1, Shrunk} = take_last(L),
    left_shrunk(Shrunk, B, L1, K, V, R).

take_last({node, _, L, K, V, leaf}) -> {K, V, L, true};
take_last({node, B, L, K, V, R}) ->
    {K1, V1, R1, Shrunk} = take_last(R),
    {T, Smaller} = right_shrunk(Shrunk, B, L, K, V, R1),
    {K1, V1, T, Smaller}.

left_shrunk(false, B, L, K, V, R) -> {{node, B, L, K, V, R}, false};
left_shrunk(true, -1, L, K, V, R) -> {{node, 0, L, K, V, R}, true};
left_shrunk(true, 0, L, K, V, R) -> {{node, 1, L, K, V, R}, false};
left_shrunk(true, 1, L, K, V, {node, 1, RL, KR, VR, RR}) ->
    {{node, 0, {node, 0, L, K, V, RL}, KR, VR, RR}, true};
left_shrunk(true, 1, L, K, V, {node, 0, RL, KR, VR, RR}) ->
    {{node, -1, {node, 1, L, K, V, RL}, KR, VR, RR}, false};
left_shrunk(true, 1, L, K, V, {node, -1, RL, KR, VR, RR}) ->
    {lift_right(L, K, V, RL, KR, VR, RR), true}.

right_shrunk(false, B, L, K, V, R) -> {{node, B, L, K, V, R}, false};
right_shrunk(true, 1, L, K, V, R) -> {{node, 0, L, K, V, R}, true};
right_shrunk(true, 0, L, K, V, R) -> {{node, -1, L, K, V, R}, false};
right_shrunk(true, -1, {node, -1, LL, KL, VL, LR}, K, V, R) ->
    {{node, 0, LL, KL, VL, {node, 0, LR, K, V, R}}, true};
right_shrunk(true, -1, {node, 0, LL, KL, VL, LR}, K, V, R) ->
    {{node, 1, LL, KL, VL, {node, -1, LR, K, V, R}}, false};
right_shrunk(true, -1, {node, 1, LL, KL, VL, LR}, K, V, R) ->
    {lift_left(LL, KL, VL, LR, K, V, R), true}.
