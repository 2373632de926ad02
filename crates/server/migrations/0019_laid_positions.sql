-- Games that begin with a position laid by hand: the text of that position on one line, which is part of the record's
-- start. Nothing for all others.
ALTER TABLE games ADD COLUMN laid TEXT;
