QUESTIONS: dict[int, int]
