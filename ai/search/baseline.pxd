# The luck of a sampled world, taken out of what its simulation brought.
from libc.stdint cimport int64_t

cdef enum:
    BASELINE_WORLDS = 16        # sampled before the first iteration


# How the utility of one seat follows what `evaluate` says of the sampled world before the first action.
cdef struct Baseline:
    double mean             # of evaluate over sampled worlds
    double spread           # sum of squared deviations from it
    double shared           # sum of products of the deviations of evaluate and of the utility
    double utility          # mean utility so far


cdef inline void subtract_baseline(Baseline* baselines, int seats, const double* outlook, int64_t iterations,
                                   double* utilities) noexcept nogil:
    """Take the luck of the sampled world out of the utilities: a control variate with a running regression slope.

    What evaluate says of the world before the first action is the same for all actions, so on average over worlds this
    changes no difference between them; but it removes most of the noise.
    """
    cdef Baseline* baseline
    cdef double surprise, slope, value
    cdef int seat
    for seat in range(seats):
        baseline = &baselines[seat]
        surprise = outlook[seat] - baseline.mean
        slope = baseline.shared / baseline.spread if baseline.spread > 1e-12 else 0
        value = utilities[seat]
        utilities[seat] -= slope * surprise
        if iterations:
            baseline.spread += surprise * surprise
            baseline.shared += surprise * (value - baseline.utility)
        baseline.utility += (value - baseline.utility) / (iterations + 1)
        baseline.mean += surprise / (iterations + 1 + BASELINE_WORLDS)
