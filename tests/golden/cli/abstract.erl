%% The forms of OTP's abstract format, one term a line.
%% RUN: fathom parse --format abstract %s
-module(abstract).
-record(point, {x = 0 :: integer(), y = 0}).
move(#point{x = X} = P, [Dx, Dy | _]) ->
    try P#point{x = X + Dx, y = Dy} catch error:_ -> 'else' end.
%% OUT: %% -*- coding: utf-8 -*-
%% OUT: {attribute,{1,1},file,{"abstract.erl",1}}.
%% OUT: {attribute,{3,2},module,abstract}.
%% OUT: {attribute,{4,2},record,{point,[{typed_record_field,{record_field,{4,17},{atom,{4,17},x},{integer,{4,21},0}},{type,{4,26},integer,[]}},{record_field,{4,37},{atom,{4,37},y},{integer,{4,41},0}}]}}.
%% OUT: {function,{5,1},move,2,[{clause,{5,1},[{match,{5,6},{record,{5,6},point,[{record_field,{5,13},{atom,{5,13},x},{var,{5,17},'X'}}]},{var,{5,22},'P'}},{cons,{5,25},{var,{5,26},'Dx'},{cons,{5,30},{var,{5,30},'Dy'},{var,{5,35},'_'}}}],[],[{'try',{6,5},[{record,{6,10},{var,{6,9},'P'},point,[{record_field,{6,17},{atom,{6,17},x},{op,{6,23},'+',{var,{6,21},'X'},{var,{6,25},'Dx'}}},{record_field,{6,29},{atom,{6,29},y},{var,{6,33},'Dy'}}]}],[],[{clause,{6,43},[{tuple,{6,43},[{atom,{6,43},error},{var,{6,49},'_'},{var,{6,49},'_'}]}],[],[{atom,[{text,"'else'"},{location,{6,54}}],else}]}],[]}]}]}.
%% OUT: {eof,{13,1}}.
