"""Deliberate errors, one of each kind a sanitizer must see. Only a build with SEATMATE_SANITIZE has this module."""
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc


ctypedef void (*writer)(int32_t* out, int index) noexcept nogil


cdef void write_one(int32_t* out, int index) noexcept nogil:
    out[index] = 1


cdef writer WRITERS[2]      # called through a table, as the rules are: the compiler does not see what is behind the pointer
WRITERS[0] = write_one
WRITERS[1] = NULL


def read_past_heap(int size, int index) -> int:
    """Read a byte of a block on the heap; index == size is the first one that is not ours."""
    cdef char* block = <char*> malloc(size)
    cdef int value
    block[0] = 1
    block[size - 1] = 1
    value = block[index]
    free(block)
    return value


def write_past_stack(int index) -> int:
    """Write one of 8 items of an array on the stack, through a pointer as the rules get it."""
    cdef int32_t legal[8]
    legal[0] = 0
    WRITERS[index >> 31](legal, index)
    return legal[0]


def use_after_free() -> int:
    """Read a block that was given back."""
    cdef char* block = <char*> malloc(16)
    block[3] = 1
    free(block)
    return block[3]


def index_past_array(int index) -> int:
    """Read an array of known size at an index it has not."""
    cdef int32_t legal[8]
    legal[0] = 1
    return legal[index]


def overflow(int value) -> int:
    """A signed sum that does not fit."""
    return value + 1


def shift_too_far(int by) -> int:
    """A shift by the width of the type or more."""
    return 1 << by
