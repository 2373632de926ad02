-- Moderation: roles, reports, sanctions, blocks, addresses, and the audit log. What refuses a
-- change of the audit log differs between the databases and is made by `db/audit_guard`.

-- 'user', 'moderator' or 'administrator'.
ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'user';

-- When a ban ends; a ban without it lasts until it is lifted.
ALTER TABLE users ADD COLUMN banned_until BIGINT;

-- When a moderator took the rating of a game back.
ALTER TABLE games ADD COLUMN annulled BIGINT;

-- What a rating is settled anew from.
ALTER TABLE rating_history ADD COLUMN volatility DOUBLE PRECISION;

-- state: 'open', 'taken' (by a moderator) or 'done'. evidence: lines of chat as JSON, copied when
-- the report was made.
CREATE TABLE reports (
    id TEXT PRIMARY KEY,
    reporter TEXT NOT NULL,
    subject TEXT NOT NULL,
    game_id TEXT,
    line BIGINT,
    reason TEXT NOT NULL,
    words TEXT NOT NULL,
    evidence TEXT NOT NULL,
    state TEXT NOT NULL,
    taken_by TEXT,
    outcome TEXT,
    note TEXT,
    created BIGINT NOT NULL,
    done BIGINT
);
CREATE UNIQUE INDEX reports_once ON reports (reporter, subject) WHERE done IS NULL;
CREATE INDEX reports_by_state ON reports (state, created);
CREATE INDEX reports_of_subject ON reports (subject);

-- kind: 'chat_timeout', 'ban', 'address_ban', 'closed', 'annulled'. A sanction without an end lasts
-- until it is lifted; one without an author was made at the command line.
CREATE TABLE sanctions (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id TEXT,
    network TEXT,
    game_id TEXT,
    report_id TEXT,
    reason TEXT NOT NULL,
    author TEXT,
    created BIGINT NOT NULL,
    ends BIGINT,
    lifted BIGINT,
    lifted_by TEXT
);
CREATE INDEX sanctions_of_user ON sanctions (user_id);
CREATE INDEX sanctions_by_kind ON sanctions (kind, lifted);

INSERT INTO sanctions (id, kind, user_id, reason, created)
    SELECT 'ban ' || id, 'ban', id, 'banned before reasons were kept', seen
    FROM users WHERE banned = 1;

CREATE TABLE blocks (
    user_id TEXT NOT NULL,
    blocked TEXT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (user_id, blocked)
);
CREATE INDEX blocks_of_blocked ON blocks (blocked);

CREATE TABLE name_history (
    user_id TEXT NOT NULL,
    name TEXT NOT NULL,
    given_up BIGINT NOT NULL
);
CREATE INDEX name_history_of_user ON name_history (user_id);

-- The networks (an IPv4 address, or the /64 of an IPv6 address) that accounts were used from.
CREATE TABLE addresses (
    user_id TEXT NOT NULL,
    network TEXT NOT NULL,
    first BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (user_id, network)
);
CREATE INDEX addresses_by_network ON addresses (network);

-- Keys that the server makes for itself.
CREATE TABLE server_keys (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Rows are only ever added. hash: BLAKE3 over the row and the hash of the row before.
CREATE TABLE audit (
    number BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    details TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
);
CREATE INDEX audit_of_subject ON audit (subject, number);
