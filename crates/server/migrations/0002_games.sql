-- Games as their logs. The state of a game is never stored: the log is replayed.

CREATE TABLE games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    setup TEXT NOT NULL,
    options TEXT NOT NULL,
    status TEXT NOT NULL,
    rated BIGINT NOT NULL,
    visibility TEXT NOT NULL,
    clock TEXT NOT NULL,
    pass_and_play BIGINT NOT NULL,
    imported BIGINT NOT NULL DEFAULT 0,
    host TEXT NOT NULL REFERENCES users (id),
    seed TEXT NOT NULL,
    seed_given BIGINT NOT NULL,
    commitment TEXT NOT NULL,
    created BIGINT NOT NULL,
    started BIGINT,
    ended BIGINT,
    result TEXT,
    turns BIGINT NOT NULL DEFAULT 0,
    rematch_of TEXT,
    rematch TEXT
);
CREATE INDEX games_by_status ON games (status, created);
CREATE INDEX games_by_end ON games (ended);

CREATE TABLE seats (
    game_id TEXT NOT NULL REFERENCES games (id),
    seat BIGINT NOT NULL,
    kind TEXT NOT NULL,
    user_id TEXT,
    bot TEXT,
    bot_account BIGINT NOT NULL DEFAULT 0,
    name TEXT NOT NULL,
    nonce TEXT NOT NULL,
    out_reason TEXT,
    score BIGINT,
    place BIGINT,
    breakdown TEXT,
    rating DOUBLE PRECISION,
    rating_change DOUBLE PRECISION,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX seats_of_user ON seats (user_id);
CREATE INDEX seats_of_bot ON seats (bot);

-- kind: 'move' (body: a player's move), 'draw' (body: an outcome of chance), 'takeback' (body:
-- the ply that is the last one to stand), 'resign', 'time', 'agreed', 'abort'.
CREATE TABLE log (
    game_id TEXT NOT NULL REFERENCES games (id),
    ply BIGINT NOT NULL,
    seat BIGINT,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    at BIGINT NOT NULL,
    clocks TEXT NOT NULL,
    PRIMARY KEY (game_id, ply)
);

CREATE TABLE chat (
    game_id TEXT NOT NULL REFERENCES games (id),
    number BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    players BIGINT NOT NULL,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game_id, number)
);
