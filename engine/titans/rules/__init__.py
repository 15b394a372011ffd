"""What happens. Lower rooms first; a room knows only those above it in this list.

model        the constants of a game, its state, and small questions about it
supply       what is left in the supplies
query        whom a selector means, what an effect could do, which cards could be played
board        atomic changes of a position, each with its event
legal        who is asked what, and which answers are legal
teams        what the modes with two teams do in their own way
arena        likewise the free-for-all
setup        characters, map, hands (5.2)
missions     GO! cards: progress, completion, the next card (6.7)
reactions    escape tokens, windows for cards, what follows a KO (6.5, 6.6)
attacks      attacks and entries (6.2, 6.4)
verbs        what each verb of an effect can do, asks, and does
effects      programs that are being carried out: the frame stack (6.1)
rounds       start of a round, recovery, end of a round (5.3, 5.4, 5.6)
turns        the activation of a piece (5.5)
flow         the steps of a game one after the other, questions and answers (5)
invariants   what holds in every position
"""
