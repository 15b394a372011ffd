"""How it is said.

words        prompts, events, names and positions as a person reads them
cards        cards and characters: their effects in English
glossary     the terms of the game
labels       answers and questions
board        the table in a terminal
"""
