"""What happens.

model       the book, the world state, frames
query       small questions: icons, waivers, what can be closed, scores
tokens      resources, taxes, garage tokens
cards       drawing, reshuffling, moving cards
targets     what can be chosen into a register
chains      small questions one after the other: tokens, cards, spaces
verbs       what each step of an effect does
events      blue and green cards, items, moves, closings, reactions, and the windows they open
rounds      the phases of a round
turns       the adventure phase
machine     from question to question; the contract
"""
