"""Mythos: the Naruto Mythos Trading Card Game for two (rulings: RULES.md)."""
