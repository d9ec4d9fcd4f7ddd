%% What a parse transform says, and what it does wrong. What it makes of the module is
%% checked, with the places of the source.
%% RUN: way() { echo "> $1"; fathom run %s transforms/misbehaves.erl -D WAY=$1 -e 'errors:f(1)' 2>&1 || echo "exit $?"; }
%% RUN: for w in nothing errors warning error_form no_reason crash throw; do way $w; done
%% RUN: for w in unmodelled halt no_forms bad_form print unbound; do way $w; done
%% RUN: # Transforms that are not there, cannot be read, or need themselves; lines alone for those that ask for it.
%% RUN: sed 's/misbehaves/NAME/' %s > %t/errors.erl
%% RUN: for t in none lists unreadable itself lines; do
%% RUN:   echo "> $t"; sed "s/NAME/$t/" %t/errors.erl > %t/x.erl; (cd transforms; fathom run %t/x.erl *.erl -e 'x:f(1)' 2>&1 || echo "exit $?")
%% RUN: done
-module(errors).
-compile({parse_transform, misbehaves}).
-export([f/1]).

f(X) ->
    {X, y}.
