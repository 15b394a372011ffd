"""What is in the box, and the numbers the rules use for it.

vocabulary   prompts, answers, events and what the bytes of a state mean, as numbers
pack         the pack: its schema and loading
"""
