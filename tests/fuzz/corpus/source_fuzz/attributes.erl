%% -*- coding: utf-8 -*-
-module(attributes).
-behaviour(gen_server).
-export([f/0, 'a b'/1]).
-export_type([t/0]).
-import(lists, [map/2, foldl/3]).
-compile([{inline, [f/1]}, export_all, nowarn_export_all]).
-vsn("1.0").
-author({"é", 'ö', <<"bytes", 1:4, 2:4>>, #{a => [1.5e3, -2, $a, $\n]}}).
-on_load(f/0).
-deprecated([{f, 0, "use g"}]).
-optional_callbacks([cb/1]).
-dialyzer({nowarn_function, f/0}).
-custom(fun lists:map/2).
-custom [a | b].
-custom {16#ff, 1_000_000, 2#1010, 36#zZ, "con" "cat"}.
-moduledoc """
Triple "quoted" text.
  Indented \n verbatim.
""".
-doc "A function.".
-doc #{since => "1.0", equiv => g/0}.
-doc false.
