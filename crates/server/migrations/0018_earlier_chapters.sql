-- Texts of chapters as they were before something was taken away in them: when, and by whom. `version` is that of the
-- chapter with this text.
CREATE TABLE study_earlier (
    study_id TEXT NOT NULL,
    chapter_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    body TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    moves BIGINT NOT NULL,
    at BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    -- Whether it is the text as the study's owner left it, before somebody else took something away.
    owners BIGINT NOT NULL,
    PRIMARY KEY (study_id, chapter_id, version)
);

-- The version of a chapter as its owner left it: the first earlier text after it is the owner's.
ALTER TABLE study_chapters ADD COLUMN owner_version BIGINT NOT NULL DEFAULT 0;

-- Ratings for puzzles begin with a deviation of 200.
UPDATE puzzle_solvers SET deviation = 200 WHERE deviation > 200;
