# One small fast generator for the whole engine: xoshiro256** 1.0 (Blackman and Vigna, 2018).
# Every caller owns its stream; there is no global randomness.
from seatmate.engine.core.types cimport uint8_t, uint16_t, uint32_t, uint64_t


cdef struct Rng:
    uint64_t s[4]


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    """The next 64 uniform bits."""
    cdef uint64_t x = rng.s[1] * 5
    cdef uint64_t result = ((x << 7) | (x >> 57)) * 9
    cdef uint64_t t = rng.s[1] << 17
    rng.s[2] ^= rng.s[0]
    rng.s[3] ^= rng.s[1]
    rng.s[1] ^= rng.s[2]
    rng.s[0] ^= rng.s[3]
    rng.s[2] ^= t
    rng.s[3] = (rng.s[3] << 45) | (rng.s[3] >> 19)
    return result


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """A uniform integer in [0, n), n >= 1, without bias (Lemire 2019)."""
    cdef uint64_t m = (rng_next(rng) >> 32) * n
    cdef uint32_t low = <uint32_t> m
    cdef uint32_t floor
    if low < n:
        floor = (0 - n) % n
        while low < floor:
            m = (rng_next(rng) >> 32) * n
            low = <uint32_t> m
    return <uint32_t> (m >> 32)


cdef inline double rng_unit(Rng* rng) noexcept nogil:
    """A uniform double in [0, 1)."""
    return <double> (rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)


cdef inline void rng_from_word(Rng* rng, uint64_t seed) noexcept nogil:
    """Fill the generator from one word through splitmix64; for derived streams inside hot loops."""
    cdef uint64_t z
    cdef int i
    for i in range(4):
        seed += <uint64_t> 0x9E3779B97F4A7C15
        z = seed
        z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
        z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
        rng.s[i] = z ^ (z >> 31)


cdef inline void shuffle_u8(uint8_t* items, int n, Rng* rng) noexcept nogil:
    """Fisher-Yates."""
    cdef int i, j
    cdef uint8_t swap
    for i in range(n - 1, 0, -1):
        j = <int> rng_below(rng, <uint32_t> (i + 1))
        swap = items[i]
        items[i] = items[j]
        items[j] = swap


cdef inline void shuffle_u16(uint16_t* items, int n, Rng* rng) noexcept nogil:
    """Fisher-Yates."""
    cdef int i, j
    cdef uint16_t swap
    for i in range(n - 1, 0, -1):
        j = <int> rng_below(rng, <uint32_t> (i + 1))
        swap = items[i]
        items[i] = items[j]
        items[j] = swap


cdef int seed_rng(Rng* rng, object seed, tuple stream) except -1
