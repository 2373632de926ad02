#!/usr/bin/env python3
"""A player of Bastide over plain HTTP: listens to the stream of events, posts moves.

    python3 http_bot.py http://localhost:8080 TOKEN [--games N]

The token is a bot token of an account (`POST /api/me/tokens` with `"bot": true`). The bot accepts
every invitation and plays any legal action; the place for a better idea is `choose`. It needs
nothing but Python's standard library. With --games it stops after so many games.
"""

import argparse
import json
import random
import sys
import time
import urllib.error
import urllib.request


def choose(view):
    """The action to play: one of `view["valid_actions"]`."""
    return random.choice(view["valid_actions"])


class Server:
    """The server as this bot needs it."""

    def __init__(self, url, token):
        self.url = url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def request(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(self.url + path, data=data, headers=self.headers)

    def post(self, path, body):
        """Posts JSON; says why when it is refused."""
        try:
            with urllib.request.urlopen(self.request(path, body), timeout=60) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            problem = json.loads(error.read() or b"{}")
            print(f"refused: {path}: {problem.get('message', error)}", file=sys.stderr)
            return None

    def events(self):
        """The events that concern this bot, from a connection that is opened again when it ends."""
        while True:
            try:
                with urllib.request.urlopen(self.request("/api/stream"), timeout=60) as lines:
                    for line in lines:
                        if line.strip():  # an empty line only shows that the stream is alive
                            yield json.loads(line)
            except urllib.error.HTTPError as error:
                sys.exit(f"the server refuses the stream: {error}")
            except OSError as error:
                print(f"the stream ended ({error}); again in a second", file=sys.stderr)
            time.sleep(1)


def take_turn(server, game, event):
    """Plays a whole turn: the tile, then the meeple where one may be placed."""
    body = {"version": event["version"], "action": {"payload": choose(event["view"])}}
    played = server.post(f"/api/games/{game}/play", body)
    if played and played["meeple_choices"]:
        body = {"version": played["version"], "moves": [random.choice(played["meeple_choices"])]}
        server.post(f"/api/games/{game}/play", body)


def play(server, games):
    """Plays until so many games are over; without a number, for ever."""
    over = set()
    for event in server.events():
        game = event["game"]
        if event["type"] == "invitation":
            server.post(f"/api/games/{game}/join", {})
        elif event["type"] == "your_turn":
            take_turn(server, game, event)
        elif event["type"] == "game_over":
            over.add(game)
            print(f"{game}: {event['result']['reason']}, scores {event['result']['scores']}, "
                  f"seats {event['seats']}", flush=True)
            if games is not None and len(over) >= games:
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("token")
    parser.add_argument("--games", type=int)
    options = parser.parse_args()
    play(Server(options.url, options.token), options.games)


if __name__ == "__main__":
    main()
