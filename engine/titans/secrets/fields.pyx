"""The rows of the state: each byte of it once, with what it is called in an observation.

Characters, tiles and cards appear by the keys and ids of the pack; places are 0..9, borders numbers of `Map.edges`, pieces 0..3
(0 and 1 black, 2 and 3 white; free-for-all: piece i of seat i, 3 is Cyborg), teams 0 black and 1 white (free-for-all: team i is
seat i).

    round, turn     0 during setup, then from 1; activations that have begun to be counted in this round, 0..3
    first, initiative    the team (free-for-all: seat) that drafts first; that has the initiative, None before the first round
    active          the piece whose turn it is
    tiles           per place the key of its tile; None: face down, or not laid yet
    removed, obstacles, clues    places that have left the game (free-for-all); borders with an obstacle; places with a clue
    pizza           place of the pizza token; None: carried (see pieces) or not in play
    go_deck, go_done    ids of GO! cards: still to come, completed
    used            per seat the ids of Mayhem cards it has played in this game
    teams           go, played: cards on the table; delivered: icons; gifts: still to deliver; clues: collected
    pieces          innate_spent: once per game; acts: activations in this round; slots: value of the die on each ability, 0 none
    turn_state      team: whose turn; slot, die: of this turn; stood: where the slot ability was activated; and flags
    progress        step, at: how far it is; burning: pieces; frames: what is being carried out, the innermost last

What observations add to the rows is in view.py.
"""
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.rules.model cimport Frame, Piece, Team, Titans

from seatmate.engine.core.fields import Field, Fields
from seatmate.engine.titans.content.pack import ICONS
from seatmate.engine.titans.words.names import FRAME_KINDS, STEPS

cdef Titans state
cdef Frame frame
cdef Piece piece
cdef Team team

FLAGS = ("moved", "forfeited", "slot_used", "innate_used", "special_on", "special_off", "next2", "flame")
"""Bits of the turn's flags."""


cdef int at(void* part):
    """Where a part of the state lies."""
    return <char*> part - <char*> &state


cdef int in_frame(void* part):
    return <char*> part - <char*> &frame


cdef int in_piece(void* part):
    return <char*> part - <char*> &piece


cdef int in_team(void* part):
    return <char*> part - <char*> &team


def flags(int offset, *names, group=""):
    """The bits of a byte, from the lowest on."""
    return tuple([Field(name, offset, 1, "flag", bit=bit, group=group) for bit, name in enumerate(names)])


def number(name, int offset, int most=255, **more):
    """A row of one byte."""
    return Field(name, offset, 1, most=most, **more)


def place(name, int offset, **more):
    """Where something is, or None."""
    return number(name, offset, V.PLACES - 1, none=V.NONE, **more)


def hidden(name, int offset, int size, *shape, kind="number"):
    """What nobody sees, or view.py tells."""
    return Field(name, offset, size, kind, shape, sees="nobody")


_FRAME = (
    number("kind", in_frame(&frame.kind), words=FRAME_KINDS), number("stage", in_frame(&frame.stage)),
    number("team", in_frame(&frame.team)), number("seat", in_frame(&frame.seat)), number("actor", in_frame(&frame.actor)),
    number("tgt", in_frame(&frame.target)), number("other", in_frame(&frame.other)), number("place", in_frame(&frame.place)),
    number("mode", in_frame(&frame.mode)), number("source", in_frame(&frame.source)), number("verb", in_frame(&frame.verb)),
    number("who", in_frame(&frame.who), 1), number("may", in_frame(&frame.may), 1), number("asked", in_frame(&frame.asked)),
    number("a", in_frame(&frame.a)), number("b", in_frame(&frame.b)), Field("at", in_frame(&frame.at), 2, most=V.CODE),
    Field("arg0", in_frame(&frame.args), 1, "signed", least=-1, most=127),
    Field("arg1", in_frame(&frame.args) + 1, 1, "signed", least=-1, most=127),
)
_PIECE = (
    number("character", in_piece(&piece.character), none=V.NONE, words="characters"), place("place", in_piece(&piece.place)),
    number("damage", in_piece(&piece.damage)), number("fire", in_piece(&piece.fire)),
    *flags(in_piece(&piece.tokens), "stunned", "shield", "escape", "pizza"), number("stun_team", in_piece(&piece.stun_team), 1),
    *flags(in_piece(&piece.status), "ko", "eliminated", "innate_spent"), number("acts", in_piece(&piece.activations), 2),
    Field("slots", in_piece(&piece.slot_die), 2, shape=(2,), most=6), *flags(in_piece(&piece.marks), "ghost", "locked"),
)
_TEAM = (
    number("points", in_team(&team.points)), number("go", in_team(&team.go), none=V.NONE, words="goes"),
    Field("delivered", in_team(&team.delivered), 1, "cards", words=ICONS), number("gifts", in_team(&team.gifts)),
    number("clues", in_team(&team.clues)), place("monster_place", in_team(&team.monster_place)),
    number("monster_damage", in_team(&team.monster_damage)), Field("dice", in_team(&team.dice), 2, shape=(2,), most=6),
    Field("dice_used", in_team(&team.dice_used), 1, "cards"), number("played", in_team(&team.played), none=V.NONE, words="cards"),
    *flags(in_team(&team.marks), "attack_bonus", "trap_stun"),
)
FIELDS = Fields((
    hidden("options", at(&state.options), sizeof(state.options)),
    hidden("hand", at(&state.hand), sizeof(state.hand), V.SEATS, kind="cards"),
    hidden("aside", at(&state.aside), sizeof(state.aside), V.SEATS, kind="cards"),
    Field("used", at(&state.used), sizeof(state.used), "cards", (V.SEATS,), per_seat=True, words="cards"),
    Field("obstacles", at(&state.obstacles), sizeof(state.obstacles), "cards"),
    hidden("near", at(&state.near), sizeof(state.near), V.PLACES), Field("removed", at(&state.removed), 2, "cards"),
    Field("clues", at(&state.clues), 2, "cards"), Field("go_deck", at(&state.go_deck), 2, "cards", words="goes"),
    Field("go_done", at(&state.go_done), 2, "cards", words="goes"),
    Field("tiles", at(&state.tile), V.PLACES, shape=(V.PLACES,), none=V.NONE, words="tiles"),
    hidden("where", at(&state.where), V.TILES, V.TILES),
    Field("traps", at(&state.trap), sizeof(state.trap), shape=(2, V.PLACES), most=40),
    Field("teams", at(&state.team), sizeof(state.team), shape=(V.TEAMS,), parts=_TEAM),
    Field("pieces", at(&state.piece), sizeof(state.piece), shape=(V.PIECES,), parts=_PIECE),
    hidden("left", at(&state.left), V.SEATS, V.SEATS), number("step", at(&state.step), words=STEPS, group="progress"),
    number("at", at(&state.at), 4, group="progress"), number("round", at(&state.round)), number("turn", at(&state.turn), 4),
    number("initiative", at(&state.initiative), V.TEAMS - 1), number("first", at(&state.first), V.TEAMS - 1),
    number("active", at(&state.active), V.PIECES - 1, none=V.NONE),
    number("team", at(&state.acting), V.TEAMS - 1, group="turn_state"), *flags(at(&state.flags), *FLAGS, group="turn_state"),
    number("slot", at(&state.slot), 1, group="turn_state"), number("die", at(&state.die), 1, group="turn_state"),
    hidden("face", at(&state.face), 1), Field("burning", at(&state.burning), 1, "cards", group="progress"),
    place("stood", at(&state.stood), group="turn_state"), place("pizza", at(&state.pizza)),
    Field("result", at(&state.result), 1, "cards"), hidden("question_number", at(&state.prompt), 1),
    hidden("asked_mask", at(&state.asked), 1), hidden("depth", at(&state.depth), 1),
    Field("frames", at(&state.frame), sizeof(state.frame), shape=(V.FRAMES,), parts=_FRAME, count="depth", group="progress"),
    hidden("spare", at(&state.spare), 1),
), sizeof(Titans))
FRAME = Fields(_FRAME, sizeof(Frame))
