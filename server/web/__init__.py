"""The browser's side of the server: the API as gRPC-Web and Connect, the page, and one port for them and gRPC."""
