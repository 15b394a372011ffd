"""The certificate and key of a TLS server, for gRPC and for Python's own sockets."""
from __future__ import annotations

import ssl
from pathlib import Path

import grpc

from seatmate.server.config import Tls
from seatmate.server.errors import StartupError


def ssl_context(tls: Tls) -> ssl.SSLContext:
    """For asyncio; says also what is wrong with a certificate, which gRPC doesn't. Raises StartupError."""
    for path in filter(None, (tls.certificate, tls.key, tls.client_ca)):
        _read(path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_ciphers("ECDHE+AESGCM:ECDHE+CHACHA20:@SECLEVEL=0")      # how strong a key has to be is for its owner to say
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
    return context


def credentials(tls: Tls) -> grpc.ServerCredentials:
    """For gRPC. Raises StartupError."""
    ssl_context(tls)
    client_ca = _read(tls.client_ca) if tls.client_ca else None
    return grpc.ssl_server_credentials([(_read(tls.key), _read(tls.certificate))], root_certificates=client_ca,
                                       require_client_auth=client_ca is not None)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StartupError(f"can't read {path}: {error.strerror or error}") from None
