-- Games that begin with a position: so many entries of the log were not played here. 0 for all others.
ALTER TABLE games ADD COLUMN from_ply BIGINT NOT NULL DEFAULT 0;

-- Games that were played in a browser without a server, handed in later: the browser's own key, by which a second
-- attempt is known.
ALTER TABLE games ADD COLUMN offline_key TEXT;
CREATE UNIQUE INDEX games_by_offline_key ON games (host, offline_key);
