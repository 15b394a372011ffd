"""How it is said.

names        what prompts, phases, cards, missions and lines are called
events       the events with their sentences, how a finished game ended
cards        cards: their effects in English
labels       answers and questions
scene        the table as things in places
glossary     the terms of the game
"""
