"""Mythos as a registered game: settings and pack to tables, states to plain values and back, answers in words."""
from seatmate.engine.core.contract cimport Rules
from seatmate.engine.core.game cimport Game, State
from seatmate.engine.mythos.advice cimport actions, features, judgement, quick
from seatmate.engine.mythos.content.tables cimport fill_options, fill_pack
from seatmate.engine.mythos.rules cimport flow, model
from seatmate.engine.mythos.rules.model cimport Mythos, Book
from seatmate.engine.mythos.rules.query cimport power, total_power
from seatmate.engine.mythos.secrets cimport sampling
from seatmate.engine.mythos.words.labels cimport args_of, label_of, question_of

from seatmate.engine.core.errors import SettingsError
from seatmate.engine.core.registry import register, with_pack_hash
from seatmate.engine.core.spec import GameSpec, Mode, Option
from seatmate.engine.mythos.advice.features import FEATURES
from seatmate.engine.mythos.advice.judgement import terms
from seatmate.engine.mythos.content import decks, link
from seatmate.engine.mythos.secrets.checks import check_view
from seatmate.engine.mythos.secrets.fields import FIELDS, FRAME
from seatmate.engine.mythos.secrets.positions import raw_of, track_values, values_of
from seatmate.engine.mythos.rules.invariants import check
from seatmate.engine.mythos.content.tables import check_sizes
from seatmate.engine.mythos.secrets.view import MythosView
from seatmate.engine.mythos.words import cards, scene
from seatmate.engine.mythos.words.events import EVENTS, meanings, result_text
from seatmate.engine.mythos.words.glossary import TERMS, explain
from seatmate.engine.mythos.words.names import PROMPTS, names_of

cdef Rules RULES
RULES.state_size = sizeof(Mythos)
RULES.init = flow.init
RULES.pending = flow.pending
RULES.asked = flow.asked
RULES.prompt = flow.prompt
RULES.legal_actions = flow.legal_actions
RULES.advance = flow.advance
RULES.returns = model.returns
RULES.evaluate = judgement.evaluate
RULES.score_actions = actions.score_actions
RULES.resample = sampling.resample
RULES.private_key = sampling.private_key
RULES.quick_action = quick.quick_action
RULES.quiet = judgement.quiet
RULES.features = features.features


cdef class MythosGame(Game):
    """A table of Mythos with its two decks; `names` holds the pack's ids and titles."""

    cdef Book* t
    cdef readonly object pack           # pack.MythosPack
    cdef readonly object compiled       # link.Compiled
    cdef readonly tuple decks           # two decks.Deck
    cdef dict shown                     # faces, once they have been asked for
    cdef readonly object frame_fields   # FRAME of secrets/fields.pyx, with the pack's ids

    def __cinit__(self):
        self.rules = &RULES
        self.t = <Book*> self.new_tables(sizeof(Book))

    def __init__(self, settings):
        loaded, self.compiled = link.compile_pack(settings.pack)
        super().__init__(SPEC, with_pack_hash(settings, loaded.hash))
        self.pack = loaded.content
        self.names = names_of(loaded, self.compiled)
        self.fields, self.frame_fields = FIELDS.named(self.names), FRAME.named(self.names)
        chosen = []
        for seat in range(2):
            try:
                chosen.append(decks.deck_of_option(settings.options[f"deck{seat}"], self.pack, seat))
            except decks.DeckError as error:
                raise SettingsError(f"options.deck{seat}", str(error)) from None
        if settings.options["open_decklists"]:
            for seat in range(2):
                if decks.is_unknown(settings.options[f"deck{seat}"]):
                    raise SettingsError(f"options.deck{seat}", "a deck is unknown with closed lists only (open_decklists=no)")
        self.decks = tuple(chosen)
        fill_pack(self.t, loaded, self.compiled)
        judgement.fill_worth(self.t)
        fill_options(self.t, settings.options, chosen)

    def check_dealable(self):
        """Raises SettingsError where a deck is not told: a seat's position can be judged without it, but not dealt."""
        for seat in range(2):
            if decks.is_unknown(self.settings.options[f"deck{seat}"]):
                raise SettingsError(f"options.deck{seat}", "a deck one has not been told cannot be played; "
                                    f"\"{decks.UNKNOWN}:{len(self.decks[seat].cards)}\" is for positions of closed lists")

    # ---- Positions as plain values ----

    def observation(self, State state, int seat):
        values = values_of(self, self.fields.read(state.to_bytes()), seat)
        self.tell_power(values, <Mythos*> state.data)
        return values

    def everything(self, State state):
        """The position with all cards open (for tests and records of finished games); `position` reads it back."""
        raw = self.fields.read(state.to_bytes())
        values = values_of(self, raw, None)
        self.tell_power(values, <Mythos*> state.data)
        values["asked"] = list(state.pending)
        values["prompt"] = PROMPTS[raw["question_number"]].key if values["asked"] else None
        values["question"] = None
        values["tracks"] = [track_values(self, raw, seat) for seat in range(2)]
        return values

    def raw_of(self, values, seat):
        if seat is not None and decks.is_unknown(self.settings.options[f"deck{seat}"]):
            raise ValueError(f"seat {seat} knows its own deck: deck{seat} must name it")
        raw = raw_of(self, values, seat)
        if seat is not None:
            check_view(self, values, seat)
        return raw

    def add_power(self, values, int seat):
        """Fill in the power of units and missions, which follows from the rest of an observation. Raises ValueError."""
        cdef bytes data = self.fields.write(raw_of(self, values, seat))
        self.tell_power(values, <Mythos*> <char*> data)

    cdef tell_power(self, values, const Mythos* world):
        for unit in values["units"]:
            unit["power"] = power(self.t, world, unit["slot"])
        for number, mission in enumerate(values["missions"]):
            mission["power"] = [total_power(self.t, world, number, 0), total_power(self.t, world, number, 1)]

    def new_view(self, int seat):
        return MythosView(self, seat)

    def check_invariants(self, State state):
        """What holds in every position (invariants.pyx). Raises AssertionError."""
        check(self, state)

    # ---- In words ----

    def label(self, State state, int seat, int action):
        return label_of(self.t, <Mythos*> state.data, seat, action, self.names)

    def question_text(self, State state, int seat):
        answers = len(state.legal_actions(seat))
        return question_of(self.t, <Mythos*> state.data, seat, answers, self.names, Game.question_text(self, state, seat))

    def action_args(self, State state, int seat, int action):
        return args_of(self.t, <Mythos*> state.data, seat, action, self.names)

    def event_text(self, event, int observer):
        return EVENTS.text(self.names, event, observer)

    def event_meanings(self):
        return meanings(self.names)

    def faces(self):
        if self.shown is None:
            self.shown = scene.faces(self.pack)
        return self.shown

    def scene(self, observation, int observer):
        return scene.scene(self.pack, observation, observer)

    def touch(self, State state, int seat, int action, observation):
        return scene.touch(observation, seat, state.prompt(seat), self.action_args(state, seat, action),
                           len(state.legal_actions(seat)) > 1)

    def touched(self, State state, event, int observer):
        return scene.touched(event, EVENTS.named(event))

    def final_scores(self, State state):
        return "points", self.everything(state)["points"]

    def result_text(self, State state):
        return result_text(self.everything(state))

    def settings_for(self, int observer):
        values = self.settings.to_json()
        if self.secret_settings:
            for seat in range(2):
                if seat != observer:
                    values["options"][f"deck{seat}"] = f"{decks.UNKNOWN}:{len(self.decks[seat].cards)}"
        return values

    def glossary(self):
        return TERMS

    def legend(self):
        return [*explain("legend"), *explain("mission")]

    def describe(self, observation, int observer, text):
        return cards.describe(self.pack, self.names, observation, observer, text)

    def terms(self, State state):
        return terms(state)

    @property
    def secret_settings(self):
        """With closed lists a seat does not know all settings: sampled worlds follow a prior over decks instead."""
        return not self.t.open_lists


def _load_pack(name: str):
    """A pack for the catalog and the command line. Raises PackError, also for effects that the rules don't carry out."""
    loaded, rows = link.compile_pack(name)
    check_sizes(loaded, rows)
    return loaded


def _read_deck(text: str, pack: str):
    """A deck in words, for the command line. Raises SettingsError that names all that is wrong, PackError."""
    loaded, _ = link.compile_pack(pack)
    if decks.is_unknown(text):
        raise SettingsError("deck", f"{text.strip()!r} is a deck one has not been told; there is nothing to read")
    try:
        return decks.describe(decks.deck_of_option(text.strip(), loaded.content, most=999), loaded.content)
    except decks.DeckError as error:
        raise SettingsError("deck", str(error)) from None


DECKS = ("leaf", "sand", "sound", "rogue", "sannin", "hunters")
_DECK_DOC = "a ready-made deck, a list such as \"2 KS-009, ..., MSS-02\", random:SEED, or random: random:0 or, for seat 1, random:1"

SPEC = register(GameSpec(
    id="mythos",
    title="Naruto Mythos",
    summary="Trading-card game for two: ninjas, face up or hidden, fight for four missions over four rounds.",
    rules_version=2,
    rules="Four rounds. Each round a mission is turned up, and in turn you pay chakra to play a character at a mission, "
          "face up or hidden for one chakra, reveal a hidden one, or pass. When both have passed, more power at a "
          "mission wins its points. Most points after round 4 win.",
    modes=(Mode(key="standard", title="Standard", seats=(2,), doc="Four rounds; the most mission points win."),),
    options=(
        Option(key="deck0", title="Deck of seat 0", kind="text", default="leaf", choices=(*DECKS, decks.RANDOM), maximum=2000,
               doc=f"deck of seat 0: {_DECK_DOC}"),
        Option(key="deck1", title="Deck of seat 1", kind="text", default="sand", choices=(*DECKS, decks.RANDOM), maximum=2000,
               doc=f"deck of seat 1: {_DECK_DOC}"),
        Option(key="open_decklists", title="Open deck lists", kind="flag", default=True,
               doc="the seats know each other's lists; if not, tables and records show no deck to the other seat"),
        Option(key="first", title="Edge in round 1", kind="choice", default="random", choices=("random", "0", "1"),
               doc="who holds the Edge in round 1", titles={"random": "By chance", "0": "Seat 0", "1": "Seat 1"}),
        Option(key="mission_setup", title="Missions", kind="choice", default="casual", choices=("casual", "alternate"),
               doc="how the mission deck is put together",
               titles={"casual": "Shuffled together", "alternate": "In turn from both decks"}),
        Option(key="reveal_wait", title="Reveal in a later round only", kind="flag", default=False,
               doc="a hidden character can be revealed in a later round only"),
        Option(key="hidden_cost_attr", title="Cost of hidden characters", kind="choice", default="0", choices=("0", "1"),
               doc="what a hidden character costs for effects", titles={"0": "Nothing", "1": "One chakra"}),
        Option(key="enemy_clash", title="Enemies may move a name onto itself", kind="flag", default=True,
               doc="an enemy effect may move a character to one of its own name"),
        Option(key="skip_gain", title="Take gains without asking", kind="flag", default=False,
               doc="effects that only give their owner something are taken without asking"),
    ),
    prompts=PROMPTS,
    events=EVENTS.types,
    packs=("standard",),
    load_pack=_load_pack,
    features=FEATURES,
    read_deck=_read_deck,
    max_decisions=1000,         # proven: RULES.md, R94; random games with random decks have at most 117 in 200,000
    action_limit=256 * 49,      # EFFECT: 256 * slot + line, slot 48 for a card
    search={"rollout_depth": 8},         # ai/search/TUNING.md
    create=MythosGame,
))
