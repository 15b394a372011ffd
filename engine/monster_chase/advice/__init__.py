"""What is good.

judgement   what a position is worth
actions     what an answer is worth
features    the numbers behind the reasons of a hint
"""
