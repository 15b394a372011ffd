"""What is good.

judgement    what positions and answers are worth, and the numbers behind the reasons of a hint (11)
"""
