"""The vocabularies of two games and lines of all of them, for the tests of the effect notation."""

from __future__ import annotations

from seatmate.engine.core.effects_program import NONE
from seatmate.engine.core.effects_vocabulary import (
    Attribute,
    Param,
    Part,
    Pick,
    Register,
    Signature,
    Trigger,
    Vocabulary,
)


def enum(*words: str) -> dict[str, int]:
    return {word: number for number, word in enumerate(words)}


def table(**rows: tuple[Param, ...]) -> dict[str, Signature]:
    return {name: Signature(code, params) for code, (name, params) in enumerate(rows.items())}


CARDS = Param.selector("cards", bases=["card"])

HYDE = Vocabulary(
    game="hyde",
    triggers={
        name: Trigger(code)
        for code, name in enumerate(
            ["turn_start", "play", "draw", "score_place", "score_target", "score_total", "reveal"]
        )
    },
    verbs=table(
        ZERO=(CARDS,),
        SETV=(CARDS, Param.number("n", low=0, high=9)),
        ADDV=(CARDS, Param.number("n")),
        BONUS=(Param.number("n"),),
        MUST_LEAVE=(),
        NO_PLAY=(),
        REACH=(Param.number("distance"),),
        MULTI=(CARDS,),
        SUBST=(Param.number("number"), Param.number("cost")),
        DRAWTO=(Param.number("n"),),
        TRIM=(Param.number("n"),),
        SWAP=(Param.selector("cards", bases=["revealed"]),),
    ),
    bases=table(card=(), revealed=()),
    atoms=table(match=(Param.word_set("what", "what"),)),
    attributes={"num": Attribute(0, low=1, high=6), "sym": Attribute(1, "symbol")},
    conditions=table(pawn_here=()),
    words={"symbol": enum("SIREN", "WEREWOLF", "BEE", "MEDUSA", "BAT", "EYE"), "what": enum("sym", "num")},
)

UNIT = ("friendly", "own", "enemy", "any", "self", "host", "tgt")
TARGET = Param.selector("target", bases=UNIT)

DUEL = Vocabulary(
    game="duel",
    triggers={
        "MAIN": Trigger(0),
        "UPGRADE": Trigger(1),
        "start": Trigger(2),
        "play": Trigger(3),
        "while": Trigger(4),
        "on": Trigger(5, "event", subject=True, by="cause"),
        "replace": Trigger(6, "replaceable", subject=True, by="cause"),
        "react": Trigger(7, "event"),
    },
    verbs=table(
        TOK=(Param.amount("n"), Param.selector("target", "@self", UNIT)),
        UNTOK=(Param.amount("n"), TARGET, Param.flag("upto")),
        MOVE=(TARGET, Param.word("to", "to", "else")),
        HIDE=(TARGET,),
        DEFEAT=(TARGET,),
        HEAL=(Param.amount("n", low=1, high=20), TARGET),
        DRAW=(Param.amount("n", 1),),
        DISCARD=(Param.amount("n"),),
        GRAB=(Param.selector("card"),),
        PAY=(Param.number("n"), Param.word("how", "how")),
        PLAY=(Param.word_set("from", "zone"), Param.selector("filter", NONE, ["card"]), Param.number("mod", 0)),
        XFERFIRE=(Param.selector("a"), Param.selector("b")),
        IGNITE=(Param.amount("n"), TARGET),
        SHIELD=(TARGET, Param.word_set("verbs", "replaceable")),
        FORGET=(Param.register("what"),),
        PUSH=(),
    ),
    bases=table(
        friendly=(),
        own=(),
        enemy=(),
        any=(),
        self=(),
        host=(),
        tgt=(),
        item=(),
        card=(),
        before=(Param.selector("of", bases=UNIT),),
        near=(Param.number("steps", 1),),
    ),
    atoms=table(
        up=(),
        hidden=(),
        here=(),
        other=(),
        notA=(),
        opp=(),
        free=(),
        within=(Param.number("steps"),),
        touching=(Param.selector("of"),),
        near_to=(Param.register("what"), Param.flag("strictly")),
    ),
    attributes={"name": Attribute(0, "name"), "grp": Attribute(1, "grp"), "pow": Attribute(2), "cost": Attribute(3)},
    picks={
        "one": Pick(0),
        "all": Pick(1),
        "n": Pick(2, amount=True),
        "each": Pick(3),
        "sum": Pick(4, amount=True),
        "down": Pick(5, amount=True),
        "nearest": Pick(6),
    },
    amounts=table(
        count=(Param.selector("set"),),
        groups=(Param.selector("set"),),
        cost=(Param.register("card"),),
        power=(),
        hand=(),
        far=(Param.selector("set"), Param.amount("at_least", "hand")),
    ),
    conditions=table(
        upg=(),
        edge=(),
        linked=(),
        has=(Param.selector("set"),),
        fire=(Param.selector("piece"),),
        boss_near=(Param.number("steps"),),
        at_least=(Param.amount("n"), Param.word("zone", "zone", "hand")),
    ),
    registers={
        "A": Register(0),
        "B": Register(1),
        "C": Register(2),
        "K": Register(3),
        "X": Register(4, number=True),
        "P": Register(5, number=True),
    },
    words={
        "event": enum("PLAYED", "MOVED", "DEFEATED", "ROUND_END", "entered_host"),
        "replaceable": enum("HIDE", "DEFEAT", "MOVE"),
        "cause": enum("you", "enemy", "any"),
        "to": enum("else", "here", "anywhere"),
        "how": enum("same", "any", "diff"),
        "zone": enum("hand", "hidden", "discard"),
        "name": enum("akamaru", "kiba", "gaara"),
        "grp": enum("leaf", "sand", "sound"),
    },
    who={"opp": 1, "both": 2},
    parts={"": Part(0), "card": Part(1), "face": Part(2), "done": Part(3, number=True), "pow": Part(4, number=True)},
)

HYDE_LINES = [
    "score_place: ZERO(@card.num=3)",
    "score_place: ZERO(@card.sym=SIREN|WEREWOLF)",
    "score_target: SETV(@card.num=2, 4)",
    "score_target: ADDV(@card.sym=MEDUSA, 1)",
    "score_total: BONUS(2) if pawn_here",
    "turn_start: MUST_LEAVE()",
    "play: NO_PLAY()",
    "play: SUBST(6, 1)",
    "play: MULTI(@card.num=1)",
    "play: REACH(1)",
    "draw: DRAWTO(4); TRIM(3)",
    "reveal: SWAP(@revealed.match(sym|num))",
]

DUEL_LINES = [
    "react entered_host: if fire(host) {XFERFIRE(@host, @tgt)} else {IGNITE(1, @tgt)}",
    "play: C=@item.opp.free, pay {PAY(2, same)} GRAB(C)",
    (
        "MAIN: if upg {DEFEAT(@friendly.up.name=akamaru)>A -> DEFEAT(@any.here.other.notA)} else "
        "{HIDE(@friendly.up.name=akamaru)>A -> HIDE(@any.up.here.other.notA)}"
    ),
    "start: HEAL(1, @self) if linked",
    "TOK(-count(@friendly.up.here), @self)",
    "MAIN: TOK(groups(@friendly.up.grp=sound)+1, @self)",
    "MAIN: MOVE(@friendly.n(groups(@friendly.up.grp=sound)), else)",
    "MAIN: DEFEAT(@enemy.cost<count(@friendly.hidden))>K.face -> HIDE(@enemy.up.name=K.cost<cost(K)) if upg",
    "UPGRADE must when(has(@friendly.up.here) & !has(@enemy.here)): opp: DEFEAT(@enemy.here.down(2))",
    "MAIN: DISCARD(all)>X.done; DRAW(X)",
    "MAIN: HIDE(@enemy.up.here.pow<=3)>X.pow -> may TOK(X-1) if upg & P>=6",
    "on MOVED|DEFEATED(@self.up) by=you may when(count(@own)<count(@enemy)): HIDE(@enemy.up.here.pow<power)",
    "replace HIDE|DEFEAT(@friendly.up.grp!=leaf|sand.here) by=enemy may: DEFEAT(@self)",
    "MAIN: may PLAY(hand|hidden, @card.grp=leaf.name!=gaara, mod=-1)>A; after HIDE(A)",
    "while: SHIELD(@self, HIDE|DEFEAT)",
    "play: A=@enemy.up, B=@friendly.touching(A), need @item.opp, IGNITE(1, B)",
    "MAIN: HIDE(@enemy.up.here.min(cost).all); UNTOK(all, @enemy.pow>=1, upto)",
    "MAIN: GRAB(@before(@enemy.nearest).within(2)); GRAB(@near(4)); GRAB(@near)",
]

# The other games' specs, in this notation: the shape alone must carry them.
OTHER_LINES = [
    "std: ESCAPE(@self); MOVE(@self)",
    "play when(near_own(act) & !stun(act) & stun_supply): STUN(@act)",
    "react attacked: SHIELD(@tgt); after DAMAGE(1, @atk) if same_place",
    "reveal: PLACE(monster, @at(GEAR)); opp: may TRAP(1, @at(GEAR))",
    "opp: may OBST(@border(TV))",
    "own: IGNITE(1, @each.in_or_adj(ANCHOR))",
    "mission: ABILITY_AT(JOY, special)",
    "do: need @opps.tok, STEAL(opps, 1, owner)",
    "use: P=@tile, Q=@tile.after(P), SWAPT(P, Q); EXTRA(1)",
    "passive: DRAW_PLUS(1); HAND_LIMIT(2)",
    "becomes lost_turn: FURIOUS()",
    "end: DMG(1, @self) if boss_near(1)",
    "start: DRAW(1, @self) if hand<=2",
    "BOULDER(1, @before(@pilots.ahead.nearest)); BOMB(3, @near(4)); EXPLODE(@placed)",
    "MOD(value_all, -1); HEAL(1, @team.near(6).one)",
]
