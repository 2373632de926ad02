-- Which server may change the games. The epoch is raised whenever a server takes the database, and
-- every transaction that changes a game fails unless it is still the one that its server raised.
-- alive: when that server was last known to run. down: milliseconds, summed up, in which none ran.
CREATE TABLE owner (
    id BIGINT PRIMARY KEY,
    epoch BIGINT NOT NULL,
    taken BIGINT NOT NULL,
    alive BIGINT NOT NULL,
    down BIGINT NOT NULL
);

-- A game that no server has in memory. sleep: what a table knows beside the log, as JSON; NULL while
-- a table holds the game. wake: when a table must act by itself; Unix milliseconds less the time
-- in which no server ran (owner.down), so that a server that is down charges nobody.
ALTER TABLE games ADD COLUMN sleep TEXT;
ALTER TABLE games ADD COLUMN wake BIGINT;
CREATE INDEX games_to_wake ON games (wake) WHERE wake IS NOT NULL;
CREATE INDEX games_awake ON games (created) WHERE status <> 'over' AND sleep IS NULL;

-- Boards of games that sleep and on which the engine must not help: several numbers each, by which
-- the same board is found again although it was shifted, turned or a little changed.
CREATE TABLE sleeping_boards (
    game_id TEXT NOT NULL REFERENCES games (id),
    mark BIGINT NOT NULL,
    PRIMARY KEY (game_id, mark)
);
CREATE INDEX sleeping_boards_by_mark ON sleeping_boards (mark);

CREATE INDEX games_of_host ON games (host) WHERE status <> 'over';
