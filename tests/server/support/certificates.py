"""Certificates for tests of TLS."""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from seatmate.server.config import Tls


def new_certificate(folder: Path) -> Tls:
    """Of this machine, signed by itself; in place of the last one there."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", "key.pem", "-out", "cert.pem"], cwd=folder, capture_output=True, check=True)
    return Tls(certificate=folder / "cert.pem", key=folder / "key.pem")
