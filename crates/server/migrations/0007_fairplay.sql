-- Fair play: whether the engine may help, what a rated game counts for, who leaves early, and how
-- long turns take.

-- Whether all players allow the engine's help while people play people.
ALTER TABLE games ADD COLUMN help BIGINT NOT NULL DEFAULT 0;

-- Whether two people of a rated game sat down from one address. No address is stored, nor a hash
-- of one.
ALTER TABLE games ADD COLUMN one_address BIGINT NOT NULL DEFAULT 0;

-- The part of the full change that the ratings got, up to 1. Null if they got none, and in games
-- from before this was kept (those got all of it).
ALTER TABLE games ADD COLUMN rating_weight DOUBLE PRECISION;

-- Why a rated game with a result changed no rating: 'short', 'pair' or 'address'.
ALTER TABLE games ADD COLUMN not_rated TEXT;

-- Milliseconds that a person took for the turn which ends with this entry, less the way of the
-- messages where it is known. Null for everything else: draws, bots, the timeout rule.
ALTER TABLE log ADD COLUMN spent BIGINT;

-- Rated games that somebody left after seeing the first tile and before it could count.
CREATE TABLE early_exits (
    user_id TEXT NOT NULL REFERENCES users (id),
    game_id TEXT NOT NULL REFERENCES games (id),
    at BIGINT NOT NULL,
    PRIMARY KEY (user_id, game_id)
);

-- How a person used their time in a finished game. `instant` counts turns of less than half a
-- second. `agreement` is the share of turns, 0 to 1, in which the person played what the engine
-- thinks best; it is null until a review of the game fills it in.
CREATE TABLE thinking (
    game_id TEXT NOT NULL REFERENCES games (id),
    seat BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    ended BIGINT NOT NULL,
    turns BIGINT NOT NULL,
    mean_ms DOUBLE PRECISION NOT NULL,
    deviation_ms DOUBLE PRECISION NOT NULL,
    instant BIGINT NOT NULL,
    agreement DOUBLE PRECISION,
    PRIMARY KEY (game_id, seat)
);
CREATE INDEX thinking_of_user ON thinking (user_id, ended);
