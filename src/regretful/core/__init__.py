"""The compiled heart: what a linear learner is made of, and the loop that plays it.

Here live losses, domains, rates, geometries, rows, ledger, averages and the two rules. Nothing here imports another
room of the house.
"""
