"""What the words on Hyde's table mean, for a person who looks them up."""
from __future__ import annotations

from typing import TYPE_CHECKING

from seatmate.engine.core.spec import words
from seatmate.engine.hyde.content.pack import NUMBERS, SYMBOLS

if TYPE_CHECKING:
    from seatmate.engine.hyde.content.pack import Content, HydePack
    from seatmate.engine.hyde.words.words import Names

SIX_TEXT = "Bianca's extra card: always 6, without a symbol; she discards a hand card and plays it. Revealed, it leaves the game."

TERMS = {
    "outcast": "Who a seat plays; each has a power of its own. Look it up by its name.",
    "pawn": "Stands for a seat on the places. It moves to a neighbour or stays.",
    "place": "The Academy in the middle, and five around it in a ring, each beside the two next to it and the Academy.",
    "target": "Lies on an outer place and is saved or lost at its attack; it changes what cards count there.",
    "attack": "At the end of each of five rounds: the cards of one place are turned up and must count the points needed.",
    "points needed, need": "What the cards on the attacked place must count: more at every attack. The next number is bold.",
    "lost": "Targets whose attack was not stopped; with the third the game is lost.",
    "saved": "Targets whose attack was stopped. One target lost is better than two, none is best.",
    "in the bag, bag": "The token of this place is still in the bag. One is drawn when all have had a turn; the last one names "
                       "the attacked place.",
    "seen": "The Hyde was seen here in this round, so the attack will be elsewhere.",
    "attacked, under attack": "The cards of this place are turned up and about to be counted.",
    "token": "One for each outer place. Who draws the last one of the round finds the attacked place.",
    "cycle": "Every seat has one turn; then a token is drawn.",
    "round": "As many cycles as there are tokens in the bag, and then the attack.",
    "turn": "Move, play a card on an open place, refill the hand to three; then Thing, if it stands before you.",
    "face down": "Played, and not seen by you. Your own cards, and Thing's if you saw it, are named.",
    "next": "What the coming attack needs.",
    "deck": "Cards nobody has drawn. When it is empty the discard pile becomes the new one.",
    "discard, discarded": "The pile of cards that are done with; everybody may look at it.",
    "hand": "Three cards that only you see. Nobody may say which.",
    "number": "1 to 5, printed on the card: what it counts, if neither place nor target changes it.",
    "symbol": "Siren, Werewolf, Bee, Medusa, Bat or Eye, printed on the card.",
    "card": "A symbol and a number; three of each 1, two of each 2, 3 and 4, one of each 5.",
    "Thing": "The helping hand. It carries one card, which the seat it stands before may play, or swap for one of the hand; then "
             "it goes to any seat. Whoever has it sees its card.",
    "swap": "Give Thing a card of the hand for the one it carries: once in a turn.",
    "play": "Put a card face down on the pawn's place, if that is an outer one which was not attacked; there it must be done.",
    "revealed": "Turned up at an attack.",
    "the Hyde, Hyde": "Attacks five times, each place once.",
    "level": "How many points are needed: beginner, expert, nightmare.",
    "beginner, expert, nightmare": "Levels: how many points are needed at the attacks.",
    "counts": "What a card is worth at an attack, by its place and target.",
    "no staying": "A pawn that begins its turn here must move on.", "no cards": "No card can be played here.",
    "seat": "A player. Seats take their turns in order of their numbers.",
}

LEGEND = ("points needed, need", "lost", "in the bag, bag", "seen", "saved", "face down", "place", "target", "Thing", "card")
"""What a person needs to read the board; the rest is looked up by its name."""

POWERS = {
    "SWAP_SYM": "at every attack may take a revealed card for a hand card of the same symbol or number",
    "BONUS": "{n} points more while the pawn stands on the attacked place",
    "SUBST": "twice in the game may discard a hand card and play a six instead of a card",
    "MULTI": "may play any number of {n}s at once, Thing's card included",
    "REACH": "may play the card on a neighbour of the outer place the pawn is on",
    "DRAW_TO": "refills the hand to {n} cards and then discards one",
}


def glossary(pack: HydePack, content: Content, names: Names) -> dict[str, str]:
    """Every word of the table, with the numbers of this content pack."""
    found = {}
    for place in sorted(pack.place, key=lambda part: part.id):
        found[place.title] = f"Place: {names.place_rules[place.key] or 'no rule of its own'}. It counts the printed card."
    for target in pack.target:
        found[target.title] = f"Target: {names.target_rules[target.key]}, unless the place makes the card count 0."
    for outcast in sorted(pack.outcast, key=lambda part: part.id):
        powers = [text.format(n=content.abilities[verb][outcast.id]) for verb, text in POWERS.items()
                  if content.abilities[verb][outcast.id]]
        found[outcast.title] = f"Outcast: {'; '.join(powers) or 'no power'}."
    for index, symbol in enumerate(SYMBOLS):
        kinds = range(NUMBERS * index, NUMBERS * (index + 1))
        zero = [names.place_titles[place] for place in range(1, 6) if all(content.zero[place] >> kind & 1 for kind in kinds)]
        more = [names.titles[key] for key, rule in names.target_rules.items() if rule.startswith(f"{symbol.capitalize()} ")]
        text = "Symbol of ten cards" + (f"; they count 0 at {words(zero)}" if zero else "") \
            + (f"; they count more with the {words(more)}" if more else "")
        found[symbol.capitalize()] = f"{text}."
    found["six, the six"] = SIX_TEXT
    return found | TERMS
