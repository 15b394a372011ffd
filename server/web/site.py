"""What a browser is answered: the page's files, the API by way of the bridge, and refusals in words."""
from __future__ import annotations

import gzip
import hashlib
import ipaddress
import mimetypes
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seatmate.server.web.bridge import Bridge
from seatmate.server.web.refused import Header, Refused, answer, refuse

API = "/seatmate."
"""Paths of calls begin so."""
FOLDER = Path(__file__).parent / "site"
"""The built page: index.html, and assets/ with a hash in each name."""

_NO_PAGE = ("this server has no page, only the API: `npm ci && npm run build` beside its sources builds it, and `make install` "
            "installs it")
_TEXT = re.compile(r"text/|application/(javascript|json|manifest\+json|wasm)|image/svg")


@dataclass(frozen=True, slots=True)
class _File:
    """One file of the page, ready to be sent."""

    plain: bytes
    packed: bytes | None        # gzip, where that is shorter
    headers: tuple[Header, ...]
    tag: bytes


def read_site(folder: Path) -> dict[str, _File]:
    """The files below a folder by the path of their address; none without an index.html."""
    if not (folder / "index.html").is_file():
        return {}
    files = {f"/{path.relative_to(folder).as_posix()}": _read(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()}
    return {"/": files["/index.html"], **files}


def _read(path: Path, folder: Path) -> _File:
    data = path.read_bytes()
    media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    text = _TEXT.match(media) is not None
    packed = gzip.compress(data, 9, mtime=0) if text else data
    kept = path.is_relative_to(folder / "assets")       # a new content gets a new name there
    tag = f'W/"{hashlib.sha256(data).hexdigest()[:32]}"'.encode()
    return _File(data, packed if len(packed) < len(data) else None, (
        (b"content-type", (media + "; charset=utf-8" * text).encode()), (b"etag", tag), (b"vary", b"accept-encoding"),
        (b"cache-control", b"public, max-age=31536000, immutable" if kept else b"no-cache")), tag)


class Web:
    """The ASGI application of a server: `/seatmate.v1.TableService/...` is the API, everything else the page."""

    def __init__(self, api: Bridge, site: Mapping[str, _File], host: str, host_names: Iterable[str] = ()) -> None:
        """`host` is the one bound to; `host_names` are further ones by which browsers know this server."""
        self._api, self._site = api, site
        self._hosts = {"localhost", host.lower(), *(name.lower() for name in host_names)}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One request."""
        try:
            headers = {key.lower(): value.decode("latin-1") for key, value in scope["headers"]}
            self._check_host(headers.get(b"host", ""))
            if scope["path"].startswith(API):
                _check_origin(headers)
                await self._api(scope, receive, send)
            else:
                await self._page(scope["method"], scope["path"], headers, send)
        except Refused as refused:
            await refuse(send, refused, close=scope["method"] not in ("GET", "HEAD"))

    def _check_host(self, authority: str) -> None:
        """A page of somewhere else may have its own name point here (DNS rebinding), but it can't have a name of ours."""
        name = _host_of(authority)
        if name not in self._hosts and not _is_address(name):
            raise Refused(421, f"this server is not known as {name or 'nothing'}; `seatmate serve --host-name NAME` makes it so")

    async def _page(self, method: str, path: str, headers: Mapping[bytes, str], send: Any) -> None:
        if method not in ("GET", "HEAD"):
            raise Refused(405, "the page is read by GET", (b"allow", b"GET, HEAD"))
        if "\\" in path or "\0" in path or ".." in path.split("/"):
            raise Refused(400, "this path leads out of the page")
        if not self._site:
            raise Refused(404, _NO_PAGE)
        file = self._site.get(path)
        if file is None:
            raise Refused(404, f"there is no page {path} here; the page is at /")
        if file.tag in headers.get(b"if-none-match", "").encode("latin-1"):
            await answer(send, 304, file.headers, b"")
        elif file.packed is not None and _takes_gzip(headers.get(b"accept-encoding", "")):
            await answer(send, 200, (*file.headers, (b"content-encoding", b"gzip")), file.packed)
        else:
            await answer(send, 200, file.headers, file.plain)


def _check_origin(headers: Mapping[bytes, str]) -> None:
    """Only our own page calls from within a browser; what is no browser says nothing of where it comes from. Raises Refused."""
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
    if site not in (None, "same-origin", "none") or (
            site is None and origin is not None and origin.rpartition("//")[2] != headers.get(b"host")):
        raise Refused(403, "a page from somewhere else may not call this server")


def _host_of(authority: str) -> str:
    """Without the port."""
    return re.sub(r":[0-9]*$", "", authority).lower().rstrip(".")


def _is_address(host: str) -> bool:
    """An address is no name that could point anywhere."""
    try:
        ipaddress.ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


def _takes_gzip(accepted: str) -> bool:
    return any(re.fullmatch(r"\s*gzip\s*(;\s*q=(1|0?\.\d*[1-9]\d*|1\.0*)\s*)?", one) for one in accepted.lower().split(","))
