"""How it is said.

words        names, prompts, answers, events and reasons as a person reads them
scene        the table as things in places
glossary     the terms of the game
"""
