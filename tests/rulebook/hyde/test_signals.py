"""The optional structured talk (R43, R44)."""
from __future__ import annotations

from hyde_table import OUTER, Table
from seatmate.engine.core.game import SPECTATORS

WORDS = ("covering", "focus_here", "weak_here")


def test_r44_a_signal_ends_every_turn() -> None:
    """R44: after Thing's step the active seat may say one of three things about an open place, or nothing."""
    table = Table("enid", "ajax", signals=True, thing_at=0, attacked="crypt")
    table.move("academy").give("keep").send(1)
    assert table.asked == 0 and table.prompt == "SIGNAL"
    assert table.offers() == ["silence", *((word, place) for word in WORDS for place in OUTER if place != "crypt")]
    table.say("weak_here", "forest")
    assert table.asked == 1 and table.prompt == "MOVE"
    for observer in (0, 1, SPECTATORS):
        assert table.told(observer, "SIGNAL") == [{"seat": 0, "signal": 15}]
        assert table.state.observation(observer)["signals"] == [15, 0]
    table.move("crypt").give("keep").send(1).say("silence")
    assert table.told(0, "SIGNAL")[-1] == {"seat": 1, "signal": 0}


def test_r44_a_signal_is_cheap_talk() -> None:
    """R44: nothing is checked, and it changes nothing but what was said."""
    left, right = (Table("enid", "ajax", signals=True, thing_at=1, seed=2) for _ in range(2))
    left.move("forest").play(left.offers()[0]).say("covering", "jericho")
    right.move("forest").play(right.offers()[0]).say("silence")
    said, silent = left.everything, right.everything
    assert said.pop("signals") == [2, 0] and silent.pop("signals") == [0, 0]
    assert said == silent


def test_r43_without_the_option_nobody_can_say_anything() -> None:
    """R43: the rules have no other way of talking: every other answer moves a pawn, a card or Thing."""
    table = Table("enid", "ajax", thing_at=0)
    table.move("academy").give("keep").send(0)
    assert table.asked == 1 and table.prompt == "MOVE"
    assert table.told(SPECTATORS, "SIGNAL") == []


def test_the_last_turn_of_a_cycle_ends_with_its_signal() -> None:
    """5.8: the token is drawn after the signal of the last seat."""
    table = Table("enid", "ajax", signals=True, thing_at=0, turn=1)
    table.move("academy")
    assert table.prompt == "SIGNAL" and table.told(0, "TOKEN") == []
    table.say("focus_here", "forest")
    heard = [key for key, _ in table.heard(0)]
    assert heard.index("SIGNAL") < heard.index("TOKEN")
