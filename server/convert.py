"""Between the engine's plain values and the messages of the API."""
from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal, Protocol, get_args

from seatmate.ai.search import Analysis, Candidate
from seatmate.ai.search.review import Judged
from seatmate.client.messages import option_value
from seatmate.engine.core.errors import SeatmateError, nearest
from seatmate.engine.core.game import SPECTATORS, Game, SeenEvent, State
from seatmate.engine.core.meanings import SEATS, Kind, Meaning, Meanings
from seatmate.engine.core.registry import game_spec
from seatmate.engine.core.scene import Layout, Link, Scene, Shape, Thing, Touch, Zone
from seatmate.engine.core.spec import EventType, OptionValue
from seatmate.server import clock, mappers, names
from seatmate.server.called import template
from seatmate.server.errors import ApiError, Code, bad_field, from_engine
from seatmate.server.games import shared_game
from seatmate.server.live import LiveTable
from seatmate.server.moments import Moment
from seatmate.server.rows import SeatRow, TableRow
from seatmate.server.tables_in_memory import UnreadableTable
from seatmate.v1 import action_pb2, analysis_pb2, event_pb2, observation_pb2, scene_pb2, settings_pb2, table_pb2

MAX_OPTIONS = 32
MAX_ARGS = 16
"""Of one event: MAX_EVENT_ARGS in engine/core/types.pxd."""
MAX_TEXT = 200

_HOLDERS = {"open": table_pb2.Seat.HOLDER_OPEN, "player": table_pb2.Seat.HOLDER_PLAYER,
            "bot": table_pb2.Seat.HOLDER_BOT}

_LAYOUTS = {name: scene_pb2.Zone.Layout.Value(f"LAYOUT_{name.upper()}") for name in get_args(Layout)}
_SHAPES = {name: scene_pb2.Thing.Shape.Value(f"SHAPE_{name.upper()}") for name in get_args(Shape)}

# ---- Settings ----

def game_from_request(settings: settings_pb2.GameSettings, path: str, *, described: bool = False) -> Game:
    """The game of requested settings; `path` is their place in the request. Raises ApiError that names the field.

    described: the settings are those of a position, which may leave open what its seat does not know.
    """
    prefix = f"{path}."
    if not settings.game:
        raise bad_field(f"{prefix}game", "a game is needed, such as 'games/hyde'")
    game_id = names.parse_game(settings.game, f"{prefix}game")
    if len(settings.options) > MAX_OPTIONS:
        raise bad_field(f"{prefix}options", f"{len(settings.options)} options; no game has more than {MAX_OPTIONS}")
    texts = (("mode", settings.mode), ("pack", settings.pack), *(("options", key) for key in settings.options))
    for name, text in texts:
        if len(text) > MAX_TEXT:
            raise bad_field(f"{prefix}{name}", f"{len(text)} characters; at most {MAX_TEXT} are allowed")
    if unshown := next((key for key in settings.options if not key.isprintable()), None):
        raise bad_field(f"{prefix}options", f"{unshown!r} is no key of an option")
    if not 0 <= settings.seat_count <= 8:
        raise bad_field(f"{prefix}seat_count", f"{settings.seat_count} is outside 1..8 (0: as many as the mode allows)")
    try:
        spec = game_spec(game_id)
        if settings.pack and settings.pack not in spec.packs:
            raise bad_field(f"{prefix}pack", f"{settings.pack!r} is not a content pack of {game_id}; it has "
                            f"{', '.join(spec.packs) or 'none'}{nearest(settings.pack, spec.packs)}", "BAD_SETTING")
        longest = {option.key: option.maximum for option in spec.options if option.kind == "text"}
        options = {key: _option_from(value, f"{prefix}options.{key}", longest.get(key, MAX_TEXT))
                   for key, value in settings.options.items()}
        game = shared_game(game_id, mode=settings.mode or None, seats=settings.seat_count or None, options=options,
                           pack=settings.pack or None, described=described)
    except SeatmateError as error:
        raise from_engine(error, prefix) from None
    for name, wanted, have in (("pack_hash", settings.pack_hash, game.settings.pack_hash),
                               ("rules_version", settings.rules_version, spec.rules_version)):
        if wanted and wanted != have:
            raise ApiError(Code.FAILED_PRECONDITION, "OTHER_RULES_OR_CONTENT",
                           f"{prefix}{name}: this service has {have!r}, not {wanted!r}", metadata={name: have})
    return game


def _option_from(value: settings_pb2.OptionValue, field: str, longest: int) -> OptionValue:
    """An option's value; `longest`: how many characters its text may have. Raises ApiError."""
    match value.WhichOneof("kind"):
        case "text":
            if len(value.text) > longest:
                raise bad_field(field, f"{len(value.text)} characters; at most {longest} are allowed")
            return value.text
        case "number":
            return value.number
        case "flag":
            return value.flag
        case "ids":
            if len(value.ids.ids) > 8 or any(len(item) > MAX_TEXT for item in value.ids.ids):
                raise bad_field(field, f"at most 8 ids of at most {MAX_TEXT} characters are allowed")
            return tuple(value.ids.ids)
        case _:
            raise bad_field(field, "the option has no value")


def settings_to_message(settings: Mapping[str, Any], rules_version: int) -> settings_pb2.GameSettings:
    """Stored settings (Settings.to_json)."""
    return settings_pb2.GameSettings(
        game=f"games/{settings['game']}", mode=settings["mode"], seat_count=settings["seats"],
        options={key: option_value(value) for key, value in settings["options"].items()},
        pack=settings["pack"], pack_hash=settings["pack_hash"], rules_version=rules_version)


class Seeded(Protocol):
    """A request with a seed, as a number and as text."""

    seed: int
    seed_text: str

    def HasField(self, name: Literal["seed"], /) -> bool:
        """Is it set?"""


def seed_from_request(request: Seeded) -> int | None:
    """The seed of a request; None if it has none. Raises ApiError."""
    text = request.seed_text
    if not text:
        return request.seed if request.HasField("seed") else None
    if not (text.isascii() and text.isdecimal() and len(text) <= 20 and int(text) < 2**64):
        raise bad_field("seed_text", f"{text[:40]!r} is no whole number from 0 to 2^64 - 1")
    if request.HasField("seed") and request.seed != int(text):
        raise bad_field("seed_text", f"{text} is not the seed, {request.seed}")
    return int(text)

# ---- Actions and events ----

def actions_to_messages(state: State, seat: int, seen: Mapping[str, Any] | None = None) -> list[action_pb2.Action]:
    """All legal actions of the seat. seen: as for `touches`."""
    prompt = state.prompt(seat) or ""
    return [spoken_action(action, prompt, state.action_label(seat, action), state.action_args(seat, action), touch)
            for action, touch in touches(state, seat, seen).items()]


def touches(state: State, seat: int, seen: Mapping[str, Any] | None = None) -> dict[int, Touch]:
    """How each legal action of the seat is given by hand. seen: the seat's observation, where it is there already."""
    if seen is None:
        seen = state.observation(seat)
    return {action: state.game.touch(state, seat, action, seen) for action in state.legal_actions(seat)}


def spoken_action(action: int, prompt: str, label: str, args: Mapping[str, int | str], touch: Touch) -> action_pb2.Action:
    """An action in words."""
    return action_pb2.Action(id=action, prompt=prompt, label=label, **touch._asdict(), args={
        key: action_pb2.Value(text=value) if isinstance(value, str) else action_pb2.Value(number=value)
        for key, value in args.items()})


ARGUMENT_KINDS = {name: event_pb2.EventArgument.Kind.Value(f"KIND_{name.upper()}") for name in get_args(Kind)}


@functools.lru_cache(64)
def meanings(game: Game) -> Meanings:
    """What the integers of the game's events stand for."""
    return Meanings(game.spec, game.event_meanings())


@functools.lru_cache(16_384)
def _arguments(game: Game, event: str, values: tuple[int, ...]) -> bytes:
    """An event with nothing but what its integers stand for, serialized. A list at the end repeats the last name."""
    labels, stand_for = _kinds(game.spec.id)[event].args, meanings(game)[event]
    return event_pb2.Event(args=[
        _argument(labels[min(i, len(labels) - 1)], value, stand_for[min(i, len(labels) - 1)], game.seats)
        for i, value in enumerate(values)]).SerializeToString()


def _argument(name: str, value: int, meaning: Meaning, seats: int) -> event_pb2.EventArgument:
    """One integer of an event, and what it stands for. seats: of the table."""
    return event_pb2.EventArgument(name=name, value=value, kind=ARGUMENT_KINDS[meaning.kind], id=meaning.id(value), seats=[
        seat for seat in range(seats) if meaning is SEATS and value >> seat & 1])


@functools.cache
def _kinds(game_id: str) -> dict[str, EventType]:
    return game_spec(game_id).kinds()


def events_to_messages(state: State, events: Iterable[SeenEvent], observer: int) -> list[event_pb2.Event]:
    """Events of a game as the observer sees them."""
    game = state.game
    known = _kinds(game.spec.id)
    out = []
    for event in events:
        text = game.event_text(event, observer)
        level = (event_pb2.Event.LEVEL_BOOKKEEPING if not text else event_pb2.Event.LEVEL_TURN if known[event.key].turn
                 else event_pb2.Event.LEVEL_STEP)
        out.append(event_pb2.Event(sequence=event.sequence, key=event.key, text=text, level=level, template=template(text),
                                   touched=game.touched(state, event, observer)))
        out[-1].MergeFromString(_arguments(game, event.key, event.args))
    return out


def events_from_messages(game: Game, events: Sequence[event_pb2.Event], field: str) -> list[SeenEvent]:
    """The events of a position. Raises ApiError that names the first one that can't be."""
    known = _kinds(game.spec.id)
    out = []
    for number, event in enumerate(events, start=1):
        if len(event.args) > MAX_ARGS:
            raise bad_field(f"{field}[{number - 1}].args", f"{len(event.args)} values; no event has more than {MAX_ARGS}")
        if event.sequence != number:
            raise bad_field(f"{field}[{number - 1}].sequence",
                            f"is {event.sequence}; the events of a seat count 1, 2, 3 ...")
        if event.key not in known:
            raise bad_field(f"{field}[{number - 1}].key", f"{event.key[:40]!r} is no event of {game.spec.id}")
        args = tuple(arg.value for arg in event.args)
        if any(not -2**31 <= value < 2**31 for value in args):
            raise bad_field(f"{field}[{number - 1}].args", "a value is outside 32 bits")
        out.append(SeenEvent(number, event.key, args))
    return out

# ---- Views ----

def observation_to_message(table: LiveTable, moment: Moment) -> observation_pb2.Observation:
    """What an observer sees or saw."""
    message = observation_pb2.Observation()
    write_observation(message, table, moment)
    return message


def write_observation(message: observation_pb2.Observation, table: LiveTable, moment: Moment) -> None:
    """What an observer sees or saw, into an empty message, perhaps a part of another: so it need not be copied there."""
    game, seen = table.game, moment.seen
    message.observer, message.game = names.observer_name(table.id, moment.observer), f"games/{game.spec.id}"
    message.sequence, message.prompt, message.prompt_text = moment.sequence, moment.prompt, moment.question_text
    if moment.is_over:
        message.result.CopyFrom(ending_to_message(table))
    else:
        message.question = seen["question"] or ""
        message.asked.extend(seen["asked"])
    mappers.fill(game, seen, message)
    message.scene.MergeFromString(scene_to_bytes(game.scene(seen, moment.observer)))


def result_to_message(state: State) -> observation_pb2.GameResult:
    """How a finished game ended."""
    returns, (name, scores) = state.returns(), state.game.final_scores(state)
    order = [] if state.game.cooperative else list(zip(returns, scores or returns, strict=True))
    return observation_pb2.GameResult(returns=returns, text=state.game.result_text(state), scores=scores, score_name=name,
                                      ranks=[1 + sum(other > own for other in order) for own in order])


def ending_to_message(table: LiveTable) -> observation_pb2.GameResult:
    """How the game at this table ended, by its rules or by giving up."""
    if (loser := table.resigned) is None:
        return result_to_message(table.state)
    seats = range(table.game.seats)
    return observation_pb2.GameResult(
        returns=[float(seat != loser) for seat in seats], ranks=[1 + (seat == loser) for seat in seats],
        text=f"Seat {loser} gives up; Seat {1 - loser} wins.", resigned_seat=loser)


def scene_to_message(scene: Scene) -> scene_pb2.Scene:
    """What an observer sees as things in places."""
    return scene_pb2.Scene.FromString(scene_to_bytes(scene))


def scene_to_bytes(scene: Scene) -> bytes:
    """scene_to_message, serialized. Parsing it takes a tenth of the time of building it, and most of a table is as it was a step
    before: so what lasts is kept as bytes.
    """
    return b"".join((*map(_zone, scene.zones), _links(scene.links)))


@functools.lru_cache(1024)
def _links(links: tuple[Link, ...]) -> bytes:
    """A scene with nothing but these links."""
    return scene_pb2.Scene(links=[scene_pb2.Link(start=link.start, end=link.end, tag=link.tag)
                                  for link in links]).SerializeToString()


@functools.lru_cache(16_384)
def _zone(zone: Zone) -> bytes:
    """A scene with nothing but this place."""
    message = scene_pb2.Zone(id=zone.id, title=zone.title, layout=_LAYOUTS[zone.layout], columns=zone.columns, parent=zone.parent,
                             x=zone.x, y=zone.y, seat=zone.seat, note=zone.note, aside=zone.aside)
    message.MergeFromString(b"".join(map(_thing, zone.things)))
    return scene_pb2.Scene(zones=[message]).SerializeToString()


@functools.lru_cache(32_768)
def _thing(thing: Thing) -> bytes:
    """A place with nothing but this thing."""
    return scene_pb2.Zone(things=[scene_pb2.Thing(
        id=thing.id, face=thing.face, label=thing.label, shape=_SHAPES[thing.shape], seat=thing.seat, amount=thing.amount,
        value=thing.value, maximum=thing.maximum, tags=thing.tags, note=thing.note)]).SerializeToString()


def seat_to_message(table_id: str, row: SeatRow) -> table_pb2.Seat:
    """Who plays a seat."""
    return table_pb2.Seat(name=names.seat_name(table_id, row.seat), seat=row.seat, holder=_HOLDERS[row.holder],
                          display_name=row.display_name, bot=row.bot, pace_ms=row.pace_ms)


def table_to_message(table: LiveTable) -> table_pb2.Table:
    """A table that is in play."""
    message = _stored_part(table.row)
    message.settings.CopyFrom(shown_settings(table, SPECTATORS))
    message.state = table_pb2.Table.STATE_FINISHED if table.is_over else table_pb2.Table.STATE_PLAYING
    message.seats.extend(seat_to_message(table.id, seat) for seat in table.seats)
    if table.row.clock is not None:
        message.clock.CopyFrom(table_pb2.Clock(**asdict(table.row.clock)))
        for seat, time in times_of(table).items():
            message.seats[seat].time.CopyFrom(time)
    message.sequence = table.state.sequence(SPECTATORS)
    if table.is_over:
        message.result.CopyFrom(ending_to_message(table))
    else:
        message.asked.extend(table.state.asked)
    message.take_back = table.row.take_back
    if (origin := table.row.origin) is not None:
        if origin.kind == "branch":
            message.taken_back_from = names.table_name(origin.parent_id)
        else:
            message.rematch_of = names.table_name(origin.parent_id)
    message.branches.extend(names.table_name(child) for child, kind in table.children if kind == "branch")
    if rematch := table.child("rematch"):
        message.rematch = names.table_name(rematch)
    if table.row.pass_window is not None:
        message.pass_window.least_ms, message.pass_window.most_ms = table.row.pass_window
    return message


def times_of(table: LiveTable) -> dict[int, table_pb2.SeatTime]:
    """The times of the seats that have one."""
    out = {}
    for row in table.times:
        if row.since_us:
            out[row.seat] = table_pb2.SeatTime(reserve_ms=row.left_ms)
            if clock.runs(table, row.seat):
                out[row.seat].up_time.FromMicroseconds(table.wall_us(clock.time_up(table, row.seat)))
    return out


def unreadable_to_message(table: UnreadableTable) -> table_pb2.Table:
    """A table that was stored under other rules or content, or is damaged.

    Without its rules nobody can say which of its options are secret, so that it shows none.
    """
    row = table.row
    message = _stored_part(row)
    if row.settings["game"]:
        message.settings.CopyFrom(settings_to_message({**row.settings, "options": {}}, row.rules_version))
    message.state = table_pb2.Table.STATE_DAMAGED if table.damaged else table_pb2.Table.STATE_UNREADABLE
    message.unreadable_reason = table.message
    return message


def _stored_part(row: TableRow) -> table_pb2.Table:
    message = table_pb2.Table(name=names.table_name(row.id), display_name=row.display_name,
                              access=table_pb2.ACCESS_OPEN if row.is_open else table_pb2.ACCESS_PRIVATE)
    if row.created_us:
        message.create_time.FromMicroseconds(row.created_us)
    return message


def shown_settings(table: LiveTable, observer: int) -> settings_pb2.GameSettings:
    """The settings as the observer may know them: after the end all of them."""
    settings = table.row.settings if table.is_over else table.game.settings_for(observer)
    return settings_to_message(settings, table.row.rules_version)


def analysis_to_message(analysis: Analysis, by_hand: Mapping[int, Touch], max_candidates: int) -> analysis_pb2.Analysis:
    """A search's result. by_hand: `touches` of its position · max_candidates: how many to send (0: all)."""
    shown = analysis.candidates[:max_candidates] if max_candidates else analysis.candidates
    return analysis_pb2.Analysis(
        game=f"games/{analysis.game}", seat=analysis.seat, prompt=analysis.prompt, value=analysis.value,
        iterations=analysis.iterations, nodes=analysis.nodes, depth=analysis.depth,
        elapsed_ms=1000 * analysis.elapsed_s, seed=analysis.seed, seed_text=str(analysis.seed), value_name=analysis.unit.name,
        candidates=[_candidate(one, analysis, by_hand) for one in shown])


def _candidate(one: Candidate, analysis: Analysis, by_hand: Mapping[int, Touch]) -> analysis_pb2.Candidate:
    return analysis_pb2.Candidate(
        action=spoken_action(one.action, analysis.prompt, one.label, one.args, by_hand[one.action]), visits=one.visits,
        visit_share=one.visit_share, policy=one.policy, value=one.value, standard_error=one.standard_error,
        win_probability=one.win_probability, prior=one.prior, principal_variation=one.principal_variation,
        reasons=one.reasons, tied=one.tied, value_text=one.value_text(analysis.unit),
        why=[analysis_pb2.Reason(**asdict(reason)) for reason in one.why])


def judged_to_message(judged: Judged, by_hand: Mapping[int, Touch]) -> analysis_pb2.ReviewedDecision:
    """A decision that was looked back on, without the search of all its answers."""
    return analysis_pb2.ReviewedDecision(
        number=judged.decision.number, at_sequence=judged.decision.sequence,
        played=_candidate(judged.played, judged.analysis, by_hand), best=_candidate(judged.best, judged.analysis, by_hand),
        loss=judged.loss, loss_standard_error=judged.standard_error, loss_text=judged.loss_text, mistake=judged.is_mistake,
        compared=judged.compared)
