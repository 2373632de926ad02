-- The servers that may change games: one that is alone, or several nodes that share the database. The
-- epoch is what a server raised when it took the database (owner.epoch). alive: when it was last known
-- to run, by the database's own clock, in Unix milliseconds.
CREATE TABLE nodes (
    epoch BIGINT PRIMARY KEY,
    alive BIGINT NOT NULL
);

-- Which node holds a game in memory; NULL if none does, and always where a server is alone.
ALTER TABLE games ADD COLUMN node BIGINT;
CREATE INDEX games_of_node ON games (node) WHERE node IS NOT NULL;
-- Games that some node must take up.
CREATE INDEX games_without_node ON games (created) WHERE status <> 'over' AND sleep IS NULL AND node IS NULL;

-- A name of the database, by which nodes on one bus know their own.
ALTER TABLE owner ADD COLUMN cluster TEXT;
