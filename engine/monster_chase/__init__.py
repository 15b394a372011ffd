"""Monster Chase: cars chase a Boss together, or race each other, on circuits of tiles."""
