"""Monster Chase as a registered game: settings and pack to a book, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.monster_chase.advice cimport actions, features, judgement
from seatmate.engine.monster_chase.content.book cimport fill
from seatmate.engine.monster_chase.rules cimport machine
from seatmate.engine.monster_chase.rules.cards cimport hand_audience
from seatmate.engine.monster_chase.rules.model cimport Book, Chase
from seatmate.engine.monster_chase.rules.query cimport linked, returns
from seatmate.engine.monster_chase.rules.rounds cimport clear_table
from seatmate.engine.monster_chase.secrets cimport sampling
from seatmate.engine.monster_chase.words.labels cimport args_of, label_of, question_of

from seatmate.engine.core.fields import Public
from seatmate.engine.core.glossary import entry
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.spec import Circuits, GameSpec, Mode, Option
from seatmate.engine.monster_chase.advice.actions import WORTHS
from seatmate.engine.monster_chase.advice.features import FEATURES
from seatmate.engine.monster_chase.advice.judgement import terms
from seatmate.engine.monster_chase.content.circuits import BOXES, RINGS
from seatmate.engine.monster_chase.content.link import link
from seatmate.engine.monster_chase.content.plan import plan_of
from seatmate.engine.monster_chase.content.track import built, facts, track_of
from seatmate.engine.monster_chase.secrets.checks import check_invariants, raw_of_view
from seatmate.engine.monster_chase.secrets.fields import FIELDS
from seatmate.engine.monster_chase.secrets.view import MonsterChaseView, show_hands, visible_hands
from seatmate.engine.monster_chase.words import board, scene
from seatmate.engine.monster_chase.words.drawing import draw
from seatmate.engine.monster_chase.words.events import EVENTS, meanings
from seatmate.engine.monster_chase.words.glossary import GLOSSARY, LEGEND
from seatmate.engine.monster_chase.words.names import PROMPTS, Names

cdef Rules RULES
RULES.state_size = sizeof(Chase)
RULES.init = machine.init
RULES.pending = machine.pending
RULES.prompt = machine.prompt
RULES.legal_actions = machine.legal_actions
RULES.advance = machine.advance
RULES.returns = returns
RULES.evaluate = judgement.evaluate
RULES.score_actions = actions.score_actions
RULES.resample = sampling.resample
RULES.private_key = sampling.private_key
RULES.quick_action = actions.quick_action
RULES.quiet = judgement.quiet
RULES.features = features.features


cdef class MonsterChaseGame(Game):
    """A table of Monster Chase; `names` holds the pack's ids and titles, `blank` the bytes of a table before the deal."""

    cdef Book* book
    cdef readonly object pack           # content.pack.ChasePack
    cdef readonly object plan           # content.plan.Plan
    cdef readonly object track          # content.track.Track
    cdef readonly bytes blank
    cdef readonly int vehicles
    cdef readonly tuple kinds           # per vehicle
    cdef readonly object boss           # its number, or None
    cdef readonly int max_hp
    cdef readonly tuple total           # movement cards by type
    cdef readonly dict supply           # of each kind of object and token
    cdef readonly tuple program_lengths
    cdef readonly object public         # Public: all of an observation but hands and the deck

    def __cinit__(self):
        self.rules = &RULES
        self.book = <Book*> self.new_tables(sizeof(Book))

    def __init__(self, settings):
        cdef Chase chase
        cdef int i
        linked_pack = link(settings.pack)
        super().__init__(SPEC, with_pack_hash(settings, linked_pack.loaded.hash))
        self.pack = linked_pack.loaded.content
        self.plan = plan_of(settings, self.pack)
        self.track = track_of(self.pack, self.plan.entries)
        rows = linked_pack.chase[self.plan.boss] if settings.mode == "coop" else linked_pack.race
        fill(self.book, self.pack, rows, self.track, self.plan)
        self.vehicles = self.book.vehicles
        self.kinds = tuple([self.book.kind[i] for i in range(self.vehicles)])
        self.boss = self.vehicles - 1 if settings.mode == "coop" else None
        self.max_hp = self.book.max_hp
        stables = tuple([self.book.stable[i] for i in range(self.vehicles)]) if settings.mode == "team" else ()
        self.names = Names(self.pack, self.track, self.kinds, stables, self.plan.boss, self.book.green)
        self.total = tuple([self.book.total[i] for i in range(70)])
        self.supply = {"boulders": self.book.boulders, "bombs": self.book.bombs, "slabs": self.book.slabs,
                       "shields": self.book.shields, "nitro": [self.book.nitro[i] for i in range(4)],
                       "prey": [self.book.prey_set[i] for i in range(5)]}
        self.program_lengths = tuple([self.book.program[i].n for i in range(204)])
        self.worth, self.worth_names = self.book.worth, tuple(WORTHS)
        self.set_worths({name: row[settings.mode != "coop"] for name, row in WORTHS.items()})
        clear_table(self.book, &chase)
        self.fields = FIELDS
        self.public = Public(FIELDS, self.seats, self.names.ids)
        self.blank = (<char*> &chase)[:sizeof(Chase)]

    def sees(self, int observer, int car):
        """Does the observer see the hand of a vehicle?"""
        return bool(hand_audience(self.book, car) >> observer & 1)

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        raw, shown = self.public.of(state.to_bytes())
        return {**shown, **show_hands(self, raw, visible_hands(self, raw, seat))}

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        return FIELDS.show(FIELDS.read(state.to_bytes()), None, self.seats, self.names.ids)

    def raw_of(self, values, seat):
        if seat is not None:
            return raw_of_view(self, values, seat)
        raw = FIELDS.parse(values, FIELDS.read(self.blank), self.seats, self.names.ids)
        raw["depth"] = len(raw["frames"])
        return raw

    cdef int go_on(self, State state) except -1:
        machine.go_on(self.book, <Chase*> state.data, &state.rng, &state.sink)
        return 0

    def unit(self):
        return SPEC.unit if self.boss is None else board.GRADE

    def new_view(self, int seat):
        return MonsterChaseView(self, seat)

    def check_invariants(self, State state):
        """RULES.md, section 2. Raises AssertionError."""
        check_invariants(self, FIELDS.read(state.to_bytes()))

    def links(self, State state, int car):
        """The cars a car is connected to."""
        cdef int found = linked(self.book, <Chase*> state.data, car)
        return [w for w in range(self.vehicles) if found >> w & 1]

    def distance(self, int first, int second):
        """Steps between two squares."""
        return self.book.distance[first][second]

    # ---- In words ----

    cdef int meant(self, State state, int action):
        """The option that an answer stands for."""
        return machine.meant(self.book, <Chase*> state.data, action)

    def question_text(self, State state, int seat):
        return question_of(self.book, <Chase*> state.data, seat, self.names)

    def action_label(self, State state, int seat, int action):
        return label_of(self.book, <Chase*> state.data, self.meant(state, action), self.names)

    def action_args(self, State state, int seat, int action):
        return args_of(self.book, <Chase*> state.data, self.meant(state, action), self.names)

    def event_text(self, event, int observer):
        return EVENTS.text(self.names, event, observer)

    def board_lines(self, observation, int observer):
        return board.board_lines(self.names, observation, observer)

    def event_meanings(self):
        return meanings(self.names)

    def faces(self):
        return scene.faces(self.names)

    def scene(self, observation, int observer):
        return scene.scene(self.names, self.max_hp, observation)

    def touch(self, State state, int seat, int action, observation):
        return scene.touch(self.names, observation, seat, state.prompt(seat), self.action_args(state, seat, action))

    def touched(self, State state, event, int observer):
        return scene.touched(self.names, event, EVENTS.named(event))

    def glossary(self):
        return self.names.meanings

    def legend(self):
        return [entry(key, meaning) for key, meaning in LEGEND.items()]

    def result_text(self, State state):
        raw = FIELDS.read(state.to_bytes())
        return board.result_text(self.names, FIELDS.rows["result"].words[raw["result"]], raw["hp"], raw["rank"], state.returns())

    def terms(self, State state):
        return terms(state)


CIRCUITS = ("ice_loop", "jungle_loop", "savage_loop", "chase_loop", "lucky_seven", "grand_ring", "haunted_ring", "glacier_ring",
            "nine_lives", "long_hunt", "eleven_ghosts", "marathon", "wild_marathon")
BOSSES = {"truck": "Bison Truck", "bike": "Falcon Bike", "jeep": "Sabretooth Jeep", "loco": "Cast-Iron Locomotive"}
LEVELS = {"normal": "Normal", "easy_a": "Easy: a heart instead of the double heart",
          "easy_b": "Easy: a heart and no assault instead of a heart",
          "hard_a": "Hard: a double heart instead of a heart",
          "hard_b": "Hard: a heart and no assault instead of no assault",
          "harsh_a": "Harsh: one heart more", "harsh_b": "Harsh: one double heart more"}
"""What the options `boss` and `difficulty` offer."""

SPEC = register(GameSpec(
    id="monster_chase",
    title="Monster Chase",
    summary="Rush & Bash with its Boss: cars chase it together, with missiles, rams and transfers; or they race each other.",
    rules_version=1,
    rules="Every seat drives a car around a circuit of tiles. A card has an effect you may use, such as a missile or a bomb, and a "
          "value you must drive. In the chase all play against the Boss: whoever reaches the tile with the prey first hides "
          "tokens that would heal it. Connected cars do effects, drive or reappear for each other. Without hearts at the end of "
          "a round the Boss is beaten; across the line it escapes. In races the best position wins, or the stable with the "
          "lowest sum.",
    modes=(
        Mode(key="coop", title="Chase", seats=(2, 3, 4, 5, 6, 7, 8), cooperative=True, doc="All seats against a Boss."),
        Mode(key="team", title="Team Racing", seats=(3, 4, 5, 6, 7, 8), doc="Stables of cars race each other."),
        Mode(key="race", title="Race", seats=(2, 3, 4, 5, 6, 7, 8), doc="Every car for itself."),
    ),
    options=(
        Option(key="boss", title="Boss", kind="choice", default="truck", choices=tuple(BOSSES),
               doc="the Boss of the chase", titles=BOSSES),
        Option(key="circuit", title="Circuit", kind="text", default="jungle_loop", choices=CIRCUITS, maximum=100,
               doc="a circuit, or its tile sides and turns: 01A:S,05A:R,..."),
        Option(key="difficulty", title="Difficulty", kind="choice", default="normal", choices=tuple(LEVELS),
               doc="the prey of the chase", titles=LEVELS),
        Option(key="winter", title="Winter", kind="flag", default=False,
               doc="the Winter module: ice, Magic-Nitro; snowy tiles bring it along"),
        Option(key="pilot_setup", title="Pilots", kind="choice", default="random", choices=("random", "choose"),
               doc="how pilots are given out", titles={"random": "Dealt by chance", "choose": "Chosen in turn"}),
        Option(key="stable_size", title="Cars of a stable", kind="choice", default="auto", choices=("auto", "2", "3", "4"),
               doc="cars of a stable", titles={"auto": "As many as fit", "2": "Two", "3": "Three", "4": "Four"}),
        Option(key="team_setup", title="Stables", kind="choice", default="draft", choices=("draft", "random"),
               doc="stables draft pilots and positions, or draw them",
               titles={"draft": "Draft pilots and positions", "random": "Draw them"}),
        Option(key="bots", title="Cars nobody drives", kind="int", default=-1, minimum=-1, maximum=6,
               doc="cars nobody drives, in races; -1: two with two seats, one with three, else none"),
        Option(key="bot_kind", title="Who drives those", kind="choice", default="bot", choices=("bot", "furbot"),
               doc="how bots choose", titles={"bot": "Bot", "furbot": "FurBot"}),
        Option(key="race_extras", title="Advanced Manoeuvres in races", kind="flag", default=False,
               doc="Advanced Manoeuvres, and their shields, in races, too"),
        Option(key="hands", title="Who sees hands", kind="choice", default="auto", choices=("auto", "open", "stable", "own"),
               doc="who sees hands; auto: all in the chase, the stable in teams, nobody else in races",
               titles={"auto": "As usual in the mode", "open": "Everybody", "stable": "The own stable", "own": "Nobody else"}),
        Option(key="round_cap", title="Most rounds", kind="int", default=60, minimum=10, maximum=60,
               doc="rounds after which the game ends"),
    ),
    prompts=PROMPTS,
    events=EVENTS.types,
    packs=("standard",),
    load_pack=lambda name: link(name).loaded,
    circuits=Circuits(option="circuit", tiles=RINGS, boxes=BOXES, build=built, facts=facts, draw=draw),
    features=FEATURES,
    glossary=GLOSSARY,
    max_decisions=100_000,
    action_limit=496,
    search={"rollout_depth": 8},
    create=MonsterChaseGame,
))
