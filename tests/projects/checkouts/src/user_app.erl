-module(user_app).
-export([twice/1]).
-include_lib("helper/include/helper.hrl").
twice(X) -> helper:times(?TWO, X).
