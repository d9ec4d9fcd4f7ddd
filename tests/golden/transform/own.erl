%% A parse transform of the project itself, transforms/times.erl, which makes * of +:
%% from source, from a .beam file on the code path, and as an option of the project.
%% RUN: show() { echo "> $*"; fathom "$@" 2>&1 || echo "exit $?"; }
%% RUN: for call in 'own:f(3, 4)' 'own:g(why)' 'own:h()'; do show run %s transforms/times.erl -e "$call"; done
%% RUN: fathom parse --format core %s --pa transforms 2>&1 | grep 'undefined parse transform'
%% RUN: mkdir -p %t/ebin %t/app/src; erlc +debug_info -o %t/ebin transforms/times.erl; show run %s -pa %t/ebin -e 'own:f(3, 4)'
%% RUN: grep -v parse_transform %s > %t/app/src/own.erl; cp transforms/times.erl %t/app/src; cd %t
%% RUN: echo '{application, app, []}.' > app/src/app.app.src; echo '{erl_opts, [{parse_transform, times}]}.' > app/rebar.config
%% RUN: show run app -e 'own:f(3, 4)'
-module(own).
-compile([{parse_transform, times}, nowarn_export_all]).
-export([f/2, g/1, h/0]).

f(X, Y) -> X + Y.

g(X) ->
    [error(X)].

h() ->
    3 + oops.
%% OUT: > run own.erl transforms/times.erl -e own:f(3, 4)
%% OUT: 12
%% OUT: > run own.erl transforms/times.erl -e own:g(why)
%% OUT: error: uncaught error: why
%% OUT:   in own:g/1  (own.erl:17)
%% OUT: exit 2
%% OUT: > run own.erl transforms/times.erl -e own:h()
%% OUT: error: uncaught error: badarith
%% OUT:   in erlang:'*'(3, oops)
%% OUT:   in own:h/0  (own.erl:20)
%% OUT: exit 2
%% OUT: own.erl: error: undefined parse transform 'times'
%% OUT: > run own.erl -pa %t/ebin -e own:f(3, 4)
%% OUT: 12
%% OUT: > run app -e own:f(3, 4)
%% OUT: 12
