"""Every other word on the board, in a question or an answer, for a person who looks it up."""
from __future__ import annotations

from collections.abc import Sequence

RULES_FILE = "engine/titans/RULES.md"

ARENA_CYBORG_TEXT = (
    "he belongs to nobody and cannot be hurt or pushed. The seat with the initiative may move him one step before its "
    "turn. Who attacks "
    "him may move him up to two steps; at the end of that turn his flamethrower puts a fire token on every character "
    "on his place and on "
    "adjacent places, the attacker's, too (with the option flame_every_turn it does so after every turn).")

_LEGEND = (
    "The map shows the places with their borders; ### is an obstacle on a border. In a place: the characters with the "
    "health they have "
    "left and their full health (> is the one that acts, {marks}), traps, a monster with its health, pizza and clue. "
    "Below it each {team}: {points}dice ((5) lies on an ability), cards in hand, the Mayhem card played in this round, "
    "{mission}and the characters with a die on an ability, tokens or marks. Green is yours, red the opponents'.")

_TERMS: tuple[tuple[str, str, str], ...] = (
    # words that find it; its text; its text in the free-for-all ("" the same, "-" there is none)
    ("legend board map hexagon # > explains word name",
     _LEGEND.format(marks="b and w are the black and white team", team="team", points="points, ", mission="its mission "),
     _LEGEND.format(marks="the number is its seat", team="seat", points="", mission="")),
    ("rules rule rulebook how help",
     f"All rules as this program plays them, with every ruling: {RULES_FILE}.", ""),
    ("goal win wins winner victory game over share",
     "{win} points win, or a KO of both opposing characters in one round. If both teams do that at the same moment, "
     "they share the win.",
     "The last character standing wins; who falls at the same moment as the last rival shares the win."),
    ("round rounds setup phase start recovery begins ends end",
     "A round: all roll dice, the initiative is decided, the Mayhem die is rolled, missions are revealed, round-start "
     "cards may be "
     "played. Recovery (from round 2): KO'd characters return to a base, then fire burns. Then four turns, the teams "
     "alternating.",
     "A round: all roll a die and the Mayhem die is rolled, round-start cards may be played. From round 2 on fire "
     "burns. Then each seat "
     "has a turn, clockwise from the one with the initiative. At the end of the round the last seat removes a place."),
    ("turn turns act acts acting active activate activated activation",
     "A turn: a character is activated. A die is placed on one of its abilities; then it may make its free move; then "
     "it may use that "
     "ability and its innate one; cards between all of that. Each character acts once a round; twice, if its mate was "
     "KO'd before acting.",
     "A turn: the seat's die is placed on an ability of its character; then the character may make its free move; "
     "then it may use that "
     "ability and its innate one; cards between all of that."),
    ("initiative", "The team with the lower sum of dice has the initiative and begins the round; a tie is decided by chance.",
     "The seat with the initiative begins the round and may move Cyborg one step before its turn. It passes clockwise "
     "every round."),
    ("point points vp score",
     "A KO of an opponent and a completed mission are worth a point each. {win} win.", "-"),
    ("health damage hurt wound",
     "Damage stays until it is healed or the character is KO'd. 7/10 means 7 of 10 health left.", ""),
    ("ko knocked fallen out eliminated off",
     "At 0 health a character is KO: it leaves the map, loses its tokens (not the pizza) and returns in the next "
     "recovery. The other team "
     "gets a point; a KO of both in one round wins.",
     "At 0 health a character is out of the game."),
    ("heal heals healing", "Removes damage, up to its number; it does nothing where a mission card says that you cannot heal.", ""),
    ("die dice roll rolls rolled placed slot activation-dice reroll again",
     "A team rolls two dice each round, one for each turn. A die is placed on an ability of the character that acts; "
     "a number at least as "
     "high as the ability's gives its special effect, too.",
     "A seat rolls one die each round. It is placed on an ability of the seat's character; a number at least as high "
     "as the ability's "
     "gives its special effect, too."),
    ("mayhem-die mayhem value star",
     "The Mayhem die is rolled each round for all. Its number is the damage of every attack; its star unlocks star "
     "effects. Mayhem cards: "
     "look up card.", ""),
    ("ability abilities effect effects special standard",
     "A character's two abilities: the standard effect always happens; the special effect follows with a die as high "
     "as the ability's "
     "number; the star effect follows with the special effect and a star on the Mayhem die. Effects that you may "
     "decline say so.", ""),
    ("innate", "A character's own ability beside the two for dice: always on, once per turn, or once per game.", ""),
    ("card cards mayhem hand hands played play window round-start pass set aside discard draw draws hand-limit",
     "Mayhem cards: each team plays one a round, when the card says so; it counts from the moment it is played. You "
     "are asked wherever a "
     "card could be played as far as everybody knows, so that being asked tells nothing about a hand. Cards set aside "
     "at the start are "
     "out of the game. i hand shows yours.",
     "Mayhem cards: each seat plays one a round, when the card says so. You are asked wherever a card could be played "
     "as far as "
     "everybody knows, so that being asked tells nothing about a hand. Cards set aside at the start are out of the "
     "game. i hand shows "
     "yours."),
    ("mission missions done go go! errand errands reveal reveals reveal",
     "Each team has one GO! card face up with its mission, done as soon as what it says holds; it is worth a point, "
     "and the next card is "
     "revealed at once. Only the team itself can do anything with its tokens and monster.", "-"),
    ("move moves moved leave come step steps free-move free stay stays one-step",
     "A step to an adjacent place with a free slot: the free move of a turn, one by an ability or card, one by an "
     "escape token. It springs "
     "traps. To be pushed, pulled, teleported or brought is no move.", ""),
    ("place places slot slots border borders adjacent other-place map-place empty tile",
     "Ten places with room for two characters each. Two places are adjacent if they share a border without an obstacle.",
     "Places with room for two characters each, numbered row by row. Two places are adjacent if they share a border "
     "without an obstacle."),
    ("base bases black-base white-base return returns",
     "Each team has two bases: there its characters begin, and return after a KO.", "-"),
    ("black white team teams", "The two teams. Their letters b and w mark characters, traps and monsters on the map.", "-"),
    ("seat seats you", "A seat is a player; you are asked for your own. In pairs a captain, who changes every round, "
     "chooses which character acts and decides about GO! cards.", "A seat is a player, with one character."),
    ("mate mates", "The other character of a team, and the seat that plays it.", "-"),
    ("opponent opponents opposing rival", "The characters of the other team, and the seats that play them.",
     "All other seats' characters."),
    ("attack attacks hits shoot shoots melee ranged nobody target strike fails",
     "A hit (melee attack) is for an opponent on the same place, a shot (ranged attack) for one on an adjacent place, "
     "or for the team's own "
     "monster there. It deals as much damage as the Mayhem die shows, and bonuses. If the target gets out of reach it fails.",
     "A hit (melee attack) is for a character on the same place, a shot (ranged attack) for one on an adjacent place; "
     "Cyborg can be "
     "attacked, too. It deals as much damage as the Mayhem die shows, and bonuses. If the target gets out of reach it fails."),
    ("stun stuns stunned", "A stunned character has only one of these in its turn: free move, die ability, innate "
                           "ability. At the end of "
     "its turn the stun token leaves.", ""),
    ("fire burn burns burning ignite ignites catches",
     "In recovery every character with fire tokens takes as much damage as the Mayhem die shows, then loses one of them.", ""),
    ("shield shields", "Takes up to 2 of the next damage from anything, then it is gone. One per character.", ""),
    ("escape escapes token tokens keep give put",
     "A character with an escape token may give it up to move one step when another character has moved; not in its "
     "own turn. One per "
     "character.", ""),
    ("trap traps springs spring",
     "Who comes to a place with traps of the other team takes 1 damage for each; they leave. b2 means two of the "
     "black team. Traps are set "
     "where no opponent stands and no own trap lies.",
     "Who comes to a place with traps takes 1 damage for each; they leave. All traps are everybody's, also their "
     "owner's. They are set "
     "where no rival stands."),
    ("obstacle obstacles relocate new",
     "An obstacle on a border: the two places are not adjacent. Every place keeps a border without one.", ""),
    ("push pushed pushes pull pulled pulls displace teleport teleports teleported fetch bring brought",
     "Pushed or pulled: put on an adjacent place; teleported or brought: on any. It needs a free slot and springs "
     "traps, but it is no "
     "move: nobody escapes because of it.", ""),
    ("monster monsters defeat", "A monster is hurt by attacks of its own team only; its damage stays. It takes no slot and "
                         "does nothing.", "-"),
    ("clue clues find found", "A character of the team takes the clue of the place it comes to.", "-"),
    ("gift gifts deliver delivered delivers", "The active character leaves a gift on a listed place that it comes to "
                                              "or stands on.", "-"),
    ("pizza-token", "The active character takes the pizza from the place it comes to or stands on, and brings it "
                    "where the card says. "
     "A KO'd character keeps it.", "-"),
    ("ghost ignores ignore", "Ghost Powers: until the end of the round the character's own steps ignore obstacles, "
                             "and traps do not "
     "spring under it.", ""),
    ("locked cannot", "Heavy Load: until the end of the round the character cannot make a move. It can be pushed, "
                      "pulled and teleported.", ""),
    ("attacks+1 +1 bonus", "Cranked to Eleven: attacks and traps of the team deal 1 more damage in this round.",
     "Cranked to Eleven: attacks of the seat deal 1 more damage in this round."),
    ("immune", "A trap springs under an immune character and leaves, without any effect on it.", ""),
    ("character characters hero heroes", "Each has its health, two abilities for dice and an innate one: look it up "
                                         "by its name.", ""),
    ("use uses used", "An ability of the die on it, or an innate ability, is used in the turn of its character.", ""),
    ("take takes choose joins", "In the draft the teams choose their characters in turn.", "In the draft the seats choose "
                                                                                     "their characters in turn."),
    ("flamethrower flame cyborg's", "-",
     "Who attacks Cyborg may move him up to two steps. At the end of that turn every character on his place and on "
     "adjacent places gets a "
     "fire token, the attacker's, too (with the option flame_every_turn after every turn)."),
    ("remove removes removed leaves", "-",
     "At the end of a round the last seat removes a place without characters, traps and obstacles; the map stays in "
     "one piece."),
)


def glossary(arena: bool, win: int) -> dict[str, str]:
    """All words of a mode and what they mean. `win`: points that win."""
    found, named = {}, set()
    for names, text, in_arena in _TERMS:
        said = in_arena or text if arena else text
        own = [name.replace("-", " ") for name in names.split()]
        if said != "-":     # a word with two meanings is the first one's
            found[", ".join([name for name in own if name not in named])] = said.replace("{win}", str(win))
            named.update(own)
    return found


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word


def meanings(wanted: str, arena: bool, win: int) -> Sequence[str]:
    """What a word of the game means: texts of all that it can mean, and if it means nothing in this mode, of what it means in
    others. `win`: points that win.
    """
    asked = wanted.replace(" ", "-")
    found: list[str] = []
    elsewhere: list[str] = []
    exact = 0       # entries with this very word; they come before those with its singular or plural
    for names, text, in_arena in _TERMS:
        known = names.split()
        if asked in known or _stem(asked) in map(_stem, known):
            said, other = ((in_arena or text), text) if arena else (text, in_arena)
            if said == "-":
                elsewhere.append(f"Only in {'the modes with teams' if arena else 'the free-for-all'}. {other}")
            else:
                found.insert(exact if asked in known else len(found), said)
                exact += asked in known
    return [said.replace("{win}", str(win)) for said in found or elsewhere]
