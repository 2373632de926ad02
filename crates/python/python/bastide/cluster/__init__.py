"""Training and measuring on a Ray cluster, with the same result as on one machine.

    python -m bastide.cluster train two.toml --out data/two
    python -m bastide.cluster match best net --pairs 2000 --nodes 5000 --out data/best-net
    python -m bastide.cluster ladder --bots greedy,net,best --state data/ladder
    python -m bastide.cluster review games/*.txt --out data/reviews --deep
    python -m bastide.cluster regret games.txt best best:on=1 --out data/regret

The program ``bastide`` does the work, started anew for every piece of it on some machine of the cluster: a batch of
self-play, some pairs of a match, a game to review, a position to analyse. ``train``, ``match`` and ``ladder`` take the
options of the program's commands of the same name. Machines may come and go: a piece whose machine is lost is done
again elsewhere, and the same command goes on where it was stopped.
"""
