%% One document; times are left out of the comparison.
%% RUN: fathom parse --format json %s | sed 's/"seconds": .*/"seconds": _/'
-module(json).
