"""How it is said.

words        names, prompts, answers, events and reasons as a person reads them
glossary     the terms of the game
"""
