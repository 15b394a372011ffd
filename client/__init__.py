"""Clients of the service, for programs in Python.

This is the asynchronous one. `seatmate.client.blocking` has the same names for programs without a loop: what is awaited here is
simply called there. Neither needs anything of the server; both fail with grpc.RpcError.

asynchronous  the client: tables, seats, turns, hints, tournaments
blocking      made of it when Seatmate is built
errors        what a failed call says, and whether it may be repeated
messages      requests out of Python's own values
"""
from seatmate.client.asynchronous import (
    Client,
    Metadata,
    Seat,
    Table,
    Tournament,
    Turn,
    bearer,
    connect,
    error_reason,
    patiently,
    read_detail,
)

__all__ = ["Client", "Metadata", "Seat", "Table", "Tournament", "Turn", "bearer", "connect", "error_reason", "patiently",
           "read_detail"]
