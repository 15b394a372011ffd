"""Random streams: xoshiro256** generators seeded through NumPy's SeedSequence."""
from enum import IntEnum

from numpy.random import SeedSequence


class Stream(IntEnum):
    """First word of a stream's key: what the randomness is for. Streams of one seed are independent."""

    TABLE = 0        # the secret deal of a real game
    RESAMPLE = 1     # worlds sampled on request
    SEARCH = 2       # a bot's search
    POLICY = 3       # a bot's own choices outside a search
    PLAYOUT = 4      # simulated games of a benchmark
    DEALS = 5        # the deals of a tournament


cdef int seed_rng(Rng* rng, object seed, tuple stream) except -1:
    """Fill `rng` from a non-negative integer seed of any size and a stream key (see `Stream`)."""
    words = SeedSequence(seed, spawn_key=stream).generate_state(4, "uint64")
    cdef int i
    for i in range(4):
        rng.s[i] = words[i]
    return 0


def random_words(seed: int, stream: tuple[int, ...], count: int) -> list[int]:
    """`count` uniform 64-bit words of the stream; the same arguments give the same words."""
    cdef Rng rng
    seed_rng(&rng, seed, stream)
    return [rng_next(&rng) for _ in range(count)]
