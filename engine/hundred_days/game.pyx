"""Hundred Days as a registered game: settings and pack to a book, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.hundred_days.advice cimport actions, features, judgement
from seatmate.engine.hundred_days.content.book cimport fill
from seatmate.engine.hundred_days.rules cimport machine, query
from seatmate.engine.hundred_days.rules.model cimport Book, Days
from seatmate.engine.hundred_days.rules.query cimport points_of
from seatmate.engine.hundred_days.rules.rounds cimport clear
from seatmate.engine.hundred_days.secrets cimport sampling
from seatmate.engine.hundred_days.words.labels cimport args_of, label_of, question_of

from seatmate.engine.core.glossary import entry, look_up
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.spec import Draws, GameSpec, Mode, Option
from seatmate.engine.hundred_days.advice.actions import WORTHS
from seatmate.engine.hundred_days.advice.features import FEATURES
from seatmate.engine.hundred_days.advice.judgement import terms
from seatmate.engine.hundred_days.content.link import link
from seatmate.engine.hundred_days.secrets.checks import check_invariants, raw_of_view
from seatmate.engine.hundred_days.secrets.fields import FIELDS
from seatmate.engine.hundred_days.secrets.view import HundredDaysView, hands_of
from seatmate.engine.hundred_days.words import board, cards, scene
from seatmate.engine.hundred_days.words.events import EVENTS, meanings
from seatmate.engine.hundred_days.words.glossary import GLOSSARY, LEGEND
from seatmate.engine.hundred_days.words.names import PROMPTS, Names

cdef Rules RULES
RULES.state_size = sizeof(Days)
RULES.init = machine.init
RULES.pending = machine.pending
RULES.asked = machine.asked
RULES.prompt = query.prompt
RULES.legal_actions = machine.legal_actions
RULES.advance = machine.advance
RULES.returns = query.returns
RULES.evaluate = judgement.evaluate
RULES.score_actions = actions.score_actions
RULES.resample = sampling.resample
RULES.private_key = sampling.private_key
RULES.quick_action = actions.quick_action
RULES.quiet = judgement.quiet
RULES.features = features.features


cdef class HundredDaysGame(Game):
    """A table of Hundred Days; `names` holds the pack's ids and titles, `blank` the bytes of a table before the deal."""

    cdef Book* book
    cdef readonly object pack           # content.pack.HundredPack
    cdef readonly dict meanings         # all that can be looked up
    cdef readonly bytes blank
    cdef readonly int tile_count
    cdef readonly tuple targets         # per card the registers of its program
    cdef tuple last_scores              # (what they follow from, scores), see scores

    def __cinit__(self):
        self.rules = &RULES
        self.book = <Book*> self.new_tables(sizeof(Book))

    def __init__(self, settings):
        cdef Days days
        tiles = settings.options["tiles"]
        loaded, rows = link(settings.pack)
        super().__init__(SPEC, with_pack_hash(settings, loaded.hash))
        self.pack = loaded.content
        self.names = Names(self.pack)
        self.meanings = cards.meanings(self.names)
        self.tile_count = (12 if settings.seats == 2 else 20) if tiles == "auto" else int(tiles)    # R3
        fill(self.book, self.pack, rows, settings.seats, self.tile_count)
        self.worth, self.worth_names = self.book.worth, tuple(WORTHS)
        self.set_worths(WORTHS)
        self.targets = tuple([tuple(row.targets) for row in rows])
        clear(self.book, &days)
        self.fields = FIELDS
        self.blank = (<char*> &days)[:sizeof(Days)]

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        raw = FIELDS.read(state.to_bytes())
        return {**FIELDS.show(raw, seat, self.seats, self.names.cards), **hands_of(raw, seat, self.seats).show(self.names.cards)}

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        return FIELDS.show(FIELDS.read(state.to_bytes()), None, self.seats, self.names.cards)

    def raw_of(self, values, seat):
        if seat is not None:
            return raw_of_view(self, values, seat)
        raw = FIELDS.parse(values, FIELDS.read(self.blank), self.seats, self.names.cards)
        raw["depth"] = len(raw["frames"])
        return raw

    cdef int go_on(self, State state) except -1:
        machine.go_on(self.book, <Days*> state.data, &state.rng, &state.sink)
        return 0

    def new_view(self, int seat):
        return HundredDaysView(self, seat)

    def check_invariants(self, State state):
        """RULES.md, section 2. Raises AssertionError."""
        check_invariants(self, FIELDS.read(state.to_bytes()))

    # ---- In words ----

    def question_text(self, State state, int seat):
        return question_of(self.book, <Days*> state.data, seat, self.names) or super().question_text(state, seat)

    def action_label(self, State state, int seat, int action):
        return label_of(self.book, <Days*> state.data, seat, action, self.names)

    def action_args(self, State state, int seat, int action):
        return args_of(self.book, <Days*> state.data, seat, action, self.names)

    def event_text(self, event, int observer):
        return EVENTS.text(self.names, event, observer)

    def scores(self, observation):
        """Per seat, as the game stands."""
        cdef int seat
        cdef bytes data
        seen = {key: observation[key] for key in ("owners", "play", "pile", "guarded")}
        said = repr(seen)
        known = self.last_scores        # a message needs those of one observation twice
        if known is None or known[0] != said:
            data = FIELDS.write(FIELDS.parse(seen, FIELDS.read(self.blank), self.seats, self.names.cards))
            known = said, [points_of(self.book, <const Days*> <char*> data, seat) for seat in range(self.seats)]
            self.last_scores = known
        return list(known[1])

    def board_lines(self, observation, int observer):
        return board.board_lines(self.names, observation, observer, self.scores(observation))

    def event_meanings(self):
        return meanings(self.names)

    def faces(self):
        return scene.faces(self.names)

    def scene(self, observation, int observer):
        return scene.scene(self.names, observation, self.scores(observation))

    def touch(self, State state, int seat, int action, observation):
        return scene.touch(observation, seat, state.prompt(seat), self.action_args(state, seat, action),
                           len(state.legal_actions(seat)) > 1)

    def touched(self, State state, event, int observer):
        return scene.touched(event, EVENTS.named(event))

    def describe(self, observation, int observer, text):
        return look_up({**cards.places(self.names, observation), **self.meanings}, text)

    def glossary(self):
        return self.meanings

    def legend(self):
        return [entry(key, meaning) for key, meaning in LEGEND.items()]

    def final_scores(self, State state):
        cdef int seat
        return "points", [points_of(self.book, <Days*> state.data, seat) for seat in range(self.seats)]

    def result_text(self, State state):
        return board.result_text(self.final_scores(state)[1], state.returns())

    def terms(self, State state):
        return terms(state)


SPEC = register(GameSpec(
    id="hundred_days",
    title="Rick and Morty: 100 Days",
    summary="Ricks and Mortys place in secret, harvest, close dimensions and annoy each other with cards; most points win.",
    rules_version=2,
    rules="In each round all seats place a Rick and a Morty in secret: on one of six dimensions, the Smith house in the middle, "
          "or Rick between two of them. Then they take turns: close a dimension they stand on by paying its resources, play a "
          "card, move Rick; reactions answer what others do at any moment. Afterwards pawns harvest resources and cards. When a "
          "closed dimension cannot be replaced, the adventure phase is the last one. Points come from dimensions, green cards, "
          "and garage tokens on cards.",
    modes=(Mode(key="standard", title="Standard", seats=(2, 3, 4), doc="Every seat for itself."),),
    options=(
        Option(key="tiles", title="Dimensions in the game", kind="choice", default="auto", choices=("auto", "12", "20"),
               doc="dimension tiles in the game; auto: 12 (a short game) with two seats, else 20",
               titles={"auto": "As usual for the seats", "12": "A short game (12)", "20": "The whole game (20)"}),
    ),
    prompts=PROMPTS,
    events=EVENTS.types,
    packs=("standard",),
    load_pack=lambda name: link(name)[0],
    draws=Draws(event="DRAW_ID", title=lambda game, card: game.names.titles[card], bar=0.1),
    features=FEATURES,
    glossary=GLOSSARY,
    max_decisions=500_000,      # RULES.md, 12; random games need at most about 4,000
    action_limit=481,
    search={"rollout_depth": 8, "prior_temperature": 0.1},
    create=HundredDaysGame,
))
