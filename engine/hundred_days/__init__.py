"""Hundred Days: Ricks and Mortys collect resources, close dimensions and annoy each other."""
