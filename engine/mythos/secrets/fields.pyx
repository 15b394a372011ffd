"""The rows of the state: each byte of it once, with its range and what it is called in an observation.

    round, phase, turn, round_turn      the round; PHASES; turns so far, and before this round
    edge, starter, active, passed       who has the Edge, had it first, whose turn it is, who has passed
    last_turn, mulligan                 per seat its last turn with a play; 0 open, 1 keep, 2 redraw
    chakra, points, hand_counts, deck   per seat; deck: cards whose place nobody knows
    serials, arrivals                   given so far
    progress                            step, plays ...; frames: what is being carried out; reactions, waiting: lines to come

Observations add what positions.py makes of the rows that nobody sees as they are: cards, characters, missions, tracks.
"""
from seatmate.engine.mythos.content cimport vocabulary as V
from seatmate.engine.mythos.rules.model cimport Frame, Mythos, Waiting

from seatmate.engine.core.fields import Field, Fields
from seatmate.engine.mythos.words.names import PHASES

cdef Mythos world
cdef Frame frame
cdef Waiting line
cdef int WORD = 65535               # the most that 2 bytes hold


cdef int at(void* part):
    """Where a part of the state lies."""
    return <char*> part - <char*> &world


cdef int in_frame(void* part):
    return <char*> part - <char*> &frame


cdef int in_line(void* part):
    return <char*> part - <char*> &line


def number(name, int offset, int most=255, **more):
    """A row of one byte."""
    return Field(name, offset, 1, most=most, **more)


def word(name, int offset, **more):
    """A row of two bytes."""
    return Field(name, offset, 2, most=WORD, **more)


def signed(name, int offset, int size=2, **more):
    """Numbers of two bytes that can be below 0."""
    return Field(name, offset, size, "signed", least=-32768, most=32767, **more)


def slot(name, int offset):
    """The slot of a character, or None."""
    return number(name, offset, V.UNITS - 1, none=V.NONE)


def seats(name, int offset, int most=255, int size=2, **more):
    """A number of each seat."""
    return Field(name, offset, size, shape=(V.SEATS,), most=most, **more)


def hidden(name, int offset, int size, *shape, kind="number", int most=255):
    """What positions.py shows in its own way."""
    return Field(name, offset, size, kind, shape, most=most, sees="nobody")


_FRAME = (
    number("type", in_frame(&frame.type), V.SETTLE_FRAME), number("sub", in_frame(&frame.sub)),
    number("flags", in_frame(&frame.flags)), number("you", in_frame(&frame.you), 1), slot("unit", in_frame(&frame.unit)),
    number("here", in_frame(&frame.here), V.MISSIONS - 1), number("registers", in_frame(&frame.registers), V.FRAMES - 1),
    number("verb", in_frame(&frame.verb)), word("line", in_frame(&frame.line)), word("serial", in_frame(&frame.serial)),
    word("at", in_frame(&frame.at)), word("target_serial", in_frame(&frame.target_serial)),
    signed("args", in_frame(&frame.args), sizeof(frame.args), shape=(4,)), number("who", in_frame(&frame.who), 2),
    number("call", in_frame(&frame.call)), slot("target", in_frame(&frame.target)), number("left", in_frame(&frame.left)),
    number("step", in_frame(&frame.step), 6), number("count", in_frame(&frame.count)),
    number("card", in_frame(&frame.card), none=V.NONE, words="cards"), slot("other", in_frame(&frame.other)),
    number("a", in_frame(&frame.a), V.UNITS - 1), number("b", in_frame(&frame.b), V.UNITS - 1),
    number("k", in_frame(&frame.k), none=V.NONE, words="cards"),
    number("m", in_frame(&frame.m), V.MISSIONS - 1, none=V.NONE), word("a_serial", in_frame(&frame.a_serial)),
    word("b_serial", in_frame(&frame.b_serial)), signed("x", in_frame(&frame.x)), signed("p", in_frame(&frame.p)),
    signed("power_before", in_frame(&frame.power_before)), number("looked", in_frame(&frame.looked), V.LOOKED),
    number("not", in_frame(&frame.not_filter)), Field("picked", in_frame(&frame.picked), 8, most=(1 << 64) - 1),
    Field("taxed", in_frame(&frame.taxed), 8, "cards"),
)
_LINE = (
    word("line", in_line(&line.line)), word("serial", in_line(&line.serial)), slot("unit", in_line(&line.unit)),
    number("mission", in_line(&line.mission), V.MISSIONS - 1),
)


def _tracks(int seat):
    return (hidden(f"track_where{seat}", at(&world.track[seat].where), 8 * V.TRACKS, V.TRACKS, kind="cards"),
            hidden(f"track_kind{seat}", at(&world.track[seat].kind), V.TRACKS, V.TRACKS),
            hidden(f"track_n{seat}", at(&world.track[seat].n), 1))


FIELDS = Fields((
    hidden("side", at(&world.side), sizeof(world.side), V.SEATS, kind="cards"),
    hidden("at", at(&world.at), sizeof(world.at), V.MISSIONS, kind="cards"), hidden("up", at(&world.up), 8, kind="cards"),
    hidden("linked", at(&world.linked), 8, kind="cards"), hidden("locked", at(&world.locked), 8, kind="cards"),
    Field("arrived", at(&world.arrived), 8, "cards", group="progress"), hidden("top", at(&world.top), V.UNITS, V.UNITS),
    hidden("owner", at(&world.owner), V.UNITS, V.UNITS, most=1), hidden("below", at(&world.below), V.UNITS, V.UNITS),
    hidden("where", at(&world.where), V.UNITS, V.UNITS, most=V.MISSIONS - 1),
    hidden("tokens", at(&world.tokens), V.UNITS, V.UNITS, most=250),
    hidden("known", at(&world.known), V.UNITS, V.UNITS, kind="cards"), hidden("link", at(&world.link), V.UNITS, V.UNITS),
    hidden("lock", at(&world.lock), V.UNITS, V.UNITS),
    hidden("link_serial", at(&world.link_serial), 2 * V.UNITS, V.UNITS, most=WORD),
    hidden("lock_serial", at(&world.lock_serial), 2 * V.UNITS, V.UNITS, most=WORD),
    hidden("serial", at(&world.serial), 2 * V.UNITS, V.UNITS, most=WORD),
    hidden("arrival", at(&world.arrival), 2 * V.UNITS, V.UNITS, most=WORD),
    hidden("turn_of", at(&world.turn_of), 2 * V.UNITS, V.UNITS, most=WORD),
    hidden("under_unit", at(&world.under_unit), V.UNDER, V.UNDER), hidden("under_kind", at(&world.under_kind), V.UNDER, V.UNDER),
    hidden("under_owner", at(&world.under_owner), V.UNDER, V.UNDER), hidden("under_n", at(&world.under_n), 1),
    seats("hand_counts", at(&world.hand_n), V.CARDS), seats("deck", at(&world.deck_n), V.CARDS),
    hidden("discard_n", at(&world.discard_n), V.SEATS, V.SEATS), hidden("top_n", at(&world.top_n), V.SEATS, V.SEATS),
    hidden("looked_n", at(&world.looked_n), 1), hidden("hand", at(&world.hand), sizeof(world.hand), V.SEATS, V.CARDS),
    hidden("deck_kinds", at(&world.deck), sizeof(world.deck), V.SEATS, V.CARDS),
    hidden("discard", at(&world.discard), sizeof(world.discard), V.SEATS, V.CARDS),
    hidden("top_kind", at(&world.top_kind), sizeof(world.top_kind), V.SEATS, V.TOPS),
    hidden("top_known", at(&world.top_known), sizeof(world.top_known), V.SEATS, V.TOPS, kind="cards"),
    hidden("top_not", at(&world.top_not), sizeof(world.top_not), V.SEATS, V.TOPS),
    hidden("looked_kinds", at(&world.looked), V.LOOKED, V.LOOKED),
    hidden("triple", at(&world.triple), sizeof(world.triple), V.SEATS, 3),
    hidden("mission", at(&world.mission), V.MISSIONS, V.MISSIONS), hidden("mission_n", at(&world.missions), 1),
    seats("chakra", at(&world.chakra)), seats("points", at(&world.points)), number("edge", at(&world.edge), 1),
    number("starter", at(&world.starter), 1), number("active", at(&world.active), 1),
    Field("passed", at(&world.passed), 1, "cards"), number("round", at(&world.round), V.MISSIONS),
    number("phase", at(&world.phase), words=PHASES), number("step", at(&world.step), V.S_RETURNS, group="progress"),
    number("scoring", at(&world.scoring), V.MISSIONS - 1, group="progress"), seats("mulligan", at(&world.mulligan), 2),
    hidden("question_number", at(&world.prompt), 1), hidden("asked_seat", at(&world.asked), 1),
    hidden("chain_mission", at(&world.chain_mission), 1), hidden("chain_play", at(&world.chain), 2),
    number("plays", at(&world.plays), group="progress"), seats("defeated", at(&world.defeated), V.UNITS, group="progress"),
    word("turn", at(&world.turn)), word("round_turn", at(&world.round_turn)),
    seats("last_turn", at(&world.last_turn), WORD, 2 * V.SEATS), word("serials", at(&world.serials)),
    word("arrivals", at(&world.arrivals)), word("asks", at(&world.asks), group="progress"), hidden("depth", at(&world.depth), 1),
    hidden("queue_n", at(&world.queue_n), 1), hidden("score_n", at(&world.score_n), 1),
    Field("reactions", at(&world.queue), sizeof(world.queue), shape=(V.QUEUE,), parts=_LINE, count="queue_n", group="progress"),
    Field("waiting", at(&world.score), sizeof(world.score), shape=(V.QUEUE,), parts=_LINE, count="score_n", group="progress"),
    Field("frames", at(&world.frame), sizeof(world.frame), shape=(V.FRAMES,), parts=_FRAME, count="depth", group="progress"),
    *_tracks(0), *_tracks(1),
), sizeof(Mythos))
FRAME = Fields(_FRAME, sizeof(Frame))
