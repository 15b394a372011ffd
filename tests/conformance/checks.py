"""What must hold in every game: one plain function per promise of the contract.

Each takes a Game and a seed and raises AssertionError when the promise is broken. `test_suite_catches` runs them on
broken games to show that they can fail.
"""
from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Mapping
from typing import Any

from positions import Player, play_out, play_random_game, positions, random_game, real
from seatmate.engine.core.errors import (
    ActionError,
    GameOverError,
    IllegalActionError,
    RecordError,
    SeatNotPendingError,
)
from seatmate.engine.core.game import SPECTATORS, Game, SeenEvent, State
from seatmate.engine.core.record import Record
from seatmate.engine.core.registry import game_from_settings
from seatmate.engine.core.spec import CHANCE, EventType
from seatmate.tests.native import helpers as _testing

MAX_ACTIONS = 256
MAX_STATE_BYTES = 4096


def observers(game: Game) -> list[int]:
    """All seats and the spectators."""
    return [*range(game.seats), SPECTATORS]


def fingerprint(state: State) -> tuple[object, ...]:
    """Everything about a state that a refused or a read-only call must leave alone."""
    watching = observers(state.game)
    return (state.to_bytes(), _testing.rng_words(real(state)), tuple(state.observation_key(o) for o in watching),
            tuple(state.actions), state.pending, state.asked, state.seed)


def wrong_actions(legal: list[int]) -> list[int]:
    """Actions that are not in the legal list: next to it, in its gaps, and at the ends of (and beyond) 32 bits."""
    edges = {-1, 0, 2**31 - 1, -2**31, 2**31, -2**31 - 1, 2**64}
    if legal:
        edges |= {legal[0] - 1, legal[-1] + 1}
        edges |= {action + 1 for action in legal[:-1]}
    return sorted(edges - set(legal))


def refusal(state: State, seat: int, action: int) -> tuple[type[ActionError], str]:
    """The error an action gets. Fails when it is accepted."""
    try:
        state.apply_action(seat, action)
    except ActionError as error:
        return type(error), str(error)
    raise AssertionError(f"seat {seat} was allowed the illegal action {action}")


# ---- Decisions ----

def check_decision(state: State) -> None:
    """Who is asked what at this position, and which answers there are."""
    game, spec = state.game, state.game.spec
    pending = state.pending
    assert state.is_over == (not pending)
    assert list(pending) == sorted(set(pending)) and set(pending) <= set(range(game.seats))
    assert set(pending) <= set(state.asked), f"seats {pending} may act but only {state.asked} are asked in public"
    questions = set()
    for seat in range(game.seats):
        legal = state.legal_actions(seat)
        if seat not in pending:
            assert legal == [] and state.prompt(seat) is None and state.score_actions(seat) == []
            continue
        prompt = state.prompt(seat)
        assert prompt in game.prompt_keys, f"{prompt} is not a prompt of {spec.id}"
        questions.add(spec.public_key(game.prompt_keys.index(prompt)))
        assert 1 <= len(legal) <= MAX_ACTIONS, f"{prompt} has {len(legal)} legal answers"
        assert legal == sorted(set(legal)), f"the legal answers to {prompt} are not ascending and unique: {legal}"
        assert legal == state.legal_actions(seat)
        if spec.action_limit is not None:
            assert legal[0] >= 0 and legal[-1] < spec.action_limit, f"{prompt} offers {legal}, outside 0..{spec.action_limit - 1}"
        scores = state.score_actions(seat)
        assert len(scores) == len(legal) and all(map(math.isfinite, scores)), f"scores of {prompt}: {scores}"
        labels = [state.action_label(seat, action) for action in legal]
        assert all(label.strip() for label in labels), f"an answer to {prompt} has no label"
        assert len(set(labels)) == len(labels), f"two answers to {prompt} read the same: {labels}"
        for action in legal:
            args = state.action_args(seat, action)
            assert all(isinstance(key, str) and isinstance(value, int | str) for key, value in args.items()), args
        quick = _testing.quick_action(real(state), seat, len(state.actions))
        assert quick is None or quick in legal, f"quick_action answers {quick} to {prompt}"
    assert len(questions) <= 1, f"seats pending at once answer different public questions {questions}"


def check_random_game(game: Game, seed: int) -> None:
    """A random game ends within the stated bound, asks sensible questions all the way and keeps its components."""
    conserved = getattr(game, "check_invariants", None)
    state = None
    for state in random_game(game, seed):
        check_decision(state)
        check_values(state)
        if conserved is not None:
            conserved(state)
    assert state is not None and state.is_over, f"not over after {game.spec.max_decisions} decisions"
    assert game.result_text(state).strip(), "a finished game has no result text"


def check_values(state: State) -> None:
    """evaluate and returns are utilities in [0, 1] per seat and agree at the end; features are the promised numbers."""
    game = state.game
    estimates = [state.evaluate(), *[state.evaluate(seat) for seat in range(game.seats)]]
    for estimate in estimates:
        assert len(estimate) == game.seats and all(0.0 <= value <= 1.0 for value in estimate), estimate
    if state.is_over:
        final = state.returns()
        assert all(0.0 <= value <= 1.0 for value in final), final
        for estimate in estimates:
            assert estimate == final, f"evaluate says {estimate} at the end, returns says {final}"
        if game.cooperative:
            assert len(set(final)) == 1, f"the seats of a cooperative game have different utilities {final}"
        if game.unit() == CHANCE:
            shares = {round(1 / value, 9) for value in final if value}
            assert len(shares) < 2 and shares <= {*range(1, game.seats + 1)}, f"{final} is more than won, shared or lost"
    else:
        try:
            state.returns()
        except ValueError:
            pass
        else:
            raise AssertionError("returns() answers before the end")
    for seat in range(game.seats):
        numbers = state.features(seat)
        assert len(numbers) in (0, len(game.spec.features)) and all(map(math.isfinite, numbers)), numbers


def check_refusals(game: Game, seed: int) -> None:
    """Illegal actions and wrong seats get the right error, and nothing changes, chance included."""
    for state in positions(game, seed, 6):
        before = fingerprint(state)
        control = state.clone()
        for seat in range(game.seats):
            legal = state.legal_actions(seat)
            right = GameOverError if state.is_over else IllegalActionError if legal else SeatNotPendingError
            for action in wrong_actions(legal):
                kind, text = refusal(state, seat, action)
                assert kind is right, f"seat {seat}, action {action}: {kind.__name__} instead of {right.__name__}"
                assert text.strip()
        assert refusal(state, SPECTATORS, 0)[0] in (GameOverError, SeatNotPendingError)
        for nobody in (-1, game.seats, 99):
            if nobody == SPECTATORS:
                continue
            try:
                state.apply_action(nobody, 0)
            except ValueError:
                continue
            raise AssertionError(f"seat {nobody} does not exist and was let act")
        assert fingerprint(state) == before, "a refused action changed something"
        tried = state.clone()
        for copy in (tried, control):
            play_out(copy, seed, 12)
        assert fingerprint(tried) == fingerprint(control), "after a refused action the game went on differently"


# ---- Copies, records, determinism ----

def check_clones(game: Game, seed: int) -> None:
    """A clone and its original never touch each other, however many clones were made before."""
    kept: list[tuple[State, tuple[object, ...]]] = []
    state = None
    for step, state in enumerate(random_game(game, seed)):
        if step % 7 == 0 or state.is_over:
            copy = state.clone()
            assert copy == state and fingerprint(copy) == fingerprint(state)
            kept.append((copy, fingerprint(copy)))
            played = state.clone()
            before = fingerprint(state)
            play_out(played, seed + step, 5)
            assert fingerprint(state) == before, "playing a clone changed its original"
    assert state is not None
    for copy, before in kept:
        assert fingerprint(copy) == before, "playing the original changed a clone"
        for seat, action in state.actions[len(copy.actions):]:
            copy.apply_action(seat, action)
        assert fingerprint(copy) == fingerprint(state), "a clone played on with the same actions ends elsewhere"


def check_record(game: Game, seed: int) -> None:
    """A record replays to the same bytes, survives JSON, and is refused when anything in it was changed."""
    state = play_random_game(game, seed)
    record = Record.from_json(state.record.to_json())
    assert record == state.record, "the record does not survive JSON"
    again = record.replay()
    assert fingerprint(again) == fingerprint(state)
    for observer in observers(game):
        assert again.events(observer) == state.events(observer), "a replay tells other events"
    half = record.replay(actions=len(record.actions) // 2)
    assert len(half.actions) == len(record.actions) // 2
    data = json.loads(state.record.to_json())
    last_seat, last_action = data["actions"][-1]
    broken: dict[str, dict[str, Any]] = {
        "a digit of the digest": {"digest": "0" * len(data["digest"])},
        "the last action is missing": {"actions": data["actions"][:-1]},
        "an action too many": {"actions": [*data["actions"], [last_seat, last_action]]},
        "an illegal action": {"actions": [*data["actions"][:-1], [last_seat, 2**31 - 1]]},
        "a seat that does not exist": {"actions": [[2**40, 0], *data["actions"]]},
        "other rules": {"rules_version": data["rules_version"] + 1},
        "other content": {"settings": {**data["settings"], "pack_hash": "other"}},
        "another game": {"settings": {**data["settings"], "game": "no such game"}},
        "another seat count": {"settings": {**data["settings"], "seats": 99}},
        "no seed": {"seed": None},
        "a negative seed": {"seed": "-1"},
        "another format": {"format": 0},
    }
    for what, change in broken.items():
        try:
            Record.from_json(json.dumps({**data, **change})).replay()
        except RecordError as error:
            assert str(error).strip()
        else:
            raise AssertionError(f"a record was replayed although it was tampered with: {what}")


def check_settings(game: Game) -> None:
    """Settings survive JSON and give the same game again; the struct is as large as stated and has no stray bytes."""
    again = game_from_settings(json.loads(json.dumps(game.settings.to_json())))
    assert again.settings == game.settings
    assert 0 < game.state_bytes <= MAX_STATE_BYTES
    assert len(game.new_state(1).to_bytes()) == game.state_bytes
    assert again.new_state(5) == game.new_state(5)


def check_determinism(game: Game, seed: int) -> None:
    """A seed is a deal. Recording, listening only to keys, and not listening at all play the same game."""
    deal = game.new_state(seed)
    (clean, words), (dirty, _) = (_testing.silent_deal(real_game(game), seed, fill) for fill in (0x00, 0xA5))
    assert clean == dirty, f"init leaves byte {first_difference(clean, dirty)} of its buffer unwritten"
    assert words == _testing.rng_words(real(deal)), "init draws other random numbers when nobody listens (the sink is NULL)"
    assert clean == deal.to_bytes(), "init deals something else when nobody listens (the sink is NULL)"
    quiet = game.new_state(seed, record_events=False)
    player = Player(seed)
    while not deal.is_over:
        seat, action = player.choose(deal)
        question = deal.prompt(seat)
        silent, words = _testing.silent_step(real(deal), seat, action)
        deal.apply_action(seat, action)
        quiet.apply_action(seat, action)
        assert words == _testing.rng_words(real(deal)), \
            f"an answer to {question} draws other random numbers when nobody listens (the sink is NULL), as in rollouts"
        assert silent == deal.to_bytes(), f"an answer to {question} does something else when nobody listens (the sink is NULL)"
        assert fingerprint(quiet) == fingerprint(deal)


def first_difference(left: bytes, right: bytes) -> int:
    """The first place where two states differ."""
    return next(place for place, (a, b) in enumerate(zip(left, right, strict=True)) if a != b)


def real_game(game: Any) -> Game:
    """The Game itself where a test wraps one."""
    while hasattr(game, "wrapped"):
        game = game.wrapped
    assert isinstance(game, Game)
    return game


# ---- Information ----

def check_view(game: Game, seed: int) -> None:
    """A View fed with a seat's events equals the observation at every step, for all seats and the spectators."""
    chunks = random.Random(seed)
    types = {kind.key: kind for kind in game.spec.events}
    views = {observer: game.new_view(observer) for observer in observers(game)}
    late = {observer: game.new_view(observer) for observer in observers(game)}
    watching = list(views)
    for state in random_game(game, seed):
        turn = watching[len(state.actions) % len(watching)]     # each in its turn: boards take time
        for observer, view in views.items():
            new = state.events(observer, since=view.sequence)
            view.feed(new)
            assert view.sequence == state.sequence(observer)
            seen = state.observation(observer)
            assert view.snapshot() == seen, difference(f"observer {observer} after {len(state.actions)} decisions",
                                                       view.snapshot(), seen)
            for event in new:
                check_event(game, types, event, observer)
            if chunks.random() < 0.2:
                behind = state.events(observer, since=late[observer].sequence)
                late[observer].feed(behind[:chunks.randint(0, len(behind))])
            if observer == turn:
                assert json.loads(json.dumps(seen)) == seen, "an observation is not made of plain JSON values"
                assert all(isinstance(line, str) for line in game.board_lines(seen, observer))
    for observer, view in late.items():
        view.feed(state.events(observer, since=view.sequence))
        assert view.snapshot() == state.observation(observer), "a view fed in pieces differs from one fed step by step"
        history = state.events(observer)
        assert [event.sequence for event in history] == list(range(1, len(history) + 1))
        middle = len(history) // 2
        assert state.events(observer, since=middle) == history[middle:]
        try:
            game.new_view(observer).feed(history[1:])
        except ValueError:
            continue
        raise AssertionError("a view does not notice a missing event")


def check_event(game: Game, types: Mapping[str, EventType], event: SeenEvent, observer: int) -> None:
    """An event of the game has no more arguments than its type names (a list may be shorter), and a text."""
    if event.key in types:
        assert len(event.args) <= len(types[event.key].args), f"{event} should carry {types[event.key].args}"
        assert isinstance(game.event_text(event, observer), str)


def difference(where: str, left: Any, right: Any) -> str:
    """The values in which two observations differ, each with its path, for a failure message."""
    return f"{where}: " + "; ".join(itertools.islice(differences(left, right, ""), 8))


def differences(left: Any, right: Any, path: str) -> Iterator[str]:
    """`path: left / right` for every value that differs in two nested structures."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in sorted(left.keys() | right.keys(), key=str):
            yield from differences(left.get(key), right.get(key), f"{path}.{key}".removeprefix("."))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif left != right:
        yield f"{path}: {left!r} / {right!r}"


def answers(state: State, seat: int) -> dict[str, Any]:
    """All that a seat can find out about a position by asking, errors included."""
    legal = state.legal_actions(seat)
    game = state.game
    return {
        "observation": state.observation(seat),
        "spectators": state.observation(SPECTATORS),
        "board": game.board_lines(state.observation(seat), seat),
        "key": state.observation_key(seat),
        "public key": state.observation_key(SPECTATORS),
        "private key": state.private_key(seat),
        "prompt": state.prompt(seat),
        "over": state.is_over,
        "asked": state.asked,
        "legal": legal,
        "scores": state.score_actions(seat),
        "quick": _testing.quick_action(real(state), seat, 1) if legal else None,
        "labels": [(state.action_label(seat, action), state.action_args(seat, action)) for action in legal],
        "errors": [refusal(state.clone(), seat, action) for action in wrong_actions(legal)],
        "estimate": state.evaluate(seat),
        "result": state.returns() if state.is_over else None,
    }


def check_same_information(game: Game, seed: int) -> None:
    """Whatever a seat asks about a sampled world, the answer is the one of the true world."""
    for number, state in enumerate(positions(game, seed, 8)):
        for seat in range(game.seats):
            truth = answers(state, seat)
            for sample in range(3):
                world = state.resample_from_infostate(seat, 100 * number + sample)
                sampled = answers(world, seat)
                assert sampled == truth, difference(f"seat {seat} can tell a sampled world", truth, sampled)


def check_resample_is_function_of_view(game: Game, seed: int) -> None:
    """Equal views and seeds give the same world, bit for bit: from the true, a sampled, or no world but the view."""
    views = [game.new_view(seat) for seat in range(game.seats)]
    for number, state in enumerate(positions(game, seed, 8)):
        for seat, view in enumerate(views):
            view.feed(state.events(seat, since=view.sequence))
            for sample in range(3):
                again = 1000 * number + sample
                world = state.resample_from_infostate(seat, again)
                other = state.resample_from_infostate(seat, again + 500).resample_from_infostate(seat, again)
                same = fingerprint(other)[:3] == fingerprint(world)[:3]
                assert same, f"seat {seat}: its sampled world depends on the true one"
                try:
                    alone = game.state_from_view(view.snapshot(), seat, again)
                except ValueError:
                    # Hints are for decisions: a game may refuse the view of a seat that is not asked anything.
                    assert seat not in state.pending
                    continue
                assert alone.to_bytes() == world.to_bytes(), \
                    f"seat {seat}: the world of the view is another one: {other_world(world, alone)}"
                assert fingerprint(alone)[1] == fingerprint(world)[1], f"seat {seat}: the view's world has other chance"
                assert alone.seed is None and world.seed is None, "a sampled world has a seed and so a record"


def other_world(world: State, other: State) -> str:
    """In what two worlds differ: what somebody sees or is asked there, else a number of the rules, else a byte of the struct."""
    game = world.game
    for observer in observers(game):
        if world.observation(observer) != other.observation(observer):
            who = "the spectators" if observer == SPECTATORS else f"seat {observer}"
            return difference(f"what {who} would see", world.observation(observer), other.observation(observer))
    for name in ("private_key", "legal_actions", "score_actions", "features", "evaluate"):
        for seat in range(game.seats):
            left, right = getattr(world, name)(seat), getattr(other, name)(seat)
            if left != right:
                return f"{name} of seat {seat}: {left} / {right}"
    place = first_difference(world.to_bytes(), other.to_bytes())
    return f"byte {place} of its struct, which nothing shows: {world.to_bytes()[place]} / {other.to_bytes()[place]}"


def beyond(public: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What the own observation has and the public one has not."""
    return {key: value for key, value in own.items() if value != public.get(key)}


def private_part(state: State, seat: int) -> dict[str, Any]:
    """What the seat sees and the spectators do not, its own question aside."""
    found = beyond(state.observation(SPECTATORS), state.observation(seat))
    found.pop("prompt", None)
    return found


def check_resample_varies(game: Game, seed: int, samples: int = 24) -> None:
    """Where other seats know something a seat does not, its sampled worlds differ from each other in just that."""
    pairs = [(seat, other) for seat in range(game.seats) for other in range(game.seats) if other != seat]
    secrets: dict[tuple[int, int], set[int]] = {pair: set() for pair in pairs}
    openings: list[State] = [game.new_state(seed + deal) for deal in range(40)]
    for state in openings:
        seen = [state.observation(seat) for seat in range(game.seats)]
        private = [private_part(state, seat) for seat in range(game.seats)]
        for seat, other in pairs:
            if any(seen[seat].get(key) != value for key, value in private[other].items()):      # mates may see the same
                secrets[seat, other].add(state.private_key(other))
    for seat in range(game.seats):
        for other in range(game.seats):
            if other != seat and len(secrets[seat, other]) > 1:
                worlds = [openings[0].resample_from_infostate(seat, sample) for sample in range(samples)]
                sampled = {world.private_key(other) for world in worlds}
                assert len(sampled) > 1, f"seat {seat}'s worlds all give seat {other} the same private information"
    asked = varied = 0
    for number, state in enumerate(positions(game, seed, 12)):
        for seat in range(game.seats):
            if any(private_part(state, other) for other in range(game.seats) if other != seat):
                first = samples * number
                worlds = [state.resample_from_infostate(seat, first + sample) for sample in range(samples)]
                asked += 1
                varied += len({world.to_bytes() for world in worlds}) > 1
    # A seat can work out what is hidden now and then (two thirds of the time in a Goofspiel of four cards), but not always.
    assert 4 * varied >= asked, f"sampled worlds vary at {varied} of {asked} positions with private information"


def check_private_key(game: Game, seed: int) -> None:
    """Among worlds with one public history, a seat's private keys are equal exactly where its observations are.

    Worlds are deals that look alike to spectators, and samples of other seats, which can't have what those hold themselves.
    """
    deals: dict[str, list[State]] = {}
    for deal in range(40):
        state = game.new_state(seed + deal)
        deals.setdefault(json.dumps(state.observation(SPECTATORS), sort_keys=True), []).append(state)
    for worlds in deals.values():
        for seat in range(game.seats):
            keys_are_views(worlds, seat)
    for number, state in enumerate(positions(game, seed, 5)):
        for seat in range(game.seats):
            worlds = [state.resample_from_infostate(seat, 50 * number + sample) for sample in range(96 // max(4, game.seats))]
            for other in range(game.seats):
                if other != seat:
                    keys_are_views(worlds, other)


def keys_are_views(worlds: list[State], seat: int) -> None:
    """The seat's private keys are equal exactly where its observations are."""
    seen: dict[int, dict[str, Any]] = {}
    for world in worlds:
        key, view = world.private_key(seat), {**world.observation(seat), "asked": None, "question": None}
        if key not in seen:
            assert view not in seen.values(), f"seat {seat}: equal views, different keys"
            seen[key] = view
        assert view == seen[key], f"seat {seat}: different views, equal keys"


def check_resample_plays_on(game: Game, seed: int) -> None:
    """Every sampled world plays on to the end like a dealt one, keeping its components."""
    conserved = getattr(game, "check_invariants", None)
    for number, state in enumerate(positions(game, seed, min(6, 24 // game.seats))):
        for seat in range(game.seats):
            world = state.resample_from_infostate(seat, 10 * number + seat)
            if conserved is not None:
                conserved(world)
            player = Player(seed + number)
            done = len(state.actions)
            while not world.is_over:
                check_decision(world)
                acting, action = player.choose(world)
                world.apply_action(acting, action)
                done += 1
                if conserved is not None:
                    conserved(world)
                assert done <= game.spec.max_decisions, "a sampled world does not end within the bound"
            check_values(world)


def check_sampled_worlds_keep_every_rule(game: Game, seed: int) -> None:
    """At every decision of a game each seat's sampled world is a position of the rules: late ones, too, which say most.

    Whoever is asked has an answer there: an answer given before may say something of the cards that are dealt anew.
    """
    conserved = getattr(game, "check_invariants", None)
    for number, state in enumerate(random_game(game, seed)):
        for seat in range(game.seats):
            world = state.resample_from_infostate(seat, number)
            if conserved is not None:
                conserved(world)
            for asked in world.pending:
                assert world.legal_actions(asked), f"seat {asked} has no answer to {world.prompt(asked)} in a world of seat {seat}"


def check_commitments_are_secret(game: Game, seed: int) -> int:
    """Where several seats are pending, nobody sees another seat's commitment. Returns how many were tried."""
    tried = 0
    for state in random_game(game, seed):
        pending = state.pending
        if len(pending) < 2:
            continue
        for seat in pending:
            others = [observer for observer in observers(game) if observer != seat]
            seen = {observer: visible(state, observer) for observer in others}
            for action in state.legal_actions(seat):
                after = state.clone()
                after.apply_action(seat, action)
                tried += 1
                for observer in others:
                    assert visible(after, observer) == seen[observer], \
                        f"observer {observer} notices that seat {seat} has committed to {action}"
    return tried


def check_public_choices(game: Game, seed: int) -> None:
    """What GameSpec.public_choices promises: all see every choice at once, and what a seat holds in private stays."""
    if not game.spec.public_choices:
        return
    held: list[int] | None = None
    for state in random_game(game, seed):
        private = [state.private_key(seat) for seat in range(game.seats)]
        assert held is None or private == held, "what a seat holds in private has changed"
        held = private
        assert len(state.pending) <= 1, "several seats choose at the same time"
        for seat in state.pending:
            keys = {state.observation_key(SPECTATORS)}
            for action in state.legal_actions(seat):
                after = state.clone()
                after.apply_action(seat, action)
                keys.add(after.observation_key(SPECTATORS))
            assert len(keys) == 1 + len(state.legal_actions(seat)), f"spectators can't tell what seat {seat} chose"


def visible(state: State, observer: int) -> tuple[Any, ...]:
    """An observer's view, its history's key and the question it is asked."""
    seat_only = () if observer == SPECTATORS else (state.legal_actions(observer), state.private_key(observer))
    return (state.observation(observer), state.observation_key(observer), state.asked, *seat_only)


def check_reading_changes_nothing(game: Game, seed: int) -> None:
    """Looking, sampling worlds and estimating never change a table: neither the position nor the chance to come."""
    for state in positions(game, seed, 4):
        before = fingerprint(state)
        future = state.clone()
        play_out(future, seed, 20)
        for seat in range(game.seats):
            answers(state, seat)
            play_out(state.resample_from_infostate(seat, 7), 7, 20)
            state.features(seat)
            state.events(seat)
        state.evaluate()
        assert state.record.actions == tuple(state.actions)
        assert fingerprint(state) == before, "reading a table changed it"
        again = state.clone()
        play_out(again, seed, 20)
        assert fingerprint(again) == fingerprint(future), "reading a table changed its chance"
