"""Is the service up? The standard health service, with the list of its answers."""
from __future__ import annotations

from typing import Any

from grpc_health.v1 import health_pb2
from grpc_health.v1._async import HealthServicer

_pb: Any = health_pb2       # its stubs know nothing of List


class Health(HealthServicer):
    """As gRPC's own, which has no List and fails there."""

    _server_status: dict[str, int]

    async def List(self, request: Any, context: Any) -> Any:
        """All that can be asked for, and how it is."""
        return _pb.HealthListResponse(statuses={
            name: _pb.HealthCheckResponse(status=status) for name, status in self._server_status.items()})
