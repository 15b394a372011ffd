"""How it is said.

words        prompts, events, names, answers and positions as a person reads them
cards        cards: their effects in English
glossary     the terms of the game
labels       answers and questions
"""
