"""What happens.

model        the constants of a game, its state, and small questions about it
attack       the attack and its scoring (5.9)
flow         the steps of a game one after the other, questions and answers (5)
"""
