"""Titans: two teams of heroes fight over errands in a city that never rests."""
