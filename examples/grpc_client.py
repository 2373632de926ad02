#!/usr/bin/env python3
"""A client of `bastide grpc` in Python: plays a game in a session, with the engine on the first seat.

    pip install grpcio grpcio-tools
    bastide grpc &
    python3 examples/grpc_client.py 127.0.0.1:8081 [--game carcassonne] [--setup players=2] [--token TOKEN]

The messages are made from the protocol when the program starts; `python -m grpc_tools.protoc` makes files of them.
"""

import argparse
import queue
import sys
from pathlib import Path

import grpc

# From below its first folder: that has the name of the Python package, which may be installed too.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "crates" / "grpc" / "proto" / "bastide"))
messages, services = grpc.protos_and_services("v1/engine.proto")


class Session:
    """A session: requests go out, responses come back with the numbers of their requests."""

    def __init__(self, engine, metadata):
        self.requests = queue.SimpleQueue()
        self.responses = engine.Session(iter(self.requests.get, None), metadata=metadata)
        self.sent = 0

    def ask(self, **request):
        """Sends a request and gives its last response."""
        self.sent += 1
        self.requests.put(messages.SessionRequest(id=self.sent, **request))
        for answer in self.responses:
            if answer.WhichOneof("response") == "error":
                raise ValueError(answer.error.message)
            if answer.done:
                return getattr(answer, answer.WhichOneof("response"))
        raise ConnectionError("the session ended")

    def close(self):
        self.requests.put(None)


def play(session, game, setup):
    """The engine decides for player 0, the others take the first legal action; tiles are drawn with a seed."""
    begin = messages.InitialStateRequest(game=game, setup=setup)
    state = session.ask(open=messages.Open(game=begin, seed=7))
    while state.turn != messages.TURN_OVER:
        if state.HasField("player") and state.player == 0:
            actions = session.ask(analyse=messages.SearchTask(nodes=20)).best
        elif state.HasField("player"):
            actions = [state.actions.actions[0].text]
        else:
            actions = []
        state = session.ask(play=messages.Play(actions=actions, draw=True, list_actions=True))
    return state


def main():
    arguments = argparse.ArgumentParser(description="Plays a game over gRPC.")
    arguments.add_argument("server", nargs="?", default="127.0.0.1:8081")
    arguments.add_argument("--game", default="carcassonne")
    arguments.add_argument("--setup", default="players=2")
    arguments.add_argument("--token", help="of an account of the server, or of bastide grpc --token-file")
    asked = arguments.parse_args()
    metadata = [("authorization", f"Bearer {asked.token}")] if asked.token else []
    try:
        with grpc.insecure_channel(asked.server) as channel:
            engine = services.EngineStub(channel)
            types = engine.GameTypes(messages.GameTypesRequest(), metadata=metadata, timeout=10)
            print(f"bastide {types.version}: {', '.join(game.id for game in types.games)}")
            session = Session(engine, metadata)
            end = play(session, asked.game, asked.setup)
            print(f"{asked.game} is over after {end.ply} moves: {' : '.join(map(str, end.scores))}")
            print(f"{len(session.ask(get_record=messages.GetRecord()).splitlines())} lines of record")
            session.close()
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
    except ValueError as error:
        sys.exit(f"refused: {error}")


if __name__ == "__main__":
    main()
