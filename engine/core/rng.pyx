"""Random streams: xoshiro256** generators, seeded as NumPy's SeedSequence does it."""
from enum import IntEnum
from operator import index

from numpy.random import SeedSequence


class Stream(IntEnum):
    """First word of a stream's key: what the randomness is for. Streams of one seed are independent."""

    TABLE = 0        # the secret deal of a real game
    RESAMPLE = 1     # worlds sampled on request
    SEARCH = 2       # a bot's search
    POLICY = 3       # a bot's own choices outside a search
    PLAYOUT = 4      # simulated games of a benchmark
    DEALS = 5        # the deals of a tournament


# ---- SeedSequence in C: the same words, without the ten microseconds that NumPy's objects take ----

cdef enum:
    POOL = 4                # 32-bit words of the entropy pool
    MAX_ENTROPY = 64        # words of seed and stream mixed here; longer ones go through NumPy

cdef enum Mix:
    INIT_A = 0x43b0d7e5     # NumPy promises never to change these
    MULT_A = 0x931e8875
    INIT_B = 0x8b51f9dd
    MULT_B = 0x58f38ded
    MIX_L = 0xca01f9dd
    MIX_R = 0x4973f715


cdef inline uint32_t hash_word(uint32_t value, uint32_t* constant) noexcept nogil:
    value ^= constant[0]
    constant[0] *= <uint32_t> MULT_A
    value *= constant[0]
    return value ^ (value >> 16)


cdef inline uint32_t mix_words(uint32_t x, uint32_t y) noexcept nogil:
    cdef uint32_t mixed = <uint32_t> MIX_L * x - <uint32_t> MIX_R * y
    return mixed ^ (mixed >> 16)


cdef void seed_from_entropy(Rng* rng, const uint32_t* entropy, int n) noexcept nogil:
    """What SeedSequence makes of n words: mixed into a pool, then drawn as four 64-bit words."""
    cdef uint32_t pool[POOL]
    cdef uint32_t drawn[8]
    cdef uint32_t constant = INIT_A
    cdef int i, j
    for i in range(POOL):
        pool[i] = hash_word(entropy[i] if i < n else 0, &constant)
    for i in range(POOL):
        for j in range(POOL):
            if i != j:
                pool[j] = mix_words(pool[j], hash_word(pool[i], &constant))
    for i in range(POOL, n):
        for j in range(POOL):
            pool[j] = mix_words(pool[j], hash_word(entropy[i], &constant))
    constant = INIT_B
    for i in range(8):
        drawn[i] = pool[i % POOL] ^ constant
        constant *= <uint32_t> MULT_B
        drawn[i] *= constant
        drawn[i] ^= drawn[i] >> 16
    for i in range(4):
        rng.s[i] = drawn[2 * i] | <uint64_t> drawn[2 * i + 1] << 32


cdef int add_words(uint32_t* entropy, int n, object value) except -1:
    """Append a non-negative integer's 32-bit words, lowest first; the new count, above MAX_ENTROPY when it does not fit."""
    cdef uint64_t low
    if value < 0:
        raise ValueError(f"a seed is not negative: {value}")
    while True:
        if n == MAX_ENTROPY:
            return MAX_ENTROPY + 1
        if value <= 0xFFFFFFFFFFFFFFFF:
            low = value
            entropy[n] = <uint32_t> low
            if low >> 32 == 0:
                return n + 1
            value = low >> 32
        else:
            entropy[n] = value & 0xFFFFFFFF
            value >>= 32
        n += 1


cdef int seed_rng(Rng* rng, object seed, tuple stream) except -1:
    """Fill `rng` from a non-negative integer seed of any size and a stream key (see `Stream`).

    The words are those of NumPy's SeedSequence(seed, spawn_key=stream).
    """
    cdef uint32_t entropy[MAX_ENTROPY]
    cdef int i
    cdef int n = add_words(entropy, 0, index(seed))
    while n < POOL and stream:
        entropy[n] = 0
        n += 1
    for word in stream:
        if n <= MAX_ENTROPY:
            n = add_words(entropy, n, index(word))
    if n <= MAX_ENTROPY:
        seed_from_entropy(rng, entropy, n)
        return 0
    words = SeedSequence(seed, spawn_key=stream).generate_state(4, "uint64")
    for i in range(4):
        rng.s[i] = words[i]
    return 0


def random_words(seed, stream: tuple[int, ...], count: int) -> list[int]:
    """`count` uniform 64-bit words of the stream; the same arguments give the same words."""
    cdef Rng rng
    seed_rng(&rng, seed, stream)
    return [rng_next(&rng) for _ in range(count)]
