QUESTIONS: dict[str, tuple[str | None, str | None]]
