"""What is in the box.

pack         the pack: its schema and loading
"""
