# What the modes with two teams do in their own way.
from seatmate.engine.titans.rules.model cimport Hooks

cdef Hooks HOOKS
