-- Ratings. A subject is 'user:ID' or 'bot:GAME/NAME'; a pool is 'two' or 'many' players.

CREATE TABLE ratings (
    subject TEXT NOT NULL,
    pool TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    games BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    PRIMARY KEY (subject, pool)
);
CREATE INDEX ratings_by_rating ON ratings (pool, rating);

CREATE TABLE rating_history (
    subject TEXT NOT NULL,
    pool TEXT NOT NULL,
    game_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (subject, pool, game_id)
);
