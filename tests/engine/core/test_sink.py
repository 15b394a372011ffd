"""Events: who hears what, and the observation keys."""
from __future__ import annotations

import itertools
import random

from seatmate.tests.native import helpers as _testing

START = _testing.emitted([], 0)[0][0]
PUBLIC = 0x1FF


def keys(*events: tuple[int, int, list[int]]) -> list[int]:
    """The observers' keys after these events."""
    return _testing.emitted(events, 0)[0]


def test_only_the_audience_hears() -> None:
    heard = keys((3, 0b0101, [7, 8]))
    assert [key != START for key in heard] == [True, False, True, False, False, False, False, False, False]
    assert heard[0] == heard[2]
    assert all(key != START for key in keys((3, PUBLIC, [])))
    assert keys((3, 0, [1, 2])) == [START] * 9


def test_keys_tell_order_type_number_and_values_apart() -> None:
    histories: list[list[tuple[int, int, list[int]]]] = [
        [(3, 1, [1]), (3, 1, [2])], [(3, 1, [2]), (3, 1, [1])], [(3, 1, [1, 2])], [(3, 1, [2, 1])], [(4, 1, [1, 2])],
        [(3, 1, [1]), (4, 1, [2])], [(3, 1, [])], [(3, 1, [0])], [(3, 1, [0, 0])], [(3, 1, []), (3, 1, [])], [],
        [(3, 1, [-1])], [(3, 1, [2**31 - 1])], [(0, 1, [])],
    ]
    found = [keys(*history)[0] for history in histories]
    assert len(set(found)) == len(found)


def test_keys_do_not_collide_among_many_histories() -> None:
    """Short histories over small values, as games have them: more than 100,000 without one collision."""
    found = {keys(*[(kind, 1, list(args)) for kind, args in history])[0]
             for history in itertools.product([(k, a) for k in (3, 4, 5) for a in itertools.product(range(4), repeat=2)],
                                              repeat=3)}
    assert len(found) == 48**3


def test_one_changed_bit_changes_half_of_the_key() -> None:
    chooser = random.Random(1)
    flips = []
    for _ in range(2_000):
        args = [chooser.randrange(64) for _ in range(4)]
        changed = list(args)
        changed[chooser.randrange(4)] ^= 1 << chooser.randrange(6)
        tail = (5, 1, [chooser.randrange(64)])
        flips.append((keys((3, 1, args), tail)[0] ^ keys((3, 1, changed), tail)[0]).bit_count())
    assert 28 < sum(flips) / len(flips) < 36


def test_hearing_in_another_order_than_others_is_another_history() -> None:
    both = keys((3, 0b11, [1]), (3, 0b01, [2]), (3, 0b10, [3]))
    assert both[0] != both[1]


def test_the_log_keeps_what_was_sent() -> None:
    sent = [(3, PUBLIC, (1, -2, 3)), (9, 0b10, ()), (4, 1, tuple(range(16)))]
    heard, log, overflow = _testing.emitted(sent, 8)
    assert log == sent
    assert not overflow
    assert heard == keys(*[(kind, audience, list(args)) for kind, audience, args in sent])


def test_an_event_for_nobody_is_not_logged() -> None:
    assert _testing.emitted([(3, 0, (1,))], 8)[1] == []


def test_a_full_log_says_so() -> None:
    events = [(3, 1, (number,)) for number in range(5)]
    _, log, overflow = _testing.emitted(events, 4)
    assert (log, overflow) == (events[:4], True)
    assert not _testing.emitted(events, 5)[2]


def test_an_event_with_too_many_arguments_is_not_logged_and_says_so() -> None:
    _, log, overflow = _testing.emitted([(3, 1, tuple(range(17))), (3, 1, (1,))], 4)
    assert overflow
    assert log == [(3, 1, (1,))]
