"""How it is said.

names       ids and titles of a pack; prompts
events      one row for each event, with its sentence
labels      answers and questions
cards       cards and tiles for a person
scene       the table as things in places
board       the table in a terminal
glossary    what words mean
"""
