//! A turn as the answer to a puzzle: right or wrong, the ratings after it, and why.

use super::store::{self, Settled, Settlement};
use super::{Puzzles, choose, progress, record, today};
use crate::address::ClientAddress;
use crate::engine::review_told::told_attempt;
use crate::engine::threads::Analysts;
use crate::error::Refusal;
use crate::games::Hosted;
use crate::games::carcassonne::{AnyCarcassonne, tempting_turn};
use crate::people::accounts::Requester;
use crate::people::moderation::visible_game;
use crate::time;
use crate::wire::{ComparedTurn, PuzzleFacts, PuzzleGap, PuzzleResult};
use bots::puzzle::{Puzzle, Source};
use bots::review::{AttemptError, Depth, check_whole_turn};
use carcassonne::Move;
use search::Stop;

impl Puzzles {
    /// Judges a turn. The first answer of somebody who is logged in is rated, however many come at once, unless
    /// the answer was shown at their address without an account; one by a bot's token never is.
    ///
    /// # Errors
    /// If there is no such puzzle, or the moves are not one whole legal turn; then nothing is counted.
    pub async fn answer(
        &self,
        id: &str,
        who: Option<&Requester>,
        address: ClientAddress,
        moves: &[String],
        engine: &Analysts,
    ) -> Result<PuzzleResult, Refusal> {
        let (stored, puzzle) = self.find(id).await?;
        let moves = read_turn(moves)?;
        let (puzzle, moves, right) = super::aside(move || {
            check_whole_turn(&puzzle.position(), &moves).map_err(refused)?;
            let right = puzzle.is_solution(&moves);
            Ok((puzzle, moves, right))
        })
        .await?;
        let settled = self.settled(&stored.id, who, address, right).await?;
        self.remember(&stored.id, who, address);
        let stored = store::find(&self.db, id).await?.unwrap_or(stored);
        let facts = PuzzleFacts {
            rating: stored.rating.rating,
            deviation: stored.rating.deviation,
            plays: stored.plays,
            solved: stored.solved,
            themes: stored.themes,
            game: self.shown_game(&puzzle, who).await?,
        };
        let texts = |turn: &Vec<Move>| turn.iter().map(ToString::to_string).collect();
        Ok(PuzzleResult {
            right,
            answer: texts(&puzzle.answer),
            also: puzzle.also.iter().map(texts).collect(),
            gap: PuzzleGap { points: puzzle.gap.points, error: puzzle.gap.error },
            facts,
            change: settled.as_ref().and_then(|settled| settled.change),
            shown_here: settled.as_ref().is_some_and(|settled| settled.shown_here),
            progress: settled.as_ref().map(|settled| progress(&settled.solver)),
            record: puzzle.record.to_string(),
            compared: compared(puzzle, moves, right, engine).await?,
        })
    }

    /// Counts an answer of somebody who is logged in.
    async fn settled(
        &self,
        puzzle: &str,
        who: Option<&Requester>,
        address: ClientAddress,
        right: bool,
    ) -> Result<Option<Settled>, Refusal> {
        let Some(who) = who.filter(|who| !who.bot_token) else { return Ok(None) };
        let now = time::now();
        let shown_here = [address.limit_key(), user_place(who)]
            .iter()
            .any(|place| self.shown.was_shown(place, puzzle, now));
        let answer = Settlement {
            user: &who.user,
            shown_here,
            // Anybody can be a guest, as often as they like: only accounts move the puzzles.
            moves_puzzle: !who.guest,
            puzzle,
            right,
            at: now,
            today: today(),
            daily: choose::is_daily(&self.db, puzzle).await?,
        };
        Ok(Some(store::settle(&self.db, &answer).await?))
    }

    /// Remembers that the answer is told to somebody who can come back as somebody else to be rated for it.
    fn remember(&self, puzzle: &str, who: Option<&Requester>, address: ClientAddress) {
        if who.is_some_and(|who| !who.guest && !who.bot_token) {
            return;
        }
        let now = time::now();
        self.shown.show(&address.limit_key(), puzzle, now);
        // A bot asks from anywhere; it tells its owner.
        if let Some(who) = who.filter(|who| who.bot_token) {
            self.shown.show(&user_place(who), puzzle, now);
        }
    }

    /// The game that a puzzle comes from, if the asker may see it.
    async fn shown_game(
        &self,
        puzzle: &Puzzle,
        who: Option<&Requester>,
    ) -> Result<Option<String>, Refusal> {
        let Source::Game(id) = &puzzle.source else { return Ok(None) };
        match visible_game(&self.db, id, who).await {
            Ok(stored) => Ok(Some(stored.id)),
            Err(Refusal::NotFound(_) | Refusal::Forbidden(_)) => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }
}

fn user_place(who: &Requester) -> String {
    format!("user {}", who.user)
}

pub(super) fn read_turn(moves: &[String]) -> Result<Vec<Move>, Refusal> {
    let read = |text: &String| {
        text.parse::<Move>().map_err(|error| {
            Refusal::IllegalMove(format!("'{}': {error}", game::excerpt(text, 40)))
        })
    };
    moves.iter().map(read).collect()
}

pub(super) fn refused(error: AttemptError) -> Refusal {
    Refusal::IllegalMove(error.to_string())
}

/// The best turn beside the one that was tried, or after a right answer beside the one that looks best at first
/// sight. The answer counts whether the engine has time to say why or not.
async fn compared(
    puzzle: Puzzle,
    tried: Vec<Move>,
    right: bool,
    engine: &Analysts,
) -> Result<Option<ComparedTurn>, Refusal> {
    let stop = Stop::new();
    let stopped = stop.clone();
    let work = move || {
        let game = record(&puzzle);
        let plies = game.moves.len();
        let other = match right {
            true => {
                let known: Vec<_> = puzzle.also.iter().chain([&puzzle.answer]).cloned().collect();
                tempting_turn(&game, plies, &known).map_err(refused)?
            }
            false => Some(tried),
        };
        let Some(other) = other else { return Ok(None) };
        let turns = [&puzzle.answer[..], &other[..]];
        let worth = AnyCarcassonne::compare_turns(&game, plies, turns, Depth::Quick, &stopped);
        let worth = worth.ok_or(Refusal::Internal)?.map_err(refused)?;
        let moves = other.iter().map(ToString::to_string).collect();
        Ok(Some(ComparedTurn { moves, worth: told_attempt(&worth) }))
    };
    match engine.run(stop, work).await {
        Err(Refusal::Unavailable(_)) => Ok(None),
        compared => compared,
    }
}
