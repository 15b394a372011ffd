"""A program that plays: takes the last answer it is offered."""
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1}), flush=True)
    elif message["type"] == "decision":
        print(json.dumps({"type": "answer", "action": message["actions"][-1]}), flush=True)
    else:
        break
