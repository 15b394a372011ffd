"""The words of the table and of the cards, for a person who looks one up."""
from __future__ import annotations

from collections.abc import Iterator

RULES = "engine/mythos/RULES.md has all rules and rulings"

TERMS: dict[str, str] = {
    "board, table, legend, place":
        '#3 is the place of a character in play; "i #3" shows its card. A ? is a hidden character that you don\'t know. Then come '
        "its power, +2 for two Power tokens, \"stolen\" if its card is the opponent's; cards below it follow it, and whom Rashomon "
        "holds stands at the end. Beside a mission stand its points and the power of both sides. A card of your hand has its "
        "power, then its cost.",
    "rules, rule, ruling":
        "Play ninjas on missions; after each of four rounds every open mission is won by the side with more power there. "
        f"{RULES}.",
    "round":
        "A game has four. In each a mission is added, both get chakra and two cards and take turns until both have "
        "passed; then all open missions are evaluated. At its end chakra and Power tokens go.",
    "turn, action":
        "One of: play a card face up, put one face down for 1 chakra, reveal a hidden character of yours, pass.",
    "pass, passed":
        "To be out of this round. The first to pass takes the Edge; the other one goes on turn by turn until it passes, "
        "too.",
    "edge":
        "Whoever holds it begins the round and wins every tie, on missions and at the end of the game. The first to pass "
        "takes it.",
    "mulligan, keep":
        "Before round 1 each player may once put all five cards back and draw a new hand.",
    "mission, missions, open":
        "Where characters fight for points. One is added every round and stays to the end; all open ones are evaluated "
        'after every round. "i mission d" shows the one of rank D.',
    "rank, d, c, b, a":
        "A mission of round 1 has rank D, then C, B, A; it gives 1, 2, 3 or 4 points more than it says.",
    "point, points, score, win, lead":
        "More power on a mission (at a tie the Edge) wins its points and those of its rank, every round anew, and then "
        "the SCORE effects there. The most points after round 4 win; at a tie the Edge.",
    "evaluate, evaluated, against":
        "After both have passed, missions D, C, B and A are won one after the other by the side with more power there, "
        "but at least 1.",
    "power":
        "What a character is worth on its mission: the printed number if it is face up, its tokens and what effects add. "
        "A hidden one has 0 and its tokens.",
    "token, tokens, power token, powerup":
        "Each gives +1 power, also to a hidden character. They go at the end of the round.",
    "chakra, cost, costs, pay, price, income":
        "What plays cost. Each round you get 5, one for each character you control, and what effects add; what is left is"
        " lost. An upgrade costs the difference, a card put face down 1.",
    "character, characters, ninja, unit":
        "A card in play with all below it. A mission has at most one face-up character of a name on each side.",
    "card, cards, title, version":
        'A name, a version in brackets, a cost, a power, keywords, a group and effects. "i" and a part of the name or the'
        " number shows it.",
    "name":
        "On each side a mission has at most one face-up character of a name. A more expensive card of the name upgrades "
        "it.",
    "hand":
        'Your cards; "i hand" shows what they do. The opponent sees how many there are.',
    "deck, top":
        "30 to 40 cards. Two are drawn each round; from an empty deck nothing is drawn.",
    "discard, discards, discard pile":
        "A card that is discarded or defeated goes face up to its owner's discard pile.",
    "draw":
        "Take the top card of your deck into your hand.",
    "play, face up, face-up, up":
        "A card played face up is paid for and its MAIN effects run. It comes from the hand, or is a hidden character "
        "that is revealed.",
    "hidden, face down, face, down, put":
        "A card put face down costs 1 chakra. A hidden character has no name, no text and 0 power, and costs 0 for "
        "effects; only its side (and who has seen it) knows it. A turn can reveal it.",
    "reveal, revealed":
        "Turn a hidden character of yours up for its full cost: that is a play, with its MAIN and AMBUSH effects.",
    "hide, turn face down":
        "Turn a face-up character face down. Its text is gone until it is revealed again; all know what it is.",
    "upgrade, upgrades, upgraded, as an upgrade, new character":
        "A card laid on your face-up character of its name that costs less (or one its text allows), for the difference "
        "of the costs. Tokens stay, the old text is gone; MAIN and UPGRADE effects run.",
    "main":
        "An effect that runs whenever the card is played face up or revealed.",
    "ambush":
        "An effect that runs when the card is revealed after it was hidden.",
    "always, lasting, continuous":
        "An effect that works as long as the character is face up.",
    "effect, effects, text, use":
        'MAIN, UPGRADE, AMBUSH and SCORE effects run once and may be left out, unless they say "must"; what is under '
        '"Always" or says "When", "If" or "At the end of the round" works by itself while the character is face up.',
    "must":
        "An effect that is carried out as far as possible, whether its owner wants it or not.",
    "may, part, leave":
        "A part of an effect that its owner can leave out.",
    "friendly, friend, your, yours":
        "Characters of your side. A character is not friendly to itself.",
    "enemy, opponent":
        "The opponent's side and its characters.",
    "defeat, defeated":
        "The character goes to its owner's discard pile with all cards below it.",
    "move, moves, moved":
        "To another open mission, on the same side. You can't move a character to one of its own name; an enemy can, and "
        "then the newcomer is discarded.",
    "control, controls, take control, stolen, steal":
        "The character changes sides where it stands, as long as the one that took it stays face up on your side. Then it"
        " returns to its owner. Stolen chakra goes from one pool to the other.",
    "return, returns, take back, back":
        "The top card goes to its owner's hand; the cards below are discarded.",
    "look, looks, see, seen":
        "Only the one who looks sees the card; that it happened, all see.",
    "copy, copied":
        "Use an effect of another character as if it stood on the one that copies.",
    "held, hold, holds":
        "Rashomon holds the strongest enemy on its mission: that one has no power and no tokens until one of the two is "
        "gone.",
    "instead":
        "A character that may be defeated in place of another one, or turns face down instead of being defeated.",
    "keyword, keywords":
        "Words such as Team 7, Jutsu or Summon that effects look for.",
    "group, village":
        "Leaf, Sand or Sound Village, Akatsuki, or Independent.",
    "waiting, first, order, next":
        "Effects that are due at the same time come in the order the active player chooses.",
    "everybody who just returns":
        "Characters whose only effect at the end of the round is to go back to the hand.",
    "below, pile":
        "Cards under an upgraded character. They leave play with it and go to their owner's discard pile.",
    "printed":
        "What stands on the card itself, without tokens and effects.",
    "lowest, highest, weakest, strongest":
        "Among all that the effect could mean; at a tie its owner chooses.",
    "remove, take":
        "Power tokens that are removed are gone; those that are taken move to the character that takes them.",
    "choose, which, one by one":
        "Characters chosen for one effect are all chosen first; then it works on them in the order chosen.",
    "owner, side":
        "The owner of a card is the player whose deck it is from; its side is the one it stands on. They differ only "
        "while a character is stolen.",
    "seat":
        "A player: seat 0 or seat 1; you are one of them.",
    "forced, force":
        "A hidden character that must be revealed (and paid for) now, or it is defeated.",
}
"""Words that mean the same, and what."""

_BY_WORD = {word: (entry, text) for entry, text in TERMS.items() for word in entry.split(", ")}


def explain(wanted: str) -> Iterator[str]:
    """What a word means, as lines in rich markup; nothing for a word that is not of the table."""
    for word in (wanted, wanted.removesuffix("s"), wanted.removesuffix("ed"), wanted.removesuffix("d")):
        if word in _BY_WORD:
            entry, text = _BY_WORD[word]
            first = entry.partition(", ")[0]
            yield f"[bold]{', '.join(dict.fromkeys((word, first))).capitalize()}[/bold]: {text}"
            return
