"""How it is said.

names     what the numbers of a pack are called, and the questions
events    one row for each event, with its sentence
labels    answers and questions in words
cards     pilots, bosses, auras, assaults and tiles for a person
scene     the table as things in places
board     the track in a terminal
drawing   a circuit as a picture
glossary  what words mean
"""
