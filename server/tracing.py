"""Traces for OpenTelemetry (the extra `otel`): a span for each call, exported as the standard OTEL_* environment says.

A span has the method, the status, the call's id and where it came from: nothing of a request, so that nothing secret can be in it.
"""
from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import entry_points, version
from typing import TYPE_CHECKING, Any

from seatmate.server.correlation import TRACE_KEY, current_call, in_trace
from seatmate.server.interceptors import Around, Call, Outcome

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

log = logging.getLogger(__name__)

_TRACE_KEYS = (TRACE_KEY, "tracestate")
_SERVER_FAULTS = frozenset({"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"})
"""Which of a server's answers are errors of its own (OpenTelemetry's conventions for gRPC)."""


def provider_from_environment() -> TracerProvider | None:
    """Where spans go; None when the environment names no exporter, or what it takes is not installed, which the log then says.

    OTEL_TRACES_EXPORTER=otlp (or console, or another that is installed), or an OTEL_EXPORTER_OTLP_ENDPOINT alone. Of OTLP the
    extra `otel` brings HTTP; OTEL_EXPORTER_OTLP_PROTOCOL=grpc takes opentelemetry-exporter-otlp-proto-grpc.
    """
    names = _exporters()
    if not names:
        return None
    try:
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as error:
        log.warning("there are no traces: a Python module is not installed; pip install 'seatmate[otel]' brings it",
                    extra={"missing": error.name})
        return None
    own = Resource.create({"service.name": "seatmate", "service.version": version("seatmate")})
    provider = TracerProvider(resource=own.merge(OTELResourceDetector().detect()))
    for name in names:
        found = next(iter(entry_points(group="opentelemetry_traces_exporter", name=name)), None)
        if found is None:
            log.warning("an exporter of traces is not installed", extra={"exporter": name})
        else:
            provider.add_span_processor(BatchSpanProcessor(found.load()()))
    return provider


def _exporters() -> list[str]:
    """Their names among the entry points."""
    environment = {key: value.strip() for key, value in os.environ.items() if key.startswith("OTEL_")}
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return []
    has_endpoint = any(environment.get(f"OTEL_EXPORTER_OTLP_{key}ENDPOINT") for key in ("", "TRACES_"))
    names = environment.get("OTEL_TRACES_EXPORTER") or ("otlp" if has_endpoint else "none")
    protocol = (environment.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or environment.get("OTEL_EXPORTER_OTLP_PROTOCOL")
                or "http/protobuf")
    otlp = "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"
    stripped = (name.strip() for name in names.split(","))
    return [otlp if name == "otlp" else name for name in stripped if name not in ("", "none")]


def trace_calls(provider: TracerProvider) -> Around:
    """An `around` that makes a span of each call, below that of its caller if it names one. It belongs inside `identify`."""
    from opentelemetry.trace import SpanKind, Status, StatusCode, format_trace_id
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    tracer = provider.get_tracer("seatmate", version("seatmate"))
    propagator = TraceContextTextMapPropagator()

    @asynccontextmanager
    async def traced(call: Call) -> AsyncIterator[None]:
        name = call.method.lstrip("/")
        service, _, method = name.partition("/")
        attributes: dict[str, Any] = {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method}
        if (known := current_call()) is not None:
            attributes |= {"seatmate.request_id": known.request_id, "client.address": known.peer}
        carrier = {key: value for key, value in call.context.invocation_metadata() or () if key in _TRACE_KEYS}
        ended = Outcome()
        with tracer.start_as_current_span(name, context=propagator.extract(carrier), kind=SpanKind.SERVER, attributes=attributes,
                                          record_exception=False, set_status_on_exception=False) as span:
            try:
                with in_trace(format_trace_id(span.get_span_context().trace_id)), ended.of(call):
                    yield
            finally:
                span.set_attribute("rpc.response.status_code", ended.status)
                if ended.status in _SERVER_FAULTS:
                    span.set_status(Status(StatusCode.ERROR, ended.status))

    return traced
