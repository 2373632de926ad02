-- Games whose rating was taken back and whose later games are still being settled anew. `at` is when
-- the game itself was settled; `reached` is how far the later ones are, by the same times.
CREATE TABLE resettlements (
    game_id TEXT PRIMARY KEY,
    pool TEXT NOT NULL,
    at BIGINT NOT NULL,
    reached BIGINT NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX rating_history_of_game ON rating_history (game_id);
CREATE INDEX rating_history_by_time ON rating_history (pool, at, game_id);
CREATE INDEX rating_history_of_subject ON rating_history (subject, pool, at);
