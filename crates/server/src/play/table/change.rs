//! A change of the game: drafted on a copy, written to the log, and only then made and told.

use super::clocks::Timekeeper;
use super::ending;
use super::seats::Out;
use super::state::{Happened, KEPT, Position, Table};
use super::streams::News;
use crate::error::Refusal;
use crate::people::fairplay;
use crate::play::games::Hosted;
use crate::storage::db::journal::{Change, LogRow, Statement};
use crate::time;
use crate::wire::{GameResult, Reason, Status};
use game::Turn;
use serde_json::Value;
use tokio::time::Instant;

/// A change that is not made yet.
pub(super) struct Draft<G: Hosted> {
    /// The game after it.
    pub(super) position: Position<G>,
    /// The clocks after it.
    pub(super) clocks: Timekeeper,
    /// What happens.
    pub(super) events: Vec<Value>,
    /// How the game ends with it.
    pub(super) result: Option<GameResult>,
    /// When the game begins with it.
    pub(super) starts: Option<i64>,
    /// What is written beside the log.
    pub(super) statements: Vec<Statement>,
    /// The seats that no longer play after it.
    pub(super) outs: Vec<Option<Out>>,
    /// The users who called it off, or because of whom it was.
    pub(super) leavers: Vec<String>,
    /// Milliseconds that a person took for the turn that it ends.
    pub(super) spent: Option<i64>,
    rows: Vec<Row>,
    first_ply: i64,
    at: Instant,
}

struct Row {
    seat: Option<usize>,
    kind: &'static str,
    body: String,
}

impl<G: Hosted> Draft<G> {
    /// Adds an entry to the log.
    pub(super) fn log(&mut self, seat: Option<usize>, kind: &'static str, body: String) {
        self.rows.push(Row { seat, kind, body });
    }

    /// Plays a move for the player to move.
    pub(super) fn play(&mut self, moved: G::Move) -> Result<(), Refusal> {
        let seat = self.position.to_move();
        let ply = self.first_ply + self.rows.len() as i64;
        self.position
            .play(moved, ply, &mut self.events)
            .map_err(|illegal| Refusal::IllegalMove(illegal.to_string()))?;
        self.log(seat, "move", moved.to_string());
        Ok(())
    }

    /// A seat no longer plays.
    pub(super) fn put_out(&mut self, seat: usize, reason: Reason) {
        let order = self.outs.iter().flatten().count();
        self.outs[seat] = Some(Out { reason, order });
    }

    /// The points by seat.
    pub(super) fn scores(&self) -> Vec<i32> {
        let scores = self.position.game.scores();
        (0..self.position.game.players()).map(|seat| scores[game::Player::new(seat)]).collect()
    }

    /// Ends the game with the scores as they stand.
    pub(super) fn end(&mut self, reason: Reason) {
        self.result = Some(ending::result(self.scores(), &self.outs, reason));
    }
}

impl<G: Hosted> Table<G> {
    /// A draft that changes nothing yet. It holds a whole game, so it lies on the heap: everything
    /// that awaits its end would hold a copy otherwise, and threads have little stack.
    pub(super) fn draft(&self) -> Box<Draft<G>> {
        Box::new(Draft {
            position: self.position.clone(),
            clocks: self.clocks.clone(),
            events: Vec::new(),
            result: None,
            starts: None,
            statements: Vec::new(),
            outs: self.seats.iter().map(|seat| seat.out).collect(),
            leavers: Vec::new(),
            spent: None,
            rows: Vec::new(),
            first_ply: self.entries + 1,
            at: Instant::now(),
        })
    }

    /// Lets chance do its part, moves the clocks on, and ends the game if it is over.
    pub(super) fn settle(&self, draft: &mut Draft<G>) {
        while draft.position.game.turn() == Turn::Chance {
            let drawn = self
                .deck
                .as_ref()
                .and_then(|deck| deck.next(draft.position.draws))
                .expect("the deck holds everything that can be drawn");
            let ply = draft.first_ply + draft.rows.len() as i64;
            draft
                .position
                .play(drawn, ply, &mut draft.events)
                .expect("what is in the deck can be drawn");
            draft.log(None, "draw", drawn.to_string());
        }
        if draft.position.game.turn() == Turn::Over && draft.result.is_none() {
            draft.end(Reason::Normal);
        }
        let before = self.position.to_move();
        if let Some(seat) = before.filter(|_| draft.position.turns > self.position.turns) {
            draft.clocks.end_turn(seat, draft.at);
        }
        match draft.position.to_move() {
            Some(seat) if draft.result.is_none() => {
                if before == Some(seat) {
                    draft.clocks.charge(draft.at);
                } else {
                    draft.clocks.stop(draft.at);
                }
                // The clock of one of our bots waits until a thread takes its turn.
                if self.seats[seat].bot().is_none() {
                    draft.clocks.start_turn(seat, draft.at);
                }
            }
            _ => draft.clocks.stop(draft.at),
        }
    }

    /// Writes a draft, makes it the state, and tells everybody. When this returns well, nothing
    /// can undo it.
    pub(super) async fn commit(&mut self, draft: Box<Draft<G>>) -> Result<Vec<Value>, Refusal> {
        let at = time::now();
        let change = self.change_of(&draft, at);
        if self.tables.journal().write(change).await.is_err() {
            self.broken = true;
            return Err(Refusal::Unavailable(
                "the move could not be stored; reconnect to see where the game stands".to_owned(),
            ));
        }
        self.row = None;
        let before = self.version();
        let moved = draft.position.standing.len() != self.position.standing.len();
        let turn_begins = draft.position.turns != self.position.turns || draft.starts.is_some();
        let news = self.news_of(&draft);
        self.entries += draft.rows.len() as i64;
        self.position = draft.position;
        self.clocks = draft.clocks;
        for (seat, out) in self.seats.iter_mut().zip(draft.outs) {
            self.info_changed |= seat.out != out;
            seat.out = out;
        }
        if moved || draft.result.is_some() {
            self.info_changed |= !self.offers.draw.is_empty() || !self.offers.takeback.is_empty();
            self.offers.draw.clear();
            self.offers.takeback.clear();
        }
        if let Some(starts) = draft.starts {
            (self.status, self.started) = (Status::Playing, Some(starts));
            self.info_changed = true;
        }
        if let Some(result) = draft.result {
            (self.status, self.ended, self.result) = (Status::Over, Some(at), Some(result));
            self.info_changed = true;
            self.read_ratings().await;
        }
        if turn_begins {
            self.turn_began = Some(Instant::now());
        }
        self.note_silence();
        self.remember(before, &draft.events);
        self.tell_update(before);
        self.publish();
        self.tell_streams(news);
        Ok(draft.events)
    }

    /// What a draft is to the programs at the table. A takeback begins its turn anew.
    fn news_of(&self, draft: &Draft<G>) -> News {
        let (before, after) = (&self.position, &draft.position);
        if draft.starts.is_some() {
            News::Game
        } else if after.turns != before.turns || after.standing.len() < before.standing.len() {
            News::Turn
        } else {
            News::Other
        }
    }

    fn change_of(&self, draft: &Draft<G>, at: i64) -> Change {
        let clocks = draft.clocks.logged(draft.at);
        // The turn's time stands at its last move.
        let last_move = draft.rows.iter().rposition(|row| row.kind == "move");
        let row = |(index, row): (usize, &Row)| LogRow {
            game: self.facts.id.clone(),
            ply: draft.first_ply + index as i64,
            seat: row.seat.map(|seat| seat as i64),
            kind: row.kind,
            body: row.body.clone(),
            at,
            clocks: clocks.clone(),
            spent: draft.spent.filter(|_| last_move == Some(index)),
        };
        let log = draft.rows.iter().enumerate().map(row).collect();
        let mut statements = draft.statements.clone();
        statements.extend(self.waking());
        for (seat, out) in draft.outs.iter().enumerate() {
            if let Some(out) = out.filter(|_| self.seats[seat].out.is_none()) {
                statements.push(Statement::guarded(
                    "UPDATE seats SET out_reason = $1 \
                     WHERE game_id = $2 AND seat = $3 AND out_reason IS NULL",
                    vec![
                        reason_word(out.reason).into(),
                        self.facts.id.as_str().into(),
                        (seat as i64).into(),
                    ],
                ));
            }
        }
        statements.extend(self.early_exits(draft, at));
        let mut over = None;
        if let Some(result) = &draft.result {
            let Position { game, tally, turns, .. } = &draft.position;
            statements.extend(self.ending(game, tally, *turns, result, at));
            over = (result.reason != Reason::Abort).then(|| self.facts.id.clone());
        }
        Change { statements, log, over, annul: None }
    }

    /// What notes those who leave a rated game after the first tile and before it could count.
    fn early_exits(&self, draft: &Draft<G>, at: i64) -> Vec<Statement> {
        let short = fairplay::is_short(draft.position.turns, self.seats.len());
        if !self.facts.rated || self.started.is_none() || !short {
            return Vec::new();
        }
        let out = |seat: &usize| self.seats[*seat].out.is_none() && draft.outs[*seat].is_some();
        let gone = (0..self.seats.len()).filter(out).filter_map(|seat| self.seats[seat].user());
        let leavers = draft.leavers.iter().map(String::as_str).chain(gone);
        leavers.map(|user| fairplay::exit(user, &self.facts.id, at)).collect()
    }

    fn remember(&mut self, before: u64, events: &[Value]) {
        let texts: Vec<String> = events.iter().map(ToString::to_string).collect();
        self.recent.push_back(Happened { before, events: texts.join(",") });
        while self.recent.len() > KEPT {
            self.recent.pop_front();
        }
    }
}

/// What the database calls a reason.
pub(super) const fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::Normal => "normal",
        Reason::Resign => "resign",
        Reason::Time => "time",
        Reason::Abort => "abort",
        Reason::Draw => "draw",
    }
}
