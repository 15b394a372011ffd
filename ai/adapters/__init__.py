"""Adapters to the libraries of others, so that their tools can judge our games and our bots can meet theirs.

`openspiel` registers every game with OpenSpiel and plays matches against its bots; `pettingzoo` makes environments.
Both need the extra: `pip install 'seatmate[adapters]'`.
"""
