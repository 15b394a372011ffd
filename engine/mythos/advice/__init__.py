"""What is good.

judgement    what a position is worth
actions      what the answers to a question are worth
quick        the choice of a rollout
features     the numbers behind the reasons of a hint
"""
