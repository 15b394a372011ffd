"""Effect lines in English: what the wordings of all games share."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from seatmate.engine.core.effects import Branch, Condition, Name, Names, Selector, Step, Test, Value


class EffectWords:
    """Says what steps do. A game adds a method `do_<verb>` for every verb, which gets the arguments, and `test`."""

    THEN = "; then "        # between two steps
    AFTER = "afterwards "   # before a step that waits

    def test(self, test: Test) -> str:
        """What a condition says."""
        raise NotImplementedError

    def steps(self, sequence: Sequence[Step | Branch]) -> str:
        """Steps one after the other."""
        said = ""
        for item in sequence:
            text = self.step(item) if isinstance(item, Step) else self.branch(item)
            said += ("" if not said else "; if you did, " if item.chained else self.THEN) + text
        return said

    def branch(self, branch: Branch) -> str:
        """One way or the other."""
        text = f"if {self.condition(branch.condition)}, {self.steps(branch.then)}"
        return text + (f"; otherwise {self.steps(branch.otherwise)}" if branch.otherwise else "")

    def does(self, verb: str, values: Sequence[Value], keys: Mapping[str, Value]) -> str:
        """What a verb does with its arguments."""
        text: str = getattr(self, f"do_{verb.lower()}")(*values, **keys)
        return text

    def step(self, step: Step) -> str:
        """What a step does, in the imperative."""
        values = [argument.value for argument in step.args if not argument.key]
        keys = {argument.key: argument.value for argument in step.args if argument.key}
        text = self.does(step.verb, values, keys)
        if step.after:
            text = self.AFTER + text
        if step.who == "opp":
            text = f"the opponent may {text}" if step.may else f"the opponent does this: {text}"
        elif step.who == "both":
            text = f"both players {'may ' if step.may else 'do this: '}{text}"
        elif step.may:
            text = f"you may {text}"
        return text + (f" (if {self.condition(step.condition)})" if step.condition else "")

    def condition(self, condition: Condition) -> str:
        """All that must hold."""
        return " and ".join(self.test(test) for test in condition)


def names_in(value: Value) -> tuple[str, ...]:
    """The words of an argument."""
    if isinstance(value, Names):
        return value.names
    return (value.name,) if isinstance(value, Name) else ()


def selector_of(value: Value | None) -> Selector | None:
    """A selector; a bare name in its place stands for one."""
    if isinstance(value, Name):
        return Selector(value.name)
    return value if isinstance(value, Selector) else None
