"""The certificate and key of a TLS server, for gRPC and for Python's own sockets."""
from __future__ import annotations

import ssl
from pathlib import Path
from typing import Any

import grpc

from seatmate.server.config import Tls
from seatmate.server.options import StartupError

_PROTOCOLS = ["http/1.1", "h2"]
"""Of the port of browsers and gRPC, in the order of our preference."""


class Certificates:
    """What one server shows and asks for in TLS, in both of its forms. Files that are renewed are read by `reload`."""

    def __init__(self, tls: Tls) -> None:
        """Raises StartupError."""
        self._tls = tls
        self.context = _Newest(_context(tls))
        """For asyncio."""
        self._fresh: grpc.ServerCertificateConfiguration | None = None     # not yet taken by gRPC

    def credentials(self) -> grpc.ServerCredentials:
        """For gRPC, which asks before each connection whether they are others now."""
        authenticates = self._tls.client_ca is not None
        return grpc.dynamic_ssl_server_credentials(_configuration(self._tls), self._take, authenticates)

    def _take(self) -> Any:
        """None: as they were."""
        fresh, self._fresh = self._fresh, None
        return fresh

    def reload(self) -> None:
        """Read the files again, for connections that come from now on. Raises StartupError; then all is as it was."""
        context, fresh = _context(self._tls), _configuration(self._tls)
        self.context.newest, self._fresh = context, fresh


class _Newest(ssl.SSLContext):
    """Each connection is of the context that is the newest when it comes; asyncio keeps the one it was given.

    A context that reads other files trusts the authorities of the earlier ones as well, and lets sessions of their clients go on.
    """

    newest: ssl.SSLContext

    def __new__(cls, first: ssl.SSLContext) -> _Newest:
        made = super().__new__(cls, ssl.PROTOCOL_TLS_SERVER)
        made.newest = first
        return made

    def wrap_bio(self, *arguments: Any, **more: Any) -> ssl.SSLObject:
        """What asyncio asks for at each connection."""
        return self.newest.wrap_bio(*arguments, **more)


def _context(tls: Tls) -> ssl.SSLContext:
    """Says also what is wrong with a certificate, which gRPC doesn't. Raises StartupError."""
    for path in filter(None, (tls.certificate, tls.key, tls.client_ca)):
        _read(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20:@SECLEVEL=0")      # how strong a key has to be is for its owner to say
    context.set_alpn_protocols(_PROTOCOLS)
    _load(context, tls)
    return context


def _load(context: ssl.SSLContext, tls: Tls) -> None:
    try:
        context.load_cert_chain(tls.certificate, tls.key, password="")
    except ssl.SSLError as error:
        raise StartupError(f"the certificate {tls.certificate} and the key {tls.key} can't be used: they must be PEM files, "
                           f"unencrypted, that belong together ({error.reason or error})") from None
    if tls.client_ca is not None:
        try:
            context.load_verify_locations(tls.client_ca)
        except ssl.SSLError as error:
            raise StartupError(f"the authority {tls.client_ca} can't be used: it must be a PEM file of certificates "
                               f"({error.reason or error})") from None
        context.verify_mode = ssl.CERT_REQUIRED


def _configuration(tls: Tls) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration([(_read(tls.key), _read(tls.certificate))],
                                                     root_certificates=_read(tls.client_ca) if tls.client_ca else None)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartupError(f"can't read {path}: {error.strerror or error}") from None
