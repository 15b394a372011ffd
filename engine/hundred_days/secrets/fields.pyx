"""The rows of the state: each byte of it once, with what it is called in an observation.

    round, phase, at           the round; its step (STEP_WORDS) and how far that is
    first, current             the seat with the initiative; whose turn it is
    actions_left, acted        of the turn
    passes, phase_turns        passes in a row; turns of this adventure phase
    die, initiative_place      the place where the round starts; the one that decided the initiative
    ending                     a dimension could not be replaced
    harvested                  seats that took something in this harvest
    epoch, epochs              reshuffles so far; per card, when it was last put into the deck
    discounts, barred          per seat: waivers of its next closing; the place its card bars for others
    ricks, morties             per seat the space of its pawn; None before the first reveal
    secret_ricks, secret_morties, answers, marked    the observer's own commitments (answers: 0, or 1 + card)
    places                     per place 0..6 the number of its tile; None: no tile (the Smith house, or a black hole)
    owners                     per tile the seat that closed it, or 255 unseen, 254 on the board, 253 banished
    stack                      tiles left
    tokens, federation         resources, in the order M, S, T, D
    garage, garage_supply      garage tokens
    general, play, pile, guarded    ids of cards: the general pile; per seat in play, the personal pile; those with a garage token
    frames                     what is being carried out, the innermost last: Frame in model.pxd

Observations add the cards of hands (view.py): hands, known, open_cards, held, seen_by, deck_count.
"""
from seatmate.engine.hundred_days.content cimport vocabulary as V
from seatmate.engine.hundred_days.rules.model cimport Days, Flow, Frame

from seatmate.engine.core.fields import Field, Fields
from seatmate.engine.hundred_days.content.pack import FRAME_WORDS, STEP_WORDS

cdef Days days
cdef Frame frame


cdef int at(void* part):
    """Where a part of the state lies."""
    return <char*> part - <char*> &days


cdef int in_frame(void* part):
    return <char*> part - <char*> &frame


def seats(name, int offset, int size, **more):
    """A row with an entry for each seat."""
    return Field(name, offset, size, shape=(V.SEATS,), per_seat=True, **more)


def part(name, int offset, **more):
    """A row of a frame."""
    return Field(name, offset, 1, **more)


_FRAME = (
    part("kind", in_frame(&frame.kind), words=FRAME_WORDS), part("stage", in_frame(&frame.stage), most=V.ENDING),
    part("seat", in_frame(&frame.seat), most=3, none=V.NONE), part("card", in_frame(&frame.card), most=V.CARDS - 1, none=V.NONE),
    part("program", in_frame(&frame.program), most=V.CARDS - 1, none=V.NONE), part("step", in_frame(&frame.step), most=V.STEPS),
    part("X", in_frame(&frame.X), most=3, none=V.NONE), part("C", in_frame(&frame.C), most=V.CARDS - 1, none=V.NONE),
    part("P", in_frame(&frame.P), most=V.SPACES - 1, none=V.NONE), part("Q", in_frame(&frame.Q), most=6, none=V.NONE),
    part("src", in_frame(&frame.src), most=3, none=V.NONE), part("victims", in_frame(&frame.victims), kind="mask"),
    part("flags", in_frame(&frame.flags), most=V.MARKS - 1), part("extra", in_frame(&frame.extra), most=30),
    part("left", in_frame(&frame.left), most=60), part("least", in_frame(&frame.least), most=4),
    Field("pool", in_frame(&frame.pool), sizeof(frame.pool), shape=(V.TYPES,), most=V.MOST_RESOURCES),
)

FIELDS = Fields((
    Field("phase_turns", at(&days.flow.phase_turns), 2, most=(V.MOST_TURNS + 1) * V.SEATS),   # past the cap all pass (R58)
    Field("taxes", at(&days.flow.taxes), 2, most=65535),
    Field("round", at(&days.flow.round), 1, most=V.MOST_ROUNDS), Field("phase", at(&days.flow.step), 1, words=STEP_WORDS),
    Field("at", at(&days.flow.at), 1, most=60), Field("first", at(&days.flow.first), 1, most=3),
    Field("current", at(&days.flow.current), 1, most=3), Field("actions_left", at(&days.flow.actions_left), 1, most=V.MOST_ACTIONS),
    Field("acted", at(&days.flow.acted), 1, "flag"), Field("passes", at(&days.flow.passes), 1, most=4),
    Field("die", at(&days.flow.die), 1, most=6), Field("initiative_place", at(&days.flow.initiative), 1, most=6, none=V.NONE),
    Field("ending", at(&days.flow.ending), 1, "flag"), Field("harvested", at(&days.flow.harvested), 1, "mask"),
    Field("epoch", at(&days.flow.epoch), 1, most=250),
    seats("discounts", at(&days.flow.discount), V.SEATS, most=60),
    seats("barred", at(&days.flow.barred), V.SEATS, most=6, none=V.NONE),
    Field("spare", at(&days.flow.spare), 3, shape=(3,), most=0, sees="nobody"),
    seats("ricks", at(&days.rick), V.SEATS, most=V.SPACES - 1, none=V.NONE),
    seats("morties", at(&days.morty), V.SEATS, most=6, none=V.NONE),
    seats("secret_ricks", at(&days.secret_rick), V.SEATS, most=V.SPACES - 1, none=V.NONE, sees="own"),
    seats("secret_morties", at(&days.secret_morty), V.SEATS, most=6, none=V.NONE, sees="own"),
    seats("answers", at(&days.answer), V.SEATS, most=V.CARDS, none=V.NONE, sees="own"),
    Field("places", at(&days.board), sizeof(days.board), shape=(V.PLACES,), most=V.TILES - 1, none=V.NONE),
    Field("stack", at(&days.stack), 1, most=V.TILES),
    Field("owners", at(&days.owner), V.TILES, shape=(V.TILES,)),
    Field("tokens", at(&days.tokens), sizeof(days.tokens), shape=(V.SEATS, V.TYPES), per_seat=True, most=V.MOST_RESOURCES),
    Field("federation", at(&days.federation), V.TYPES, shape=(V.TYPES,), most=V.MOST_RESOURCES),
    seats("garage", at(&days.garage), V.SEATS, most=V.MOST_GARAGE), Field("garage_supply", at(&days.supply), 1, most=V.MOST_GARAGE),
    Field("question_number", at(&days.prompt), 1, sees="nobody"), Field("asked_mask", at(&days.asked), 1, sees="nobody"),
    Field("answered_mask", at(&days.answered), 1, sees="nobody"), Field("depth", at(&days.depth), 1, sees="nobody"),
    Field("deck", at(&days.deck), sizeof(days.deck), "cards", sees="nobody"),
    Field("general", at(&days.general), sizeof(days.general), "cards"),
    seats("hand", at(&days.hand), sizeof(days.hand), kind="cards", sees="nobody"),
    seats("play", at(&days.play), sizeof(days.play), kind="cards"), seats("pile", at(&days.pile), sizeof(days.pile), kind="cards"),
    seats("seen", at(&days.seen), sizeof(days.seen), kind="cards", sees="nobody"),
    Field("shown", at(&days.shown), sizeof(days.shown), "cards", sees="nobody"),
    Field("guarded", at(&days.guarded), sizeof(days.guarded), "cards"),
    Field("marked", at(&days.marked), sizeof(days.marked), "cards", sees="nobody"),
    Field("epochs", at(&days.epoch), sizeof(days.epoch), shape=(V.CARDS,), most=250),
    Field("frames", at(&days.frame), sizeof(days.frame), shape=(V.FRAMES,), parts=_FRAME, count="depth"),
), sizeof(Days))

FLOW = Fields((row for row in FIELDS.rows.values() if row.offset < sizeof(Flow)), sizeof(Flow))
"""What the event FLOW tells, byte by byte."""
FRAME = Fields(_FRAME, sizeof(Frame))
UNSEEN, BOARD, GONE = V.NONE, V.NOBODY, V.BANISHED
"""Owners of a tile that are no seats."""
