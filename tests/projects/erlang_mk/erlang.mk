# Of erlang.mk itself nothing is needed here.
