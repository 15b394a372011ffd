"""`seatmate serve`: run the service until it is told to stop. Its options are the settings of seatmate.server.config."""
from __future__ import annotations

import asyncio
import inspect
import logging
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer
from typer.core import TyperOption

from seatmate.engine.core.errors import nearest
from seatmate.server.cli.arguments import TRACEBACK, example, variable_of
from seatmate.server.cli.tournaments import TOKEN
from seatmate.server.config import ServerConfig, is_address
from seatmate.server.options import Setting, build, settings

if TYPE_CHECKING:
    from seatmate.server.service import Server


def _read_config(context: typer.Context, file: Path | None) -> Path | None:
    """Take the options of a file for those that neither the command line nor the environment gives."""
    if file is None:
        return None
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"can't read {file}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file} is not TOML: {error}") from None
    known = {option.removeprefix("--"): parameter for parameter in _options(context)
             for option in parameter.opts if parameter.name not in ("config_file", "help")}
    for key, value in found.items():
        if key not in known:
            raise typer.BadParameter(f"{file}: seatmate serve has no option {key!r}{nearest(key, known)}")
        if isinstance(value, dict):
            raise typer.BadParameter(f"{file}: {key} is a table; a value is needed")
        if isinstance(value, list) != known[key].multiple:
            raise typer.BadParameter(f"{file}: {key} takes {'a list of values' if known[key].multiple else 'one value'}")
        if isinstance(value, bool) != known[key].is_flag:
            raise typer.BadParameter(f"{file}: {key} {'is true or false' if known[key].is_flag else 'takes a value'}")
    context.default_map = {str(known[key].name): value for key, value in found.items()}
    return file


log = logging.getLogger(__name__)

LogLevel = Annotated[Literal["debug", "info", "warning", "error"], typer.Option("--log-level", rich_help_panel="Operation", help=(
    "Logs go to stderr, one JSON object per line."))]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", envvar="SEATMATE_CONFIG", is_eager=True,
                                                 callback=_read_config, show_default=False, rich_help_panel="Operation", help=(
    "A TOML file with options, written as here without the dashes: address = \"0.0.0.0:443\"."))]


def serve(*, context: typer.Context, log_level: LogLevel = "warning", config_file: ConfigFile = None, **values: Any) -> None:
    """Run the service: gRPC, and a page to play in the browser.

    Tables are on disk: stop the server at any time, start it again with the same database, and the games go on.

    An option on the command line counts before the environment (SEATMATE_ADDRESS and so on), and that before the file of --config.
    """
    if not is_address(values["address"]):
        raise _refused(context, "address", "HOST:PORT is needed, with a port from 0 to 65535, or unix:PATH, "
                                           f"not {values['address']!r}")
    if not values["database"].strip():
        raise _refused(context, "database", "a file or a URL is needed, not an empty text")
    if (values["tls_cert"] is None) != (values["tls_key"] is None):
        raise typer.BadParameter("--tls-cert and --tls-key belong together; one of them is missing")
    if values["client_ca"] is not None and values["tls_cert"] is None:
        raise typer.BadParameter("--client-ca needs --tls-cert and --tls-key")
    config: ServerConfig = build(ServerConfig, {setting.path: _field_value(setting, values[setting.parameter])
                                                for setting in settings(ServerConfig) if values[setting.parameter] is not None})
    from seatmate.server.logs import setup  # the heavy part, once it is known that this command runs
    from seatmate.server.service import serve as serve_until_stopped

    setup(log_level.upper())
    _tell_strangers(context)

    def announce(server: Server) -> None:
        database = config.database
        where = database if "://" not in database else f"a database ({database.partition('://')[0]})"    # no passwords
        metrics = f"metrics at http://{server.metrics_address}/metrics; " if server.metrics_address else ""
        link = f"open {server.link} in a browser; " if server.link else ""
        print(f"Seatmate listens on {server.address}; tables are kept in {where}; {link}{metrics}Ctrl-C stops it.", flush=True)

    asyncio.run(serve_until_stopped(config, on_start=announce))


def _refused(context: typer.Context, parameter: str, why: str) -> typer.BadParameter:
    """Says also where the value comes from."""
    return typer.BadParameter(why, ctx=context, param=next(one for one in _options(context) if one.name == parameter))


def _options(context: typer.Context) -> list[TyperOption]:
    """Those of the command."""
    return [one for one in context.command.params if isinstance(one, TyperOption)]


def _tell_strangers(context: typer.Context) -> None:
    """Variables of the environment that look like ours and are not: most are slips, but others may set some, as Kubernetes does."""
    from seatmate.ai.bots.own import FILES

    own = (variable_of(one, context.auto_envvar_prefix) for one in _options(context))
    known = {TRACEBACK, TOKEN, FILES, *filter(None, own)}
    for name in sorted(os.environ):
        if name.startswith("SEATMATE_") and name not in known:
            log.warning(f"seatmate serve takes no notice of the environment variable {name}{nearest(name, known)}")


def _field_value(setting: Setting, value: Any) -> Any:
    """What the field holds for a value of the command line."""
    if get_origin(setting.type) is tuple:
        return tuple(value)
    return value * setting.option.unit if setting.option.unit != 1 else value


def _parameter(setting: Setting) -> inspect.Parameter:
    """The setting as typer reads it. What is not given is None where the default has to be said in words."""
    option, type_, default = setting.option, setting.type, setting.default
    in_words = option.default is not None
    name = f"--{option.flag}/--no-{option.flag}" if type_ is bool and default else f"--{option.flag}"
    about = typer.Option(name, metavar=option.metavar, rich_help_panel=option.group,
                         show_default=not in_words and type_ is not bool,
                         min=None if option.least is None else _in_unit(option.least, option.unit),
                         max=None if option.most is None else _in_unit(option.most, option.unit),
                         help=option.help + (f" Default: {option.default}." if in_words else ""))
    if get_origin(type_) is tuple:
        type_ = list[get_args(type_)[0]]    # type: ignore[misc]
    kind: Any = type_ | None if in_words else type_
    start = None if in_words else default if option.unit == 1 else default // option.unit
    return inspect.Parameter(setting.parameter, inspect.Parameter.KEYWORD_ONLY, default=start, annotation=Annotated[kind, about])


def _in_unit(value: float, unit: int) -> float:
    return value if unit == 1 else max(1, value // unit)


def _signature() -> inspect.Signature:
    """Of `serve`: all settings, and the two options that are none of the server's."""
    own = [one for one in inspect.signature(serve, eval_str=True).parameters.values() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    return inspect.Signature([*map(_parameter, settings(ServerConfig)), *own])


serve.__signature__ = _signature()      # type: ignore[attr-defined]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=example("seatmate serve --address 127.0.0.1:7171 --database tables.sqlite3"),
                context_settings={"auto_envvar_prefix": "SEATMATE"})(serve)
