{application, sealed, [{vsn, "1"}, {modules, [sealed, sealed_tests]}, {applications, [kernel, stdlib]}]}.
