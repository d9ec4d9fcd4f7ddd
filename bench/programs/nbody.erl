%% Floats in tuples: four planets and the sun.
-module(nbody).
-export([main/0]).

main() ->
    Energy = energy(run(150000, bodies())),
    round(Energy * 1.0e9).

bodies() ->
    [{0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47841760435743},
     {4.84143144246472, -1.16032004402743, -0.10362204447112,
      0.60632639299583, 2.81198684491626, -0.02521836165988, 0.03769367487038},
     {8.34336671824458, 4.12479856412430, -0.40352341711432,
      -1.01077434617879, 1.82566237123041, 0.00841576137658, 0.01128632613196},
     {12.8943695621391, -15.1111514016986, -0.22330757889265,
      1.08279100644154, 0.86871301816961, -0.01083263740136, 0.00172372405705},
     {15.3796971148509, -25.9193146099879, 0.17925877295037,
      0.97909073224390, 0.59469899864767, -0.03475595555078, 0.00203368686992}].

run(0, Bodies) -> Bodies;
run(N, Bodies) -> run(N - 1, [move(B) || B <- advance(Bodies)]).

advance([]) -> [];
advance([Body | Others]) ->
    {Body1, Others1} = attract(Body, Others, []),
    [Body1 | advance(Others1)].

attract(Body, [], Done) -> {Body, lists:reverse(Done)};
attract({X, Y, Z, VX, VY, VZ, M}, [{X2, Y2, Z2, VX2, VY2, VZ2, M2} | Others], Done) ->
    DX = X - X2,
    DY = Y - Y2,
    DZ = Z - Z2,
    D2 = DX * DX + DY * DY + DZ * DZ,
    Mag = 0.01 / (D2 * math:sqrt(D2)),
    attract({X, Y, Z, VX - DX * M2 * Mag, VY - DY * M2 * Mag, VZ - DZ * M2 * Mag, M}, Others,
            [{X2, Y2, Z2, VX2 + DX * M * Mag, VY2 + DY * M * Mag, VZ2 + DZ * M * Mag, M2} | Done]).

move({X, Y, Z, VX, VY, VZ, M}) ->
    {X + 0.01 * VX, Y + 0.01 * VY, Z + 0.01 * VZ, VX, VY, VZ, M}.

energy([]) -> 0.0;
energy([{X, Y, Z, VX, VY, VZ, M} | Others]) ->
    Kinetic = 0.5 * M * (VX * VX + VY * VY + VZ * VZ),
    Potential = lists:sum([M * M2 / math:sqrt((X - X2) * (X - X2) + (Y - Y2) * (Y - Y2) +
                                              (Z - Z2) * (Z - Z2))
                           || {X2, Y2, Z2, _, _, _, M2} <- Others]),
    Kinetic - Potential + energy(Others).
