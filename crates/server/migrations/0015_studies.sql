-- Studies: chapters of games with variations and comments. `visibility` says who may see and change one.
CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    visibility TEXT NOT NULL,
    made BIGINT NOT NULL,
    changed BIGINT NOT NULL
);
CREATE INDEX studies_by_owner ON studies (owner, changed);

-- A chapter as text (`docs/notation.md`); `version` grows with every change of it.
CREATE TABLE study_chapters (
    study_id TEXT NOT NULL,
    id TEXT NOT NULL,
    place BIGINT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    moves BIGINT NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (study_id, id)
);
