"""What is good.

judgement   what a position is worth, and why
actions     what an answer is worth
"""
