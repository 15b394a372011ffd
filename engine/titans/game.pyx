"""Titans as a registered game: settings and pack to tables, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.titans.advice cimport actions, features, judgement
from seatmate.engine.titans.content cimport vocabulary as V
from seatmate.engine.titans.content.tables cimport fill_pack, fill_settings
from seatmate.engine.titans.rules cimport arena, flow, legal, model, teams
from seatmate.engine.titans.rules.model cimport Book, Titans
from seatmate.engine.titans.secrets cimport sampling
from seatmate.engine.titans.words.labels cimport args_of, label_of, question_of

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.fields import Public, bits
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.spec import Balance, GameSpec, Mode, Option
from seatmate.engine.titans.advice.features import FEATURES
from seatmate.engine.titans.advice.judgement import terms
from seatmate.engine.titans.content import link
from seatmate.engine.titans.content.tables import PIECE_SEATS, piece_team
from seatmate.engine.titans.content.teams import DICE, DRAFT, given_teams, opposing_pairs
from seatmate.engine.titans.rules.invariants import check
from seatmate.engine.titans.secrets.checks import raw_of, raw_of_view
from seatmate.engine.titans.secrets.fields import FIELDS
from seatmate.engine.titans.secrets.view import TitansView, hands_of, shown, unseen_picks
from seatmate.engine.titans.words import board, cards, scene
from seatmate.engine.titans.words.events import EVENTS, meanings
from seatmate.engine.titans.words.glossary import glossary
from seatmate.engine.titans.words.names import PROMPTS, Names, result_text

cdef Rules RULES
RULES.state_size = sizeof(Titans)
RULES.init = flow.init
RULES.pending = legal.pending
RULES.asked = legal.asked
RULES.prompt = legal.prompt
RULES.legal_actions = legal.legal_actions
RULES.advance = flow.advance
RULES.returns = model.returns
RULES.evaluate = judgement.evaluate
RULES.score_actions = actions.score_actions
RULES.resample = sampling.resample
RULES.private_key = sampling.private_key
RULES.quick_action = actions.quick_action
RULES.quiet = judgement.quiet
RULES.features = features.features

cdef Rules ARENA_RULES = RULES
ARENA_RULES.evaluate = judgement.evaluate_arena


cdef class TitansGame(Game):
    """A table of Titans; `names` holds the pack's ids and titles."""

    cdef Book* t
    cdef readonly object pack           # pack.TitansPack
    cdef readonly object compiled       # link.Compiled
    cdef readonly bytes blank           # a table before the deal
    cdef readonly frozenset deck        # Mayhem cards in the game
    cdef readonly bint arena            # the free-for-all
    cdef readonly bint open_hands
    cdef readonly int team_count
    cdef readonly object public         # Public: what everybody sees of the rows

    def __cinit__(self):
        self.rules = &RULES
        self.t = <Book*> self.new_tables(sizeof(Book))

    def __init__(self, settings):
        cdef Titans blank
        options = settings.options
        if options["first_game"] and settings.mode in ("ffa3", "comp"):
            raise SettingsError("options.first_game", "the recommended hands belong to the team modes duel, team3 and team4")
        if settings.mode in ("ffa3", "comp") and (options["team0"], options["team1"]) != (DRAFT, DRAFT):
            raise SettingsError("options.team0", "team0 and team1 replace the draft of the team modes duel, team3 and team4")
        if options["initiative"] != DICE and settings.mode == "ffa3":
            raise SettingsError("options.initiative", "the initiative can be given in a mode with two teams only")
        if options["flame_every_turn"] and settings.mode != "ffa3":
            raise SettingsError("options.flame_every_turn", "Cyborg is out of control in the mode ffa3 only")
        loaded, self.compiled = link.compile_pack(settings.pack)
        super().__init__(SPEC, with_pack_hash(settings, loaded.hash))
        self.pack = loaded.content
        self.names = Names(self.pack, settings.mode)
        self.arena = settings.mode == "ffa3"
        self.rules = &ARENA_RULES if self.arena else &RULES
        self.t.hooks = &arena.HOOKS if self.arena else &teams.HOOKS
        fill_pack(self.t, self.pack, self.compiled)
        fill_settings(self.t, self.pack, settings.mode, options, given_teams(self.names, options))
        self.fields = FIELDS.named(self.names)
        self.public = Public(self.fields, self.seats)
        flow.clear(self.t, &blank)
        self.blank = (<char*> &blank)[:sizeof(Titans)]
        self.deck = frozenset(bits(self.t.deck))
        self.open_hands = options["first_game"]
        self.team_count = self.t.teams

    # ---- Who owns what ----

    def piece_team(self, int piece):
        """The team of a piece; None for Cyborg of the free-for-all."""
        return piece_team(self.settings.mode, piece)

    def piece_seat(self, int piece):
        """Its owner; likewise."""
        return PIECE_SEATS[self.settings.mode][piece]

    def seat_team(self, int seat):
        """The team of a seat."""
        return self.t.team_of[seat]

    def drawn(self, int seat):
        """Mayhem cards the seat draws."""
        return self.t.draw[seat]

    def surplus(self, raw, int seat):
        """... of which it sets so many aside."""
        return self.t.draw[seat] - sum([self.pack.board[piece["character"]].icons for number, piece in enumerate(raw["pieces"])
                                        if self.piece_seat(number) == seat and piece["character"] != V.NONE])

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        raw, rows = self.public.of(state.to_bytes())
        seen = unseen_picks(self, raw, seat)
        return shown(self, seen, hands_of(self, raw, seat), rows if seen is raw else None)

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        raw = FIELDS.read(state.to_bytes())
        values = shown(self, raw, hands_of(self, raw, None))
        values["asked"] = list(state.asked)
        values["prompt"] = state.prompt(state.pending[0]) if state.pending else None
        values["question"] = None
        return values

    def raw_of(self, values, seat):
        return raw_of(self, values) if seat is None else raw_of_view(self, values, seat)

    cdef int load(self, State state, raw) except -1:
        Game.load(self, state, raw)
        sampling.complete(self.t, <Titans*> state.data)
        return 0

    cdef int go_on(self, State state) except -1:
        flow.go_on(self.t, <Titans*> state.data, &state.rng, &state.sink)
        return 0

    def new_view(self, int seat):
        return TitansView(self, seat)

    def check_invariants(self, State state):
        """RULES.md, section 4. Raises AssertionError."""
        check(self, state)

    # ---- In words ----

    def question_text(self, State state, int seat):
        return question_of(self.t, <Titans*> state.data, seat, self.names) or super().question_text(state, seat)

    def label(self, State state, int seat, int action):
        return label_of(self.t, <Titans*> state.data, seat, action, self.names)

    def action_args(self, State state, int seat, int action):
        return args_of(self.t, <Titans*> state.data, seat, action, self.names)

    def event_text(self, event, int observer):
        return EVENTS.text(self.names, event, observer)

    def board_lines(self, observation, int observer):
        return board.board_lines(self.pack, self.names, observation, observer)

    def event_meanings(self):
        return meanings(self.names)

    def faces(self):
        return scene.faces(self.pack, self.names)

    def scene(self, observation, int observer):
        return scene.scene(self.pack, self.names, observation, observer)

    def touch(self, State state, int seat, int action, observation):
        left = not {V.USE_SLOT, V.USE_INNATE}.isdisjoint(state.legal_actions(seat))
        return scene.touch(self.names, observation, seat, state.prompt(seat), self.action_args(state, seat, action), left)

    def touched(self, State state, event, int observer):
        return scene.touched(event, EVENTS.named(event))

    def glossary(self):
        return glossary(self.settings.mode == "ffa3", self.pack.limits.points)

    def legend(self):
        return cards.legend(self.settings.mode == "ffa3", self.pack)

    def describe(self, observation, int observer, text):
        return cards.describe(self.pack, observation, observer, text)

    def final_scores(self, State state):
        if self.arena:
            return "", []
        values = self.everything(state)["teams"]
        return "points", [values[self.seat_team(seat)]["points"] for seat in range(self.seats)]

    def result_text(self, State state):
        return result_text(self.names, self.everything(state))

    def terms(self, State state):
        return terms(state)


SPEC = register(GameSpec(
    id="titans",
    title="Teen Titans GO! Mayhem",
    summary="Two teams of two heroes fight and run errands on a small map; five points win, or both opponents out in one round.",
    rules_version=2,
    rules="Two teams of heroes on a map of ten places (in the free-for-all each for itself). In your turn a character "
          "moves, attacks, and puts a die on an ability of its own or of its place: the higher the die, the more the "
          "ability does. Hidden Mayhem cards answer what others do. Points come from errands, missions and KOs; five of "
          "them win, or both opponents KO'd in one round.",
    modes=(
        Mode(key="duel", title="Duel", seats=(2,), doc="Two seats with two characters each: the standard game."),
        Mode(key="team3", title="Two against one", seats=(3,), doc="Seat 0 has two characters, seats 1 and 2 one each."),
        Mode(key="team4", title="Pairs", seats=(4,), doc="Seats 0 and 2 against seats 1 and 3, one character each."),
        Mode(key="ffa3", title="Free-for-all", seats=(3,),
             doc="Three seats in an arena with Cyborg out of control; the last one standing wins."),
        Mode(key="comp", title="Competitive", seats=(2,),
             doc="As a duel; characters and Mayhem cards are chosen freely in secret."),
    ),
    options=(
        Option(key="team0", title="Characters of the black team", kind="text", default=DRAFT, choices=(DRAFT,), maximum=60,
               doc="characters of the black team, such as robin+raven; with team1 instead of the draft"),
        Option(key="team1", title="Characters of the white team", kind="text", default=DRAFT, choices=(DRAFT,), maximum=60,
               doc="likewise of the white team"),
        Option(key="initiative", title="Initiative in round 1", kind="choice", default=DICE, choices=(DICE, "0", "1"),
               doc="the team that gets the lower roll, and with it the initiative, in round 1",
               titles={DICE: "By the dice", "0": "Black team", "1": "White team"}),
        Option(key="first_game", title="Open hands of the first game", kind="flag", default=False,
               doc="the recommended hands of the first game, open to all"),
        Option(key="flame_every_turn", title="The flamethrower burns after every turn", kind="flag", default=False,
               doc="ffa3: Cyborg's flamethrower burns after every turn"),
    ),
    prompts=PROMPTS,
    events=EVENTS.types,
    packs=("standard",),
    load_pack=lambda name: link.compile_pack(name)[0],
    features=FEATURES,
    balance=Balance(varied="team", noun="pair of characters", pairs=opposing_pairs, first="initiative", first_noun="initiative",
                    bar=(0.4, 0.6), first_bar=(0.45, 0.55)),
    max_decisions=135_000,      # RULES.md, 4.1; random games need at most about 1,600
    action_limit=64,
    search={"rollout_depth": 8},
    create=TitansGame,
))
