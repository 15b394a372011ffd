"""The gRPC service, its storage and the command line: the only part that does I/O."""
