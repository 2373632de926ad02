-- Lists find what they show without reading every game: finished games by their end, those that are
-- not over by their age, and the games of a user or a bot.
CREATE INDEX games_by_status_and_end ON games (status, ended, id);
CREATE INDEX games_by_status_and_age ON games (status, created, id);
DROP INDEX games_by_status;
CREATE INDEX seats_by_user ON seats (user_id, game_id);
DROP INDEX seats_of_user;
CREATE INDEX seats_by_bot ON seats (bot, game_id);
DROP INDEX seats_of_bot;
