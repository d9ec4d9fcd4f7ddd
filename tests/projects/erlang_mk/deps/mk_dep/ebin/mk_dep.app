{application, mk_dep, [{vsn, "1"}, {modules, [mk_dep]}, {applications, [kernel, stdlib]}]}.
