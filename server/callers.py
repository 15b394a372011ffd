"""Who calls: known by address, since another connection costs nothing."""
from __future__ import annotations

import functools
import ipaddress
import urllib.parse
from typing import Any

_NET_BITS = 64
"""Of an IPv6 address: whoever has one has all that begin with the same bits."""


class Callers:
    """Knows the callers of one server, also of connections that are passed on to gRPC by a socket of this process."""

    def __init__(self) -> None:
        self._passed_on: dict[str, str] = {}

    def pass_on(self, socket: str, host: str) -> None:
        """Calls from this unix socket are this host's, until `forget`."""
        self._passed_on[f"unix:{socket}"] = host

    def forget(self, socket: str) -> None:
        """The connection has ended."""
        self._passed_on.pop(f"unix:{socket}", None)

    def host_of(self, context: Any) -> str:
        """Where this context's call comes from: an address, or "unix"."""
        peer = urllib.parse.unquote(context.peer())
        scheme, _, rest = peer.partition(":")
        if scheme not in ("ipv4", "ipv6"):
            return self._passed_on.get(peer, scheme)
        return rest.rpartition(":")[0].strip("[]")

    def of(self, context: Any) -> str:
        """The caller of this context's call: an address, the net of one of IPv6, or "unix"."""
        return _net(self.host_of(context))


@functools.lru_cache(4096)
def _net(host: str) -> str:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((int(address), _NET_BITS), strict=False))
