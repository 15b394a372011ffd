# Running compiled effects (effects_program.py) in C: what the interpreters of all games share.
#
# A section of a line is a sequence of calls, with amounts, conditions and jumps between them. `next_call` runs from an
# address to the next call and hands it, with its arguments, to the game; the game carries it out (which may take
# several questions), stores what the STORE instructions behind it ask for, and goes on from there with what the call did.
# So all that a game has to keep of an interrupted line is one address and one truth value.
#
# To find out whether a line can do anything, a game walks it with `did` = False: nothing behind "->" is reached then.
from seatmate.engine.core.types cimport int32_t

cpdef enum Op:              # the instructions; the docstring of effects_program.py says what each does
    END = 0
    PUSH = 1
    SEL = 2
    REG = 3
    AMOUNT = 4
    NEG = 5
    ADD = 6
    COND = 7
    CMP = 8
    NOT = 9
    AND = 10
    JUMP = 11
    JUMP_IF_NOT = 12
    JUMP_IF_NOTHING = 13
    ASK = 14
    CALL = 15
    STORE = 16
    TARGET = 17
    NEED = 18

cpdef enum:
    ALL = 0x7FFFFFFF        # the amount `all`
    STEP_MAY = 1            # flags of a call
    STEP_AFTER = 2
    MAX_CALL_ARGS = 8
    MAX_EXPRESSION = 32     # values an expression can have on its stack

cdef struct Machine

# The value of a number register.
ctypedef int32_t (*register_fn)(const Machine* machine, int register) noexcept nogil

# An amount or a condition of the game's vocabulary, with its arguments (selectors are addresses, -1 = left out).
ctypedef int32_t (*function_fn)(const Machine* machine, int code, const int32_t* args) noexcept nogil

cdef struct Machine:
    const int32_t* code
    register_fn register_value
    function_fn amount
    function_fn condition

cdef struct Call:
    int32_t verb
    int32_t n               # arguments
    int32_t who             # -1: not given
    int32_t flags           # STEP_MAY, STEP_AFTER
    int32_t args[MAX_CALL_ARGS]


cdef inline bint compare(int32_t left, int op, int32_t right) noexcept nogil:
    """left op right; `op` counts through effects.OPERATORS."""
    if op == 0:
        return left == right
    if op == 1:
        return left != right
    if op == 2:
        return left < right
    if op == 3:
        return left <= right
    if op == 4:
        return left > right
    return left >= right


cdef inline int32_t run(const Machine* machine, int32_t* at, bint did, Call* call) noexcept nogil:
    """Run from `at` to the next call (call.verb >= 0, `at` behind it) or END (call.verb = -1); returns the top of the stack.

    ASK is passed over: the call behind it has STEP_MAY. STORE is passed over, too: whoever runs a line carries the
    stores out before it comes here. A stack that would overflow ends the section; no line that compiles gets there.
    """
    cdef int32_t stack[MAX_EXPRESSION]
    cdef const int32_t* code = machine.code
    cdef int32_t pc = at[0]
    cdef int32_t op, i
    cdef int n = 0
    call.verb = -1
    while True:
        op = code[pc]
        if op == Op.PUSH or op == Op.SEL:
            if n == MAX_EXPRESSION:
                return 0
            stack[n] = code[pc + 1]
            n += 1
            pc += 2
        elif op == Op.CALL:
            call.verb = code[pc + 1]
            call.n = code[pc + 2]
            call.who = code[pc + 3]
            call.flags = code[pc + 4]
            for i in range(call.n):
                call.args[i] = stack[n - call.n + i]
            at[0] = pc + 5
            return 0
        elif op == Op.JUMP_IF_NOTHING:
            pc = pc + 2 if did else code[pc + 1]
        elif op == Op.JUMP_IF_NOT:
            n -= 1
            pc = pc + 2 if stack[n] else code[pc + 1]
        elif op == Op.AMOUNT or op == Op.COND:
            n -= code[pc + 2]
            if n == MAX_EXPRESSION:
                return 0
            if op == Op.AMOUNT:
                stack[n] = machine.amount(machine, code[pc + 1], stack + n)
            else:
                stack[n] = machine.condition(machine, code[pc + 1], stack + n)
            n += 1
            pc += 3
        elif op == Op.REG:
            if n == MAX_EXPRESSION:
                return 0
            stack[n] = machine.register_value(machine, code[pc + 1])
            n += 1
            pc += 2
        elif op == Op.CMP:
            n -= 1
            stack[n - 1] = compare(stack[n - 1], code[pc + 1], stack[n])
            pc += 2
        elif op == Op.NEG:
            stack[n - 1] = -stack[n - 1]
            pc += 1
        elif op == Op.ADD:
            stack[n - 1] += code[pc + 1]
            pc += 2
        elif op == Op.NOT:
            stack[n - 1] = not stack[n - 1]
            pc += 1
        elif op == Op.AND:
            n -= 1
            stack[n - 1] = stack[n - 1] and stack[n]
            pc += 1
        elif op == Op.JUMP:
            pc = code[pc + 1]
        elif op == Op.ASK or op == Op.STORE:
            pc += 3
        else:
            at[0] = pc
            return stack[n - 1] if n else 0


cdef inline bint next_call(const Machine* machine, int32_t* at, bint did, Call* call) noexcept nogil:
    """Fetch the next call of a section, or False at its end; `did`: the last executed step did something."""
    run(machine, at, did, call)
    return call.verb >= 0


cdef inline int32_t value(const Machine* machine, int32_t routine) noexcept nogil:
    """The value of an amount routine, or the truth of a condition routine; a missing condition (-1) holds."""
    cdef Call call
    cdef int32_t at = routine
    return run(machine, &at, False, &call) if routine >= 0 else 1
