-- Reviews of finished games, one for each depth, as the JSON that clients read.
CREATE TABLE reviews (
    game_id TEXT NOT NULL,
    depth TEXT NOT NULL,
    body TEXT NOT NULL,
    made BIGINT NOT NULL,
    PRIMARY KEY (game_id, depth)
);

-- What a review says of each seat, with who sat there and when the game ended. `lost` is JSON: points that the engine's turns would have brought
-- more, by source.
CREATE TABLE review_seats (
    game_id TEXT NOT NULL,
    depth TEXT NOT NULL,
    seat BIGINT NOT NULL,
    user_id TEXT,
    bot TEXT,
    ended BIGINT NOT NULL,
    accuracy DOUBLE PRECISION NOT NULL,
    margin DOUBLE PRECISION NOT NULL,
    luck DOUBLE PRECISION NOT NULL,
    skill DOUBLE PRECISION NOT NULL,
    loss DOUBLE PRECISION NOT NULL,
    inaccuracies BIGINT NOT NULL,
    mistakes BIGINT NOT NULL,
    blunders BIGINT NOT NULL,
    lost TEXT NOT NULL,
    PRIMARY KEY (game_id, seat, depth)
);
CREATE INDEX review_seats_by_user ON review_seats (user_id, ended);
CREATE INDEX review_seats_by_bot ON review_seats (bot, ended);

-- The reviewed rated games of somebody in a pool, added up: each game once, by its first review.
CREATE TABLE review_totals (
    subject TEXT NOT NULL,
    pool TEXT NOT NULL,
    games BIGINT NOT NULL,
    margin DOUBLE PRECISION NOT NULL,
    margin_squares DOUBLE PRECISION NOT NULL,
    adjusted DOUBLE PRECISION NOT NULL,
    adjusted_squares DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (pool, subject)
);
