-- The ratings of our bots are fixed from now on, and have no history. The server puts the stored
-- ones right at its start; the ratings of people stay as they are.
DELETE FROM rating_history WHERE subject LIKE 'bot:%';
