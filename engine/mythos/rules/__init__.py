"""What happens. Lower rooms first; a room knows only those above it in this list.

model        the constants of a game, its state, and small questions about it
query        selectors, power, protection, and what effects count
plays        where a card can be played, and for how much (6.2)
board        atomic changes of a position, each with its event and what the seats learn
legal        what a call of a line can do now, and the choices it has (5.7)
frames       lines and plays begin (5.6)
settle       after every step: the state check, then the reactions (5.8)
unit_verbs   verbs that do something to units
player_verbs verbs that do something to players and their cards
effects      lines and plays that are being carried out: the frame stack (5.6 to 5.8)
flow         setup, start, action, mission and end phase, questions and answers (5)
invariants   what holds in every position
"""
