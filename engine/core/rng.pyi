from enum import IntEnum

class Stream(IntEnum):
    TABLE = 0
    RESAMPLE = 1
    SEARCH = 2
    POLICY = 3
    PLAYOUT = 4
    DEALS = 5

def random_words(seed: int, stream: tuple[int, ...], count: int) -> list[int]: ...
