"""Titans."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seatmate.engine.core.game import Game
from seatmate.engine.titans.content.vocabulary import NONE
from seatmate.engine.titans.game import TitansGame
from seatmate.engine.titans.words.cards import monster_health
from seatmate.engine.titans.words.names import CAUSES
from seatmate.server.mappers import or_minus_one
from seatmate.v1 import observation_pb2
from seatmate.v1 import titans_observation_pb2 as pb

_MODES = {"duel": pb.TITANS_MODE_DUEL, "team3": pb.TITANS_MODE_TEAM3, "team4": pb.TITANS_MODE_TEAM4,
          "ffa3": pb.TITANS_MODE_FFA3, "comp": pb.TITANS_MODE_COMP}
_PHASES = {"setup": pb.TITANS_PHASE_SETUP, "start": pb.TITANS_PHASE_START, "recovery": pb.TITANS_PHASE_RECOVERY,
           "activation": pb.TITANS_PHASE_ACTIVATION, "end": pb.TITANS_PHASE_END, "over": pb.TITANS_PHASE_OVER}
_RUNNING = {"program": pb.TITANS_RUNNING_KIND_EFFECT, "attack": pb.TITANS_RUNNING_KIND_ATTACK,
            "entry": pb.TITANS_RUNNING_KIND_ENTRY, "window": pb.TITANS_RUNNING_KIND_WINDOW,
            "escapes": pb.TITANS_RUNNING_KIND_ESCAPES, "ko": pb.TITANS_RUNNING_KIND_KO,
            "quest": pb.TITANS_RUNNING_KIND_GO_CARD}
_WITH_ACTOR = ("program", "attack", "entry", "escapes", "ko")
_WITH_TARGET = ("program", "attack", "window")


def fill(game: Game, seen: Mapping[str, Any], message: observation_pb2.Observation) -> None:
    """The table as TitansGame.observation describes it, with the titles of the game's pack."""
    assert isinstance(game, TitansGame)
    supplies = seen["supplies"]
    message.titans.CopyFrom(pb.TitansObservation(
        mode=_MODES[seen["mode"]], round=seen["round"], phase=_PHASES[seen["phase"]], turn=seen["turn"],
        first_team=or_minus_one(seen["first"]), initiative_team=or_minus_one(seen["initiative"]),
        mayhem=None if seen["mayhem"] is None else pb.TitansMayhemDie(**seen["mayhem"]),
        places=_places(game, seen), borders=_borders(game, seen),
        pieces=[_piece(game, number, piece) for number, piece in enumerate(seen["pieces"])],
        teams=[_team(game, seen, number) for number in range(len(seen["teams"]))],
        seats=[_seat(game, seen, seat) for seat in range(game.seats)],
        go_deck=_go_cards(game, seen["go_deck"]), go_done=_go_cards(game, seen["go_done"]),
        supplies=pb.TitansSupplies(**{key: supplies[key] for key in supplies if key != "traps"}),
        current=_current(seen), burning=seen["progress"]["burning"],
        running=[_running(game, seen, frame) for frame in seen["progress"]["frames"]],
        winners=seen["result"] or ()))


def _card(game: TitansGame, card: str | None) -> pb.TitansCard | None:
    """A Mayhem card or a GO! card by its id."""
    if card is None:
        return None
    names = game.names
    if card in names.card_number:
        return pb.TitansCard(card=card, title=names.card_titles[names.card_number[card]])
    return pb.TitansCard(card=card, title=names.go_titles[names.go_number[card]])


def _mayhem_cards(game: TitansGame, cards: Sequence[str] | None) -> list[pb.TitansCard]:
    return [pb.TitansCard(card=card, title=game.names.card_titles[game.names.card_number[card]]) for card in cards or ()]


def _go_cards(game: TitansGame, cards: Sequence[str]) -> list[pb.TitansCard]:
    return [pb.TitansCard(card=card, title=game.names.go_titles[game.names.go_number[card]]) for card in cards]


def _places(game: TitansGame, seen: Mapping[str, Any]) -> list[pb.TitansPlace]:
    names = game.names
    places = []
    for place, (row, column) in enumerate(names.map.positions):
        tile = seen["tiles"][place]
        number = None if tile is None else names.tile_number[tile]
        black, white = seen["traps"][place]
        places.append(pb.TitansPlace(
            place=place, row=row, column=column, tile=tile or "", title="" if number is None else names.tile_titles[number],
            icon="" if number is None else game.pack.tile[number].icon, removed=place in seen["removed"],
            pieces=[piece for piece, values in enumerate(seen["pieces"]) if values["place"] == place],
            black_traps=black, white_traps=white, pizza=seen["pizza"] == place, clue=place in seen["clues"]))
    return places


def _borders(game: TitansGame, seen: Mapping[str, Any]) -> list[pb.TitansBorder]:
    return [pb.TitansBorder(border=border, place_a=a, place_b=b, obstacle=border in seen["obstacles"])
            for border, (a, b) in enumerate(game.names.map.edges) if not {a, b} & set(seen["removed"])]


def _piece(game: TitansGame, number: int, piece: Mapping[str, Any]) -> pb.TitansPiece:
    message = pb.TitansPiece(
        piece=number, team=or_minus_one(piece["team"]), seat=or_minus_one(piece["seat"]), place=or_minus_one(piece["place"]),
        damage=piece["damage"], fire=piece["fire"], stunned=piece["stunned"], stun_team=or_minus_one(piece["stun_team"]),
        shield=piece["shield"], escape=piece["escape"], pizza=piece["pizza"], ko=piece["ko"], eliminated=piece["eliminated"],
        innate_spent=piece["innate_spent"], activations=piece["acts"], ghost=piece["ghost"], locked=piece["locked"])
    if piece["character"] is not None:
        names = game.names
        kind = names.character_number[piece["character"]]
        message.character, message.title = piece["character"], names.titles[kind]
        message.health, message.innate = names.health[kind], names.innates[kind]
        message.abilities.extend(
            pb.TitansAbility(title=title, slot=slot, die=die)
            for title, slot, die in zip(names.abilities[kind], names.slots[kind], piece["slots"], strict=True))
    return message


def _team(game: TitansGame, seen: Mapping[str, Any], number: int) -> pb.TitansTeam:
    team, traps = seen["teams"][number], seen["supplies"]["traps"]
    monster = team["monster"]
    return pb.TitansTeam(
        team=number, points=team["points"], go=_card(game, team["go"]), delivered=team["delivered"], gifts=team["gifts"],
        clues=team["clues"], played=_card(game, team["played"]), attack_bonus=team["attack_bonus"],
        trap_stun=team["trap_stun"], trap_supply=traps[number] if number < len(traps) else 0,
        dice=[pb.TitansDie(die=die, value=value, used=die in team["dice_used"]) for die, value in enumerate(team["dice"])],
        monster=None if monster is None else pb.TitansMonster(
            place=monster["place"], damage=monster["damage"],
            health=monster_health(game.pack.go[game.names.go_number[team["go"]]])))


def _seat(game: TitansGame, seen: Mapping[str, Any], seat: int) -> pb.TitansSeat:
    hand = seen["hands"][seat]
    return pb.TitansSeat(
        seat=seat, team=game.seat_team(seat), hand_count=seen["hand_counts"][seat], hand=_mayhem_cards(game, hand),
        hand_known=hand is not None, aside=_mayhem_cards(game, seen["aside"][seat]), used=_mayhem_cards(game, seen["used"][seat]))


def _current(seen: Mapping[str, Any]) -> pb.TitansTurn | None:
    if seen["phase"] != "activation":
        return None
    turn = seen["turn_state"]
    return pb.TitansTurn(
        team=turn["team"], piece=or_minus_one(seen["active"]), slot=turn["slot"], die=turn["die"],
        stood=or_minus_one(turn["stood"]), moved=turn["moved"], forfeited=turn["forfeited"], slot_used=turn["slot_used"],
        innate_used=turn["innate_used"], special_on=turn["special_on"], special_off=turn["special_off"],
        next_attack_bonus=turn["next2"], flame=turn["flame"])


def _running(game: TitansGame, seen: Mapping[str, Any], frame: Mapping[str, Any]) -> pb.TitansRunning:
    kind = frame["kind"]
    title = ""
    if kind == "program":
        characters = [NONE if piece["character"] is None else game.names.character_number[piece["character"]]
                      for piece in seen["pieces"]]
        title = game.names.source(frame["source"], characters)
    elif kind == "window":
        title = CAUSES[frame["mode"]]
    pieces = range(len(seen["pieces"]))
    return pb.TitansRunning(
        kind=_RUNNING[kind], title=title,
        piece=frame["actor"] if kind in _WITH_ACTOR and frame["actor"] in pieces else -1,
        target=frame["tgt"] if kind in _WITH_TARGET and frame["tgt"] in pieces else -1,
        seat=frame["seat"] if kind == "program" and frame["seat"] in range(game.seats) else -1)
