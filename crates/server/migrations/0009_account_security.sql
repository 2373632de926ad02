-- Browsers that a user came in with: wrong passwords of strangers do not keep them out.
CREATE TABLE devices (
    hash TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    seen BIGINT NOT NULL,
    PRIMARY KEY (hash, user_id)
);
CREATE INDEX devices_of_user ON devices (user_id);

-- Names that somebody had before: for a while nobody else may have them. The user is '' once the
-- account is deleted.
CREATE TABLE freed_names (
    id TEXT PRIMARY KEY,
    name_key TEXT NOT NULL,
    user_id TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX freed_names_by_name ON freed_names (name_key);

-- The second factor: codes by time. last_step is the time step of the last code that was used.
CREATE TABLE second_factors (
    user_id TEXT PRIMARY KEY REFERENCES users (id),
    secret TEXT NOT NULL,
    confirmed BIGINT NOT NULL,
    last_step BIGINT NOT NULL
);

ALTER TABLE tokens ADD COLUMN scope TEXT NOT NULL DEFAULT 'play';
ALTER TABLE tokens ADD COLUMN expires BIGINT;

-- One row that is written to learn whether the database takes what is written.
CREATE TABLE write_probe (
    id BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    padding TEXT NOT NULL
);
