"""What an answer is worth (RULES.md, 11): in tenths of a heart of the Boss, or squares of a race, then in utility."""
from seatmate.engine.core.rng cimport rng_below
from seatmate.engine.core.types cimport uint16_t

from seatmate.engine.monster_chase.content cimport vocabulary as V
from seatmate.engine.monster_chase.rules.model cimport (
    Book, Chase, Frame, ProgramStep, effect_of, held, mod, next_square, occupant, progress,
)
from seatmate.engine.monster_chase.rules.query cimport (
    ally, card_value, lap_change, linked, power_price, power_program, selected,
)

cdef double UTILITY = 0.0055

cdef enum:
    HEART
    MEAL
    PUSH
    DAMAGE
    WORSE
    OFF
    SHORT
    BEYOND
    STAR
    AIMED
    BLOCKED
    REPAIR
    STRAIGHT
    SHIELD
    BOMB
    TRANSFER
    ASTRAL
    CARDS_LOST
    WORTHS_N

# What answers are worth in the chase, in tenths of a heart of the Boss, and in races, in squares (benches/fit.py --worths;
# ai/search/TUNING.md); the enum counts the rows.
WORTHS = {
    "HEART": (8.8, 0),            # of the Boss
    "MEAL": (0, 0),               # a heart of prey that is hidden
    "PUSH": (-6.44, 0),           # a square the Boss is pushed
    "DAMAGE": (-1.29, -2.2),      # a point of damage
    "WORSE": (-1.73, -1.8),       # ... more for the second
    "OFF": (-0.17, -7),           # off the track
    "SHORT": (-0.14, 0),          # a square before the border of the prey
    "BEYOND": (-4.17, 0),         # past it too early
    "STAR": (1.38, 0.9),          # a star
    "AIMED": (1.55, 1.5),         # the Boss ahead in the own lane
    "BLOCKED": (-1.55, -1),       # an obstacle close ahead
    "REPAIR": (0.84, 2.2),        # a point of damage repaired
    "STRAIGHT": (1.37, 1.5),      # a spun car straightened
    "SHIELD": (0.93, 0.8),        # a shield
    "BOMB": (5.14, 0),            # a bomb right before the Boss
    "TRANSFER": (-0.31, -0.3),    # a transfer, beside what it brings
    "ASTRAL": (-0.78, -2),        # an Astral Transfer: less
    "CARDS_LOST": (-2.63, -2.5),  # an Advanced Manoeuvre: two cards for one effect
}
assert len(WORTHS) == WORTHS_N <= V.WORTHS

# ---- Driving ----

cdef double hurt_value(const Book* book, const Chase* chase, int v, int n) noexcept nogil:
    """Damage to a car, for its own side."""
    cdef int after = chase.car[v].damage + n
    if n <= 0:
        return 0
    if after >= book.hearts:
        return book.worth[OFF]
    return n * book.worth[DAMAGE] + (book.worth[WORSE] if after == book.hearts - 1 else 0)

cdef double gap_to(const Book* book, int from_sq, int from_lap, int lap) noexcept nogil:
    """Squares from a place to the border of a lap slot."""
    return (420.0 * lap - 420.0 * from_lap - book.square[from_sq].b) / 70.0

cdef double place_value(const Book* book, const Chase* chase, int v, int sq, int lap) noexcept nogil:
    """A car on a square."""
    cdef double value = 0
    cdef double left
    cdef int g = sq
    cdef int prey, k, w
    if book.boss == V.NONE:
        value = 6.0 * lap + book.square[sq].b / 70.0
    else:
        prey = chase.car[book.boss].lap
        while prey % book.tiles != chase.flow.prey_slot:
            prey += 1
        left = gap_to(book, sq, lap, prey)
        if lap < prey:
            value = book.worth[SHORT] * min(left, 12.0)
        elif lap > prey:
            value = book.worth[BEYOND] - 0.3 * (lap - prey) * 6
    for k in range(8):
        if not book.square[g].ways:
            break
        g = book.square[g].ahead[0]
        w = occupant(book, chase, g)
        if w >= 0 and w != v:
            if not ally(book, v, w):
                value += book.worth[AIMED]
            break
        if chase.object[g] or chase.flow.snout == g:
            value += book.worth[BLOCKED] if k < 4 else 0
            break
    return value

cdef double ram_value(const Book* book, const Chase* chase, int v, int w) noexcept nogil:
    """Running into a vehicle."""
    cdef int n = book.ram_damage + mod(book, chase, v, V.M_RAM_DMG)
    if w == book.boss:
        if mod(book, chase, w, V.M_IMMOVABLE):
            return book.worth[HEART] * n + hurt_value(book, chase, v, mod(book, chase, w, V.M_THORNS))
        return book.worth[HEART] * n + book.worth[PUSH] * book.ram_push
    if ally(book, v, w):
        return hurt_value(book, chase, w, n)
    return 1.5 * n

cdef double drive_from(const Book* book, const Chase* chase, int v, int sq, int lap, int points) noexcept nogil:
    """What comes of so many squares ahead, and the place where they end."""
    cdef double value = 0
    cdef int g, w, object
    cdef int meal = -1
    if book.boss != V.NONE and chase.car[v].lap <= chase.car[book.boss].lap + 2:
        meal = chase.flow.prey_slot
    while points > 0 and book.square[sq].ways:
        points -= 1
        g = book.square[sq].ahead[0]
        if book.square[g].flags & V.SQ_VOID:
            return value + book.worth[OFF]
        w = occupant(book, chase, g)
        if w >= 0 and w != v:
            value += ram_value(book, chase, v, w)
            if w == book.boss and mod(book, chase, w, V.M_IMMOVABLE):
                break
        if book.square[g].slot != book.square[sq].slot:
            lap += 1
            if book.square[g].slot == meal:
                value += book.worth[MEAL] * min(hearts_open(book, chase), 2.0) + 2
        sq = g
        object = chase.object[g]
        if object or chase.flow.snout == g:
            value += hurt_value(book, chase, v, book.obstacle_damage) if object != V.O_SLAB else -1.5
            if object != V.O_SLAB and not mod(book, chase, v, V.M_UNSTOPPABLE):
                break
        if book.square[g].boost:
            points += book.boost_points
    if book.square[sq].flags & V.SQ_WATER:
        value += book.worth[OFF]
    return value + place_value(book, chase, v, sq, lap)

cdef double hearts_open(const Book* book, const Chase* chase) noexcept nogil:
    """Hearts that flipping two open tokens hides, on the average."""
    cdef int kind
    cdef double hearts = 0
    cdef double tokens = 0
    for kind in range(V.PREY):
        hearts += chase.flow.open[kind] * (book.prey[kind].hearts + 0.4 * book.prey[kind].discards + 0.3 * book.prey[kind].auras)
        tokens += chase.flow.open[kind]
    return 0 if tokens == 0 else hearts * min(2.0, tokens) / tokens

cdef double drive(const Book* book, const Chase* chase, int v, int points) noexcept nogil:
    if chase.car[v].sq == V.NONE:
        return 0
    return drive_from(book, chase, v, chase.car[v].sq, chase.car[v].lap, points)

# ---- Effects ----

cdef double missile_value(const Book* book, const Chase* chase, int v, bint back) noexcept nogil:
    """The first thing ahead of it."""
    cdef int g = chase.car[v].sq
    cdef int k, w
    for k in range(book.missile_cap):
        g = book.square[g].back if back else next_square(book, g)
        if g == V.NONE or chase.flow.snout == g:
            return 0
        w = occupant(book, chase, g)
        if w == v:
            return 0
        if w == book.boss:
            return book.worth[HEART] * 0.95
        if w >= 0:
            return hurt_value(book, chase, w, 1) if ally(book, v, w) else 1.5
        if chase.object[g] == V.O_BOULDER or chase.object[g] == V.O_BOMB:
            return 1.2 if k < 5 else 0.2
    return 0

cdef double bomb_value(const Book* book, const Chase* chase, int v, int sq) noexcept nogil:
    """A bomb on a square: by who drives there next."""
    cdef double value = 0.1
    cdef int k, w
    cdef int g = sq
    for k in range(6):
        g = book.square[g].back
        if g == V.NONE:
            break
        w = occupant(book, chase, g)
        if w >= 0:
            if w == book.boss:
                return 0.5 if mod(book, chase, w, V.M_CRUSH) else book.worth[BOMB] - 0.4 * k
            return hurt_value(book, chase, w, 1) * (0.8 - 0.1 * k) if ally(book, v, w) or w == v else 1.2 - 0.1 * k
    return value

cdef double best_bomb(const Book* book, const Chase* chase, int v) noexcept nogil:
    cdef double best = 0
    cdef int i, sq
    for i in range(book.square[chase.car[v].sq].rounds):
        sq = book.square[chase.car[v].sq].round[i]
        if not chase.object[sq] and occupant(book, chase, sq) < 0:
            best = max(best, bomb_value(book, chase, v, sq))
    return best

cdef double best_step(const Book* book, const Chase* chase, int v, int points) noexcept nogil:
    """What changing lanes first gains over going straight."""
    cdef double straight = drive(book, chase, v, points)
    cdef double best = 0
    cdef int i
    for i in range(book.square[chase.car[v].sq].sides):
        best = max(best, step_value(book, chase, v, book.square[chase.car[v].sq].side[i], points) - straight)
    return best

cdef double step_value(const Book* book, const Chase* chase, int v, int sq, int points) noexcept nogil:
    cdef int w = occupant(book, chase, sq)
    cdef double value = ram_value(book, chase, v, w) if w >= 0 else 0
    if book.square[sq].flags & V.SQ_VOID:
        return book.worth[OFF]
    if chase.object[sq]:
        value += hurt_value(book, chase, v, 1)
    return value + drive_from(book, chase, v, sq, chase.car[v].lap, points)

cdef double effect_value(const Book* book, const Chase* chase, int v, int effect, int points) noexcept nogil:
    """An effect done by a car that then drives so many squares."""
    if chase.car[v].sq == V.NONE:
        return 0
    if effect <= V.X_STAR and chase.flow.current < book.cars and mod(book, chase, chase.flow.current, V.M_NO_STEER + effect):
        return 0
    if effect == V.X_STEER:
        return best_step(book, chase, v, points)
    if effect == V.X_MISSILE:
        return max(missile_value(book, chase, v, False), 0.0)
    if effect == V.X_BOMB:
        return best_bomb(book, chase, v) if chase.flow.bombs else 0
    if effect == V.X_REPAIR:
        if chase.car[v].spun:
            return book.worth[STRAIGHT]
        return book.worth[REPAIR] + 1.5 * (chase.car[v].damage - 1) if chase.car[v].damage else 0
    if effect == V.X_STAR:
        return book.worth[STAR] if chase.car[v].star < book.star_max else 0
    if effect == V.X_POWER:
        return book.worth[SHIELD] * (book.shield_max - chase.car[v].shields)
    return 0.3

# ---- Menus ----

cdef double card_worth(const Book* book, const Chase* chase, int v, int how, int type, uint16_t others) noexcept nogil:
    """Playing a card: alone, or with the best of the connected cars (a mask)."""
    cdef int points = card_value(book, chase, v, type)
    cdef double best = -1000
    cdef int w
    if how == V.BY_CARD or how == V.BY_EXTRA:
        return effect_value(book, chase, v, effect_of(type), points) + drive(book, chase, v, points)
    if how == V.BY_MANOEUVRE:
        return drive(book, chase, v, points) - 0.2 * points
    for w in range(book.cars):
        if others >> w & 1:
            if how == V.BY_COG:
                best = max(best, effect_value(book, chase, w, effect_of(type), 0) + drive(book, chase, v, points))
            else:
                best = max(best, effect_value(book, chase, v, effect_of(type), 0) + best_split(book, chase, v, w, points))
    return best

cdef double best_card(const Book* book, const Chase* chase, int v, int how) noexcept nogil:
    """The best card of the hand."""
    cdef uint16_t others = linked(book, chase, v) if how != V.BY_CARD else 0
    cdef double best = -1000
    cdef int i
    for i in range(held(chase, v)):
        if not i or chase.hand[v][i - 1] != chase.hand[v][i]:
            best = max(best, card_worth(book, chase, v, how, chase.hand[v][i], others))
    return best

cdef double split_value(const Book* book, const Chase* chase, int v, int w, int points, int given) noexcept nogil:
    return drive(book, chase, w, given) - drive(book, chase, w, 0) + drive(book, chase, v, points - given)

cdef double best_split(const Book* book, const Chase* chase, int v, int w, int points) noexcept nogil:
    cdef double best = -1000
    cdef int given
    for given in range(1, points + 1):
        best = max(best, split_value(book, chase, v, w, points, given))
    return best

cdef double program_value(const Book* book, const Chase* chase, int v, int program) noexcept nogil:
    """What a power brings, by its verbs."""
    cdef double value = 0
    cdef int i, w
    cdef uint16_t found
    cdef const ProgramStep* step
    for i in range(book.program[program].n):
        step = &book.step[book.program[program].start + i]
        if step.verb == V.V_MISSILE:
            value += missile_value(book, chase, v, False)
        elif step.verb == V.V_SALVO:
            value += 0.6 * book.worth[HEART] * step.n if book.boss != V.NONE else 1.5 * step.n
        elif step.verb == V.V_MOVE:
            value += drive(book, chase, v, step.n) - drive(book, chase, v, 0)
        elif step.verb == V.V_TELEPORT:
            value += 1.5
        elif step.verb == V.V_BOMB:
            value += best_bomb(book, chase, v) * (2 if step.n > 1 else 1)
        elif step.verb == V.V_DISCARD_ASSAULT:
            value += 3 if chase.flow.assault != V.NONE else 0
        elif step.verb == V.V_AURAS:
            value += 2 * step.n
        elif step.verb == V.V_EXTRA:
            value += 2 if chase.flow.turn_flags & V.TURN_MAIN else 0
        elif step.verb == V.V_TURN:
            value += 1.5
        if step.who.base == V.NO_BASE:
            continue
        found = selected(book, chase, v, &step.who)
        for w in range(book.vehicles):
            if not found >> w & 1:
                continue
            if step.verb == V.V_DMG:
                if w == book.boss:
                    value += book.worth[HEART] * step.n
                else:
                    value += hurt_value(book, chase, w, step.n) if ally(book, v, w) else 1.5 * step.n
            elif step.verb == V.V_HEAL:
                value += book.worth[REPAIR] if chase.car[w].damage else 0
            elif step.verb == V.V_SHIELD:
                value += book.worth[SHIELD] * step.n
            elif step.verb == V.V_SPIN:
                value += 0 if chase.car[w].spun else 1.5
            elif step.verb == V.V_STRIP:
                value += book.worth[SHIELD] * min(step.n, chase.car[w].shields)
            elif step.verb == V.V_DISCARD:
                value += 0.6
            if step.who.pick == V.PICK_ONE:
                break
    return value

cdef double menu_value(const Book* book, const Chase* chase, int v, int action) noexcept nogil:
    cdef int level
    if action == V.DO_END:
        return 0
    if action == V.DO_CARD:
        return best_card(book, chase, v, V.BY_CARD)
    if action == V.DO_COG or action == V.DO_KIN:
        return best_card(book, chase, v, V.BY_COG if action == V.DO_COG else V.BY_KIN) + book.worth[TRANSFER]
    if action == V.DO_MANOEUVRE:
        return manoeuvre_value(book, chase, v)
    if action == V.DO_AST:
        return drive(book, chase, v, 0) + book.worth[ASTRAL]
    if action <= V.DO_POWER3:
        level = action - V.DO_POWER1 + 1
        return program_value(book, chase, v, power_program(chase, v, level)) \
            - book.worth[STAR] * power_price(book, chase, level) + \
            (0 if chase.flow.turn_flags & V.TURN_MAIN else best_card(book, chase, v, V.BY_CARD) if held(chase, v) else 0)
    if action == V.DO_SPIRIT:
        return 0.5 if chase.flow.turn_flags & V.TURN_MAIN else -50
    return 0.4 if chase.flow.turn_flags & V.TURN_MAIN else -50

cdef double manoeuvre_value(const Book* book, const Chase* chase, int v) noexcept nogil:
    """Two cards for an effect of choice: a missile at the Boss, most of all."""
    cdef int low = chase.hand[v][0]
    cdef int i
    cdef double effect = max(missile_value(book, chase, v, False), 1.6)
    for i in range(held(chase, v)):
        if chase.hand[v][i] % V.VALUES < low % V.VALUES:
            low = chase.hand[v][i]
    return effect + drive(book, chase, v, card_value(book, chase, v, low)) + book.worth[CARDS_LOST]

# ---- Other questions ----

cdef inline const Frame* top(const Chase* chase) noexcept nogil:
    return &chase.frame[chase.depth - 1]

cdef int points_behind(const Book* book, const Chase* chase) noexcept nogil:
    """The movement that follows the effect which is being asked for."""
    cdef const Frame* frame = top(chase)
    cdef const Frame* card
    if chase.depth < 2:
        return 0
    card = &chase.frame[chase.depth - 2]
    if card.kind != V.C_CARD or card.v != frame.v or card.how == V.BY_AST:
        return 0
    return card.left if card.left else card_value(book, chase, card.v, card.card) - (card.n if card.how == V.BY_KIN else 0)

cdef double effect_answer(const Book* book, const Chase* chase, int action) noexcept nogil:
    cdef const Frame* frame = top(chase)
    cdef int v = frame.v
    cdef int points = points_behind(book, chase)
    if frame.card == V.X_STEER:
        return step_value(book, chase, v, action - V.SQUARE, points) if action else drive(book, chase, v, points)
    if action == 0:
        return 0.5 if chase.flow.current < book.cars and mod(book, chase, chase.flow.current, V.M_SKIP_BONUS) else 0
    if frame.card == V.X_BOMB:
        return bomb_value(book, chase, v, action - V.SQUARE)
    if frame.card == V.X_MISSILE:
        return missile_value(book, chase, v, False)
    return 0.01 + effect_value(book, chase, v, frame.card, points)

cdef double manoeuvre_effect(const Book* book, const Chase* chase, int v, int effect) noexcept nogil:
    if effect == V.X_SHIELDS:
        return book.worth[SHIELD] * (book.shield_max - chase.car[v].shields)
    if effect == V.X_STAR:
        return book.worth[STAR] - 1.5
    return effect_value(book, chase, v, effect, 0)

cdef double link_value(const Book* book, const Chase* chase, int w) noexcept nogil:
    cdef const Frame* frame = top(chase)
    cdef int v = frame.v
    cdef int points
    if frame.how == V.BY_AST:
        return held(chase, w)
    points = card_value(book, chase, v, frame.card)
    if frame.how == V.BY_COG:
        return effect_value(book, chase, w, effect_of(frame.card), 0)
    return best_split(book, chase, v, w, points)

cdef double pick_value(const Book* book, const Chase* chase, int v, int w) noexcept nogil:
    """A vehicle for a power: mates that need it, the foe that is best placed."""
    cdef const Frame* frame = top(chase)
    cdef int verb = book.step[book.program[frame.program].start + frame.at].verb
    if w == V.NOBODY_SEAT:
        return 0
    if verb == V.V_HEAL:
        return chase.car[w].damage
    if verb == V.V_SHIELD:
        return 1 - 0.4 * chase.car[w].shields + 0.1 * chase.car[w].damage
    if verb == V.V_SWAP:
        return (progress(book, chase, w) - progress(book, chase, v)) / 70.0
    return 1 + progress(book, chase, w) / 4200.0

cdef double keep_value(const Book* book, int type) noexcept nogil:
    """A card in the hand."""
    cdef int effect = effect_of(type)
    return (1.5 if effect == V.X_MISSILE else 1.0 if effect == V.X_REPAIR or effect == V.X_STEER else 0.7) + 0.2 * (type % V.VALUES)

cdef double shield_value(const Book* book, const Chase* chase, int n) noexcept nogil:
    """Shields spent on an attack, or against one."""
    cdef const Frame* frame = top(chase)
    cdef int after
    if chase.flow.prompt == V.Q_SHIELD_BOOST:
        if frame.v == book.boss:
            return n * (book.worth[HEART] - 1)
        return n * (-3 if ally(book, frame.w, frame.v) else 0.7)
    after = frame.left - n
    return hurt_value(book, chase, frame.v, after) - book.worth[SHIELD] * n

cdef double aura_value(const Book* book, int aura) noexcept nogil:
    """A positive aura that is kept (section 11)."""
    cdef double value = 1
    value += 4 * (book.positive[aura][V.M_MISSILE_DMG] != 0) + 2 * (book.positive[aura][V.M_RAM_DMG] != 0)
    value += 3 * (book.positive[aura][V.M_VALUE_ALL] != 0) + 2 * (book.positive[aura][V.M_POWER_COST] != 0)
    return value + (book.positive[aura][V.M_TWICE_REPAIR] != 0)

cdef double value_of(const Book* book, const Chase* chase, int q, int action) noexcept nogil:
    """An answer, for whoever decides."""
    cdef int v = chase.flow.asker
    cdef int how
    cdef int sq = action - V.SQUARE if action >= V.SQUARE else chase.car[v].sq if v < book.vehicles else 0
    if q == V.Q_TURN_MENU:
        return menu_value(book, chase, v, action)
    if q == V.Q_CARD or q == V.Q_MAN_CARD:
        how = top(chase).how
        return card_worth(book, chase, top(chase).v, how, action,
                          linked(book, chase, top(chase).v) if how == V.BY_COG or how == V.BY_KIN else 0)
    if q == V.Q_EFFECT:
        return effect_answer(book, chase, action)
    if q == V.Q_LINK_CAR:
        return link_value(book, chase, action)
    if q == V.Q_KIN_POINTS:
        return split_value(book, chase, v, top(chase).w, card_value(book, chase, v, top(chase).card), action)
    if q == V.Q_MAN_EFFECT:
        return manoeuvre_effect(book, chase, v, action)
    if q == V.Q_POWER_PICK:
        return pick_value(book, chase, v, action)
    if q == V.Q_TELEPORT:
        return place_value(book, chase, v, sq, chase.car[v].lap + lap_change(book, chase, v, sq))
    if q == V.Q_POWER_SQUARE or q == V.Q_SLAB_SQUARE:
        return bomb_value(book, chase, v, sq) if action else 0
    if q == V.Q_HAND_DISCARD:
        return -keep_value(book, action)
    if q == V.Q_SHIELD_UPKEEP:
        return -keep_value(book, action - 1) if action else -book.worth[SHIELD]
    if q == V.Q_SHIELD_BOOST or q == V.Q_SHIELD_BLOCK:
        return shield_value(book, chase, action)
    if q == V.Q_ASTRAL_OFFER:
        return 1 - 0.5 * keep_value(book, action - 1) if action else 0
    if q == V.Q_FORK:
        return drive_from(book, chase, v, action, chase.car[v].lap, top(chase).left)
    if q == V.Q_RETURN_SQUARE:
        return place_value(book, chase, v, action, chase.car[v].lap)
    if q == V.Q_AURA_DROP:
        return -aura_value(book, action)
    if q == V.Q_DONOR:
        return chase.car[action].star
    if q == V.Q_SLIDE_SQUARE or q == V.Q_SNOUT_SQUARE:
        return -hurt_value(book, chase, occupant(book, chase, action), 1) * \
            (-1 if ally(book, v, occupant(book, chase, action)) else 1) if occupant(book, chase, action) >= 0 else \
            bomb_value(book, chase, v, action)
    if q == V.Q_GRID_SLOT:
        return -action
    if q == V.Q_SPIRIT_USE:
        return -0.1 * action
    return 0

cdef void score_actions(const void* tables, const void* state, int seat, const action_t* actions, int n,
                        double* out) noexcept nogil:
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef int i
    for i in range(n):
        out[i] = UTILITY * value_of(book, chase, chase.flow.prompt, actions[i]) if n > 1 else 0

cdef action_t quick_action(const void* tables, const void* state, int seat, const action_t* actions, int n,
                           Rng* rng) noexcept nogil:
    """The best of some answers: of a menu mostly a card, of many squares a few random ones."""
    cdef const Book* book = <const Book*> tables
    cdef const Chase* chase = <const Chase*> state
    cdef int question = chase.flow.prompt
    cdef int tries = n
    cdef int best = 0
    cdef int i, k
    cdef double value
    cdef double highest = -1e9
    if n == 1:
        return actions[0]
    if question == V.Q_TURN_MENU:
        if not chase.flow.turn_flags & V.TURN_MAIN and rng_below(rng, 4):
            for i in range(n):
                if actions[i] == V.DO_CARD:
                    return V.DO_CARD
        if not chase.flow.turn_flags & V.TURN_MAIN:
            return actions[rng_below(rng, n)]
    if n > 8:
        tries = 3
    for i in range(tries):
        k = i if tries == n else <int> rng_below(rng, n)
        value = value_of(book, chase, question, actions[k])
        if value > highest:
            highest = value
            best = k
    return actions[best]
