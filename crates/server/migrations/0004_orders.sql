-- What somebody at the command line wants the running server to do: it holds the games, so
-- nobody else may change them. kind: 'finish_game' (subject: the game's id).
CREATE TABLE orders (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    created BIGINT NOT NULL,
    done BIGINT,
    answer TEXT
);
CREATE INDEX orders_open ON orders (done, created);
