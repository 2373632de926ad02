-- People, where they are logged in, and the tokens of their programs.
-- Portable SQL: every number is BIGINT (times in Unix milliseconds, truth as 0 or 1), every
-- token is stored as the hexadecimal BLAKE3 hash of what the client holds.

CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    password TEXT,
    guest BIGINT NOT NULL,
    banned BIGINT NOT NULL DEFAULT 0,
    deleted BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL
);

CREATE TABLE sessions (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    agent TEXT NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);

CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    label TEXT NOT NULL,
    bot BIGINT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT
);
CREATE INDEX tokens_of_user ON tokens (user_id);

CREATE TABLE recovery_codes (
    hash TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    used BIGINT
);
CREATE INDEX recovery_codes_of_user ON recovery_codes (user_id);

CREATE TABLE mutes (
    user_id TEXT NOT NULL REFERENCES users (id),
    muted TEXT NOT NULL REFERENCES users (id),
    PRIMARY KEY (user_id, muted)
);
