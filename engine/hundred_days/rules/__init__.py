"""What happens.

model       the book, the world state, frames
query       small questions: who is asked, icons, waivers, what can be closed, scores
tokens      resources, taxes, garage tokens
cards       drawing, reshuffling, moving cards
targets     what can be chosen: targets of a program, cards to play, use and react with
chains      small questions one after the other: tokens, cards, spaces
verbs       what each step of an effect does
closing     a dimension is closed: waivers, the price, the new tile, tolls
events      blue and green cards, items, moves, closings, reactions, and the windows they open
rounds      the phases of a round
turns       the adventure phase
machine     from question to question; the contract
"""
