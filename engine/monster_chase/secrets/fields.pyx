"""The rows of the state: each byte of it once, with what it is called in an observation.

    round, phase, at           the round; its step (STEP_WORDS) and how far that is
    turn, current              turns that have begun in this round; whose turn it is
    actor, eoa, eoa_at         whose action it is; the stage of its end
    power, result              level of the star power under way; how the game ended (RESULTS)
    furious, hp ...            the Boss: state, hearts, what it lost in this turn and round, squares it drove
    prey_slot, open, sheltered the tile of the prey; per kind tokens in its reach, and hidden ones
    negative, positive, assault, discards   auras and assaults by id
    snout, boulders, bombs ... the Ugly-Snout's square; supplies
    rolled, reserves           slots that have been entered; slots with an energy reserve
    rank, order                vehicles by position; in the order of this round's turns
    cars                       per vehicle: Car in model.pxd
    objects                    per square: 0 nothing, 1 boulder, 2 bomb, 3 ice slab
    discard                    per type of movement card: how many are in the discard piles
    frames                     what is being carried out, the innermost last: Frame in model.pxd

Observations add what is known of hands (view.py).
"""
from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport Car, Chase, Frame

from seatmate.engine.core.fields import Field, Fields
from seatmate.engine.monster_chase.content.pack import FRAME_WORDS, STEP_WORDS, small

cdef Chase chase
cdef Frame frame
cdef Car car


cdef int at(void* part):
    """Where a part of the state lies."""
    return <char*> part - <char*> &chase


cdef int in_frame(void* part):
    return <char*> part - <char*> &frame


cdef int in_car(void* part):
    return <char*> part - <char*> &car


def byte(name, int offset, **more):
    """A row of one byte."""
    return Field(name, offset, 1, **more)


def slots(name, int offset):
    """A mask of slots, or of vehicles, as a number."""
    return Field(name, offset, 2, most=65535)


cdef int CAR_MOST = V.VEHICLES - 1
cdef int SQ_MOST = V.SQUARES - 1

_FRAME = (
    byte("kind", in_frame(&frame.kind), words=FRAME_WORDS), byte("stage", in_frame(&frame.stage), most=11),
    byte("v", in_frame(&frame.v), most=CAR_MOST, none=V.NONE), byte("w", in_frame(&frame.w), most=CAR_MOST, none=V.NONE),
    byte("left", in_frame(&frame.left), most=100), byte("n", in_frame(&frame.n), most=100),
    byte("sq", in_frame(&frame.sq), most=SQ_MOST, none=V.NONE), byte("old", in_frame(&frame.old), most=SQ_MOST, none=V.NONE),
    byte("card", in_frame(&frame.card), most=V.TYPES - 1, none=V.NONE),
    byte("program", in_frame(&frame.program), most=V.PROGRAMS - 1), byte("step", in_frame(&frame.at), most=100),
    byte("how", in_frame(&frame.how), most=5), slots("mask", in_frame(&frame.mask)),
    byte("flags", in_frame(&frame.flags), most=63), byte("extra", in_frame(&frame.extra), most=20),
)

_CAR = (
    byte("lap", in_car(&car.lap), kind="signed", least=-100, most=100),
    byte("cp", in_car(&car.cp), kind="signed", least=-1, most=100),
    byte("sq", in_car(&car.sq), most=SQ_MOST, none=V.NONE), byte("damage", in_car(&car.damage), most=5),
    byte("star", in_car(&car.star), most=3), byte("shields", in_car(&car.shields), most=4),
    byte("spun", in_car(&car.spun), most=2), byte("flags", in_car(&car.flags), most=15), slots("marks", in_car(&car.marks)),
    byte("arch", in_car(&car.arch), most=SQ_MOST, none=V.NONE), byte("spirit", in_car(&car.spirit), most=V.TYPES - 1, none=V.NONE),
    byte("nitro", in_car(&car.nitro), most=V.NITROS - 1, none=V.NONE),
    byte("board", in_car(&car.board), most=V.PILOTS - 1, none=V.NONE), byte("sprint", in_car(&car.sprint), most=V.HAND),
    byte("rush", in_car(&car.rush), most=V.HAND),
)

FIELDS = Fields((
    byte("round", at(&chase.flow.round), most=250), byte("phase", at(&chase.flow.step), words=STEP_WORDS),
    byte("at", at(&chase.flow.at), most=40), byte("turn", at(&chase.flow.turn), most=V.VEHICLES),
    byte("current", at(&chase.flow.current), most=CAR_MOST, none=V.NONE),
    byte("turn_flags", at(&chase.flow.turn_flags), kind="mask"),
    byte("actor", at(&chase.flow.actor), most=CAR_MOST, none=V.NONE), byte("eoa", at(&chase.flow.eoa), most=4),
    byte("eoa_at", at(&chase.flow.eoa_at), most=0), byte("power", at(&chase.flow.power), most=3),
    byte("result", at(&chase.flow.result), words=tuple(small("R_"))),
    byte("question_number", at(&chase.flow.prompt), sees="nobody"),
    byte("asker", at(&chase.flow.asker), most=CAR_MOST, none=V.NONE), byte("asked_mask", at(&chase.flow.asked), sees="nobody"),
    byte("tied_prompt", at(&chase.flow.tied_prompt), most=V.Q_NOTHING), byte("scratch", at(&chase.flow.scratch), most=0),
    byte("dealt", at(&chase.flow.dealt), most=0), byte("furious", at(&chase.flow.furious), kind="flag"),
    byte("began_furious", at(&chase.flow.began_furious), kind="flag"),
    byte("hp", at(&chase.flow.hp), kind="signed", least=-100, most=120), byte("lost_turn", at(&chase.flow.lost_turn), most=100),
    byte("lost_round", at(&chase.flow.lost_round), most=100), byte("turn_squares", at(&chase.flow.turn_squares), most=200),
    byte("armour_used", at(&chase.flow.armour_used), kind="flag"), byte("prey_slot", at(&chase.flow.prey_slot), most=V.SLOTS - 1),
    byte("negative", at(&chase.flow.negative), most=V.CARDS - 1, none=V.NONE),
    byte("assault", at(&chase.flow.assault), most=V.CARDS - 1, none=V.NONE),
    byte("last_aura", at(&chase.flow.last_aura), most=V.CARDS - 1, none=V.NONE),
    byte("last_assault", at(&chase.flow.last_assault), most=V.CARDS - 1, none=V.NONE),
    byte("snout", at(&chase.flow.snout), most=SQ_MOST, none=V.NONE), byte("boulders", at(&chase.flow.boulders), most=40),
    byte("bombs", at(&chase.flow.bombs), most=40), byte("slabs", at(&chase.flow.slabs), most=40),
    byte("shield_tokens", at(&chase.flow.shields), most=40), byte("chosen", at(&chase.flow.chosen)),
    byte("first_stable", at(&chase.flow.first_stable), most=3), slots("tied", at(&chase.flow.tied)),
    slots("rolled", at(&chase.flow.rolled)), slots("reserves", at(&chase.flow.reserves)), slots("done", at(&chase.flow.done)),
    Field("placed", at(&chase.flow.placed), 3, shape=(3,), most=SQ_MOST, none=V.NONE),
    byte("deck_sprint", at(&chase.flow.deck_sprint), most=55), byte("deck_rush", at(&chase.flow.deck_rush), most=55),
    byte("vehicles", at(&chase.flow.vehicles), most=V.VEHICLES),
    Field("open", at(&chase.flow.open), V.PREY, shape=(V.PREY,), most=10),
    Field("sheltered", at(&chase.flow.sheltered), V.PREY, shape=(V.PREY,), most=10),
    Field("nitro", at(&chase.flow.nitro), V.NITROS, shape=(V.NITROS,), most=16),
    Field("rank", at(&chase.flow.rank), V.VEHICLES, shape=(V.VEHICLES,), most=CAR_MOST, none=V.NONE),
    Field("order", at(&chase.flow.order), V.VEHICLES, shape=(V.VEHICLES,), most=CAR_MOST, none=V.NONE),
    Field("turn_mods", at(&chase.flow.turn_mod), V.MODS, "signed", shape=(V.MODS,), least=-9, most=9),
    Field("positive", at(&chase.flow.positive), 16, "cards"), Field("discards", at(&chase.flow.discards), 16, "cards"),
    Field("cars", at(&chase.car), sizeof(chase.car), shape=(V.VEHICLES,), parts=_CAR, count="vehicles"),
    Field("objects", at(&chase.object), V.SQUARES, shape=(V.SQUARES,), most=3),
    Field("discard", at(&chase.discard), V.TYPES, shape=(V.TYPES,), most=10),
    byte("depth", at(&chase.depth), sees="nobody"), byte("spare", at(&chase.spare), most=0, sees="nobody"),
    Field("frames", at(&chase.frame), sizeof(chase.frame), shape=(V.FRAMES,), parts=_FRAME, count="depth"),
    Field("hand", at(&chase.hand), sizeof(chase.hand), shape=(V.VEHICLES, V.HAND), none=V.NONE, most=V.TYPES - 1, sees="nobody"),
    Field("deck", at(&chase.deck), V.TYPES, shape=(V.TYPES,), most=10, sees="nobody"),
    Field("tail", at(&chase.tail), 2, shape=(2,), most=0, sees="nobody"),
), sizeof(Chase))

PUBLIC_BYTES = at(&chase.hand)
"""The head of the state, which everybody may know."""
