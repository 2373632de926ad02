-- How people like the board, kept with their account: one JSON object of known keys.

CREATE TABLE settings (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    body TEXT NOT NULL,
    changed BIGINT NOT NULL
);
