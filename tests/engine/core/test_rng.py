"""Random numbers: known vectors, no bias, independent streams."""
from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from numpy.random import SeedSequence
from scipy.stats import chisquare, kstest

from seatmate.engine.core.rng import Stream, random_words
from seatmate.tests.native import helpers as _testing

P = 1e-4    # seeds are fixed: a test gives the same answer every time


def reference_xoshiro(words: list[int], count: int) -> list[int]:
    """xoshiro256** 1.0 as its authors publish it, in Python integers."""
    mask = 2**64 - 1

    def rotl(x: int, k: int) -> int:
        return (x << k | x >> (64 - k)) & mask

    s = list(words)
    out = []
    for _ in range(count):
        out.append(rotl(s[1] * 5 & mask, 7) * 9 & mask)
        t = s[1] << 17 & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
    return out


def test_the_generator_is_xoshiro256_starstar() -> None:
    # First outputs for the state 1, 2, 3, 4, as other implementations pin them.
    known = [11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600, 16172922978634559625,
             8476171486693032832, 10595114339597558777, 2904607092377533576]
    assert _testing.xoshiro([1, 2, 3, 4], 10) == known
    start = [0x0123456789ABCDEF, 0xFEDCBA9876543210, 2**64 - 1, 0x9E3779B97F4A7C15]
    assert _testing.xoshiro(start, 1000) == reference_xoshiro(start, 1000)


def test_one_word_seeds_through_splitmix64() -> None:
    # The published test vector of splitmix64 for the seed 1234567.
    assert _testing.splitmix_words(1234567) == [6457827717110365317, 3203168211198807973, 9817491932198370423,
                                                4593380528125082431]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 52, 255])
def test_below_is_uniform(n: int) -> None:
    draws = _testing.below(n, n, 20_000)
    assert set(draws) <= set(range(n))
    if n > 1:
        counts = Counter(draws)
        assert chisquare([counts[value] for value in range(n)]).pvalue > P


def test_below_rejects_what_would_be_bias() -> None:
    # Without rejection every third value of 3 * 2^30 would come twice as often as the others.
    thirds = Counter(value % 3 for value in _testing.below(5, 3 * 2**30, 30_000))
    assert chisquare([thirds[rest] for rest in range(3)]).pvalue > P


def test_units_are_uniform_in_the_half_open_interval() -> None:
    draws = np.array(_testing.units(3, 20_000))
    assert draws.min() >= 0.0
    assert draws.max() < 1.0
    assert kstest(draws, "uniform").pvalue > P


@pytest.mark.parametrize("wide", [False, True])
def test_every_order_is_as_likely_after_a_shuffle(wide: bool) -> None:
    counts = Counter(_testing.shuffled(11, 4, 12_000, wide))
    orders = list(itertools.permutations(range(4)))
    assert set(counts) == set(orders)
    assert chisquare([counts[order] for order in orders]).pvalue > P
    assert sorted(_testing.shuffled(1, 200, 1, wide)[0]) == list(range(200))


def test_streams_start_from_numpys_seed_sequence() -> None:
    start = [int(word) for word in SeedSequence(42, spawn_key=(int(Stream.SEARCH), 3)).generate_state(4, "uint64")]
    assert random_words(42, (int(Stream.SEARCH), 3), 50) == _testing.xoshiro(start, 50)


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 - 1, 2**64, 2**96 + 5, 2**127, 2**128 - 1, 2**160 + 3,
                                  3**1200, 3**1300, np.int64(7)])
@pytest.mark.parametrize("stream", [(), (0,), (2, 1), (2**32, 0, 2**70)])
def test_every_length_of_seed_and_stream_is_numpys(seed: int, stream: tuple[int, ...]) -> None:
    start = [int(word) for word in SeedSequence(int(seed), spawn_key=stream).generate_state(4, "uint64")]
    assert random_words(seed, stream, 9) == _testing.xoshiro(start, 9)


def test_what_is_no_seed_is_refused() -> None:
    for seed in (-1, -2**70):
        with pytest.raises(ValueError, match="negative"):
            random_words(seed, (0,), 1)
    for word in ("7", None):
        with pytest.raises(TypeError):
            random_words(word, (0,), 1)  # type: ignore[arg-type]


def test_streams_of_one_seed_are_independent() -> None:
    """No shared words, and no correlation between the bits, of any two streams or of neighbouring seeds."""
    keys = [(seed, (int(stream), *rest)) for seed in (0, 1, 2**128 - 1) for stream in Stream for rest in ((), (0,), (1,))]
    words = {key: random_words(*key, 400) for key in keys}
    everything = [word for stream in words.values() for word in stream]
    assert len(set(everything)) == len(everything)
    bits = {key: np.unpackbits(np.array(stream, dtype=np.uint64).view(np.uint8)) for key, stream in words.items()}
    for left, right in itertools.combinations(keys, 2):
        agree = int(np.sum(bits[left] == bits[right]))
        assert abs(agree - 12_800) < 5.5 * 80, f"{left} and {right} agree in {agree} of 25600 bits"   # sigma = 80


def test_equal_arguments_give_equal_words() -> None:
    assert random_words(7, (1, 2), 20) == random_words(7, (1, 2), 20)
    assert random_words(7, (1, 2), 20)[:5] == random_words(7, (1, 2), 5)
