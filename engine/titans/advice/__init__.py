"""What is good.

judgement    what a position is worth
appraisal    what effects, places and abilities are worth
actions      what the answers to a question are worth, and the quick choice of rollouts
features     the numbers behind the reasons of a hint
"""
