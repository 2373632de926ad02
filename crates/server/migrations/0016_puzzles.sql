-- Puzzles: positions with one clear best turn. `body` is the text that the puzzle was read from, `themes` its words
-- between spaces, one more at each end. The rating (Glicko-2) begins with what the text says and moves with the answers.
CREATE TABLE puzzles (
    id TEXT PRIMARY KEY,
    themes TEXT NOT NULL,
    body TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    plays BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    added BIGINT NOT NULL
);
CREATE INDEX puzzles_by_rating ON puzzles (rating);

-- The first answer of somebody to a puzzle, with the solver's rating before and after it. Later ones are not kept.
CREATE TABLE puzzle_answers (
    user_id TEXT NOT NULL,
    puzzle_id TEXT NOT NULL,
    solved BIGINT NOT NULL,
    answered BIGINT NOT NULL,
    rating_before DOUBLE PRECISION NOT NULL,
    rating_after DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (user_id, puzzle_id)
);
CREATE INDEX puzzle_answers_by_time ON puzzle_answers (user_id, answered);

-- How somebody fares with puzzles. `run` is how many were solved in a row, `daily_run` on how many days in a row the
-- puzzle of the day was, up to `daily_last` (days since 1970, UTC).
CREATE TABLE puzzle_solvers (
    user_id TEXT PRIMARY KEY,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    answered BIGINT NOT NULL,
    solved BIGINT NOT NULL,
    run BIGINT NOT NULL,
    best_run BIGINT NOT NULL,
    daily_run BIGINT NOT NULL,
    best_daily_run BIGINT NOT NULL,
    daily_last BIGINT NOT NULL
);

-- The puzzle of each day (days since 1970, UTC), kept so that it stays the same when puzzles are added.
CREATE TABLE daily_puzzles (
    day BIGINT PRIMARY KEY,
    puzzle_id TEXT NOT NULL
);
