"""Where lists are closed: are the other seat's deck and missions drawn as the prior says (engine/mythos/RULES.md, section 7)?

The prior is worked out here once more, from what the seat observes and from the pack, without the engine's help.
"""
from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from scipy.stats import chisquare

from positions import Player
from seatmate.engine.core.game import State
from seatmate.engine.core.registry import new_game
from seatmate.engine.mythos.content import decks
from seatmate.engine.mythos.game import MythosGame
from statistics_checks import SIGNIFICANCE

Cards = tuple[str, ...]
Sample = Callable[[State, int, int], State]


def by_the_rules(state: State, seat: int, seed: int) -> State:
    """A sampled world."""
    return state.resample_from_infostate(seat, seed)


def list_of(world: State, seat: int) -> tuple[Cards, Cards]:
    """All cards and the missions of a seat in a world, sorted."""
    assert isinstance(world.game, MythosGame)
    values = world.game.everything(world)
    cards = [*values["hands"][seat], *values["unseen"][seat], *values["discards"][seat]]
    cards += [top["card"] for top in values["tops"][seat]]
    cards += [card for looked in values["looked"] if looked["seat"] == seat for card in looked["cards"]]
    for unit in values["units"]:
        cards += [unit["card"]] * (unit["owner"] == seat) + [below["card"] for below in unit["below"] if below["owner"] == seat]
    return tuple(sorted(cards)), tuple(sorted(values["triples"][seat]))


def seen_of(view: dict[str, Any], other: int) -> Counter[str]:
    """The other seat's cards that a seat sees, or saw and keeps track of."""
    cards = [*view["discards"][other], *(track["card"] for track in view["tracked"])]
    cards += [top["card"] for top in view["tops"][other] if top["card"] is not None]
    for unit in view["units"]:
        cards += [unit["card"]] * (unit["owner"] == other and unit["card"] is not None)
        cards += [below["card"] for below in unit["below"] if below["owner"] == other]
    return Counter(cards)


def explain(view: dict[str, Any], seat: int, theirs: Cards, alternate: bool) -> bool:
    """Can the open missions have come from the own three and these?"""
    open_ones = [mission["id"] for mission in view["missions"]]
    threes = {seat: view["triples"][seat], 1 - seat: theirs}
    for origins in itertools.product((0, 1), repeat=len(open_ones)):
        if alternate and origins != tuple(view["starter"] ^ (1 - number % 2) for number in range(len(origins))):
            continue
        brought = [[mission for mission, origin in zip(open_ones, origins, strict=True) if origin == who] for who in (0, 1)]
        if all(len(ids) <= 2 and not Counter(ids) - Counter(threes[who]) for who, ids in enumerate(brought)):
            return True
    return False


def check_sampled_lists(state: State, seat: int, samples: int, sample: Sample = by_the_rules) -> bool:
    """The lists of the worlds of one position: legal, with all that was seen, as often as the prior says. True if a ready-made
    deck fits; then it is one of those, each as likely. Else the cards are made up around the seen ones."""
    game = state.game
    assert isinstance(game, MythosGame)
    view, other = state.observation(seat), 1 - seat
    alternate, size = game.settings.options["mission_setup"] == "alternate", len(game.decks[other].cards)
    seen = seen_of(view, other)
    ready = {row.key: decks.ready_deck(row.key, game.pack) for row in game.pack.deck}
    named = {key: (tuple(sorted(game.names.cards[kind] for kind in deck.cards)),
                   tuple(sorted(game.names.missions[number] for number in deck.missions))) for key, deck in ready.items()}
    fitting = [deck for deck in named.values()
               if len(deck[0]) == size and not seen - Counter(deck[0]) and explain(view, seat, deck[1], alternate)]
    found = Counter(list_of(sample(state, seat, number), other) for number in range(samples))
    for cards, missions in found:
        text = "\n".join([*cards, *missions])
        assert decks.problems(decks.read_list(text, game.pack), game.pack) == [], f"seat {seat} is given an illegal deck"
        assert len(cards) == size and not seen - Counter(cards), f"seat {seat} has seen cards that the sampled deck has not"
        assert explain(view, seat, missions, alternate), f"seat {seat} can exclude the missions {missions}"
    if fitting:
        assert set(found) <= set(fitting), f"seat {seat} is given a deck that does not fit, or is none of the pack"
        uniform([found[deck] for deck in fitting], f"seat {seat}: the fitting decks")
        return True
    check_made_up(game, found, seen, size)
    ids = [mission.id for mission in game.pack.mission]
    threes = [three for three in itertools.combinations(sorted(ids), 3) if explain(view, seat, three, alternate)]
    counts: Counter[Cards] = Counter()
    for (_, missions), count in found.items():
        counts[missions] += count
    uniform([counts[three] for three in threes], f"seat {seat}: the missions")
    return False


def check_made_up(game: MythosGame, found: Counter[tuple[Cards, Cards]], seen: Counter[str], size: int) -> None:
    """What was added to the seen cards shares a group or a keyword with one of them; all such versions come as often."""
    about = {card.id: {card.group, *card.keywords} for card in game.pack.character}
    known = set().union(*(about[card] for card in seen))
    related = [card for card in about if about[card] & known]
    room = sum(2 - min(2, seen[card]) for card in related)
    counts: Counter[str] = Counter()
    for (cards, _), count in found.items():
        added = Counter(cards) - seen
        assert room < size or set(added) <= set(related), "a made-up card has nothing in common with the seen ones"
        for card, number in added.items():
            counts[card] += number * count
    uniform([counts[card] for card in related if not seen[card]], "the made-up cards")


def uniform(counts: list[int], what: str) -> None:
    """Are all as likely? Cards of one list exclude each other a little, which makes the counts only more even."""
    if len(counts) > 1:
        result = chisquare(counts)
        assert result.pvalue > SIGNIFICANCE, f"{what} are not drawn uniformly: {counts}, p = {result.pvalue:.1e}"


class DealtFromThePrior:
    """The game with the other seat's deck drawn from the prior before each deal. While nothing of it has been seen, a sampled world
    must be like such a deal."""

    def __init__(self, game: MythosGame, seat: int) -> None:
        self.seats = game.seats
        settings = game.settings
        size = len(game.decks[1 - seat].cards)
        keys = [row.key for row in game.pack.deck if len(decks.ready_deck(row.key, game.pack).cards) == size]
        self.games = [new_game(settings.game, mode=settings.mode, seats=settings.seats, pack=settings.pack or None,
                               options={**settings.options, f"deck{1 - seat}": key}) for key in keys]

    def new_state(self, seed: int) -> State:
        """Draw the deck, then deal."""
        return random.Random(seed).choice(self.games).new_state(seed)


def check_lists_along_games(game: MythosGame, seat: int, seed: int, samples: int) -> tuple[int, int]:
    """Positions of a random game at every 14th decision; returns how many of them some ready-made deck fits, and none."""
    state, player, fits = game.new_state(seed), Player(seed), [0, 0]
    while not state.is_over:
        if len(state.actions) % 14 == 0 and seat in state.pending:
            fits[not check_sampled_lists(state, seat, samples)] += 1
        acting = state.pending[0]
        state.apply_action(acting, player.action(state, acting))
    return fits[0], fits[1]
