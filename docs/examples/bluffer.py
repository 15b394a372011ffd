"""A bot that sometimes bluffs."""
from seatmate.ai.bots import Question, bot


@bot("bluffer")
def bluffer(question: Question) -> int:
    """Plays the second best answer in one decision out of eight, and the best otherwise."""
    order = sorted(range(len(question.actions)), key=lambda number: question.scores[number], reverse=True)
    return question.actions[order[1 if question.random.random() < 1 / 8 else 0]]
