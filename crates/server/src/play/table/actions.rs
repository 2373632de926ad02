//! What people do at a table beside moving: sit down, get up, give up, call it off.

use super::command::{Action, Reply};
use super::seats::{Seat, kind_of};
use super::state::{Done, Table};
use crate::error::Refusal;
use crate::people::accounts::Who;
use crate::people::fairplay;
use crate::people::moderation::reports::may_look_into;
use crate::play::deck::{Deck, check_nonce};
use crate::play::games::Hosted;
use crate::storage::db::journal::{Change, Statement};
use crate::wire::{Reason, Sitter, Status, Visibility};
use crate::{ids, time};
use std::time::Duration;
use tokio::time::Instant;

/// How long an action is remembered, to know it when it is sent again.
const REMEMBERED: Duration = Duration::from_secs(60);

/// How many actions are remembered.
const REMEMBERED_ACTIONS: usize = 32;

/// Turns after which a game cannot be called off.
const ABORTABLE_TURNS: usize = 2;

impl<G: Hosted> Table<G> {
    /// Does what somebody asks for. The same message of the same person twice is done once.
    pub(super) async fn act(
        &mut self,
        who: &Who,
        id: Option<u64>,
        action: Action,
    ) -> Result<Reply, Refusal> {
        let fingerprint = action.fingerprint();
        let now = Instant::now();
        self.done.retain(|done| now.duration_since(done.at) < REMEMBERED);
        let is_again = |done: &&Done| {
            Some(done.id) == id && done.user == who.user && done.fingerprint == fingerprint
        };
        if let Some(again) = self.done.iter().find(is_again) {
            return Ok(again.reply.clone());
        }
        let reply = self.act_once(who, action).await?;
        if let Some(id) = id {
            let user = who.user.clone();
            self.done.push_back(Done { user, id, fingerprint, at: now, reply: reply.clone() });
            if self.done.len() > REMEMBERED_ACTIONS {
                self.done.pop_front();
            }
        }
        Ok(reply)
    }

    async fn act_once(&mut self, who: &Who, action: Action) -> Result<Reply, Refusal> {
        self.must_see(Some(who))?;
        let mine = self.seats_of(&who.user);
        let seated = || if mine.is_empty() { Err(self.not_at_the_table()) } else { Ok(()) };
        match action {
            Action::Play { version, moves } => return self.play(who, version, &moves).await,
            Action::Join { nonce } => self.join(who, nonce).await?,
            Action::Leave => self.leave(who).await?,
            Action::Chat(text) => self.say(who, &text).await?,
            Action::Abort => self.abort(who).await?,
            Action::Claim { win } => self.claim(who, win).await?,
            Action::Resign => {
                seated()?;
                self.resign(&mine).await?;
            }
            Action::Draw(accept) => {
                seated()?;
                self.draw_offer(&mine, accept).await?;
            }
            Action::Takeback(accept) => {
                seated()?;
                self.takeback(&mine, accept).await?;
            }
            Action::Help(accept) => {
                seated()?;
                self.help_offer(&mine, accept).await?;
            }
            Action::Rematch(accept) => {
                seated()?;
                self.rematch(&mine, accept).await?;
            }
        }
        Ok(Reply::default())
    }

    /// Refuses those who may not see a private game. They learn no more than that it is not there.
    pub(super) fn must_see(&self, who: Option<&Who>) -> Result<(), Refusal> {
        if self.facts.visibility != Visibility::Private {
            return Ok(());
        }
        let belongs = |user: &str| {
            self.facts.host.id == user
                || self.seats.iter().any(|s| s.user() == Some(user) || s.invited() == Some(user))
        };
        if who.is_some_and(|who| belongs(&who.user)) {
            return Ok(());
        }
        Err(Refusal::no_game(&self.facts.id))
    }

    /// The same for those who only look: moderators may look into more than they may take part in.
    pub(super) async fn must_look(&self, who: Option<&Who>) -> Result<(), Refusal> {
        let Err(refusal) = self.must_see(who) else { return Ok(()) };
        let Some(who) = who else { return Err(refusal) };
        let (id, rated) = (&self.facts.id, self.facts.rated);
        match may_look_into(self.tables.db(), who, id, rated).await? {
            true => Ok(()),
            false => Err(refusal),
        }
    }

    async fn join(&mut self, who: &Who, nonce: Option<String>) -> Result<(), Refusal> {
        if self.seats.iter().any(|seat| seat.user() == Some(&who.user)) {
            return Ok(());
        }
        if self.status != Status::Waiting {
            return Err(Refusal::Conflict("the game has begun without you".to_owned()));
        }
        if self.facts.rated && who.guest {
            return Err(Refusal::Forbidden(
                "guests play games that are not rated; register to play rated ones".to_owned(),
            ));
        }
        if self.facts.rated {
            fairplay::check_wait(self.tables.db(), &who.user).await?;
        }
        self.refuse_blocked(&who.user)?;
        if self.seats.iter().any(|seat| seat.bot().is_some()) {
            self.tables.check_bot_games_of(&who.user)?;
        }
        let nonce = nonce_of(nonce)?;
        let kept = self.seats.iter().position(|seat| seat.invited() == Some(&who.user));
        let open = self.seats.iter().position(|seat| seat.sitter == Sitter::Open);
        let seat = kept.or(open).ok_or_else(|| {
            Refusal::Conflict("no seat is open: the rest is kept for others".to_owned())
        })?;
        let (user, name) = (who.user.clone(), who.name.clone());
        let sitter = Sitter::User { user, name, bot_account: who.bot_token };
        self.seat_down(seat, sitter, nonce).await?;
        self.start_if_full().await
    }

    /// Refuses whom somebody at the table, or who made it, has blocked, or who has blocked them.
    pub(super) fn refuse_blocked(&self, user: &str) -> Result<(), Refusal> {
        let blocks = self.tables.blocks();
        let seated = self.seats.iter().filter_map(|seat| Some((seat.user()?, seat.name())));
        let host = (self.facts.host.id.as_str(), self.facts.host.name.as_str());
        for (other, name) in seated.chain([host]) {
            blocks.refuse(user, other, name)?;
        }
        Ok(())
    }

    async fn leave(&mut self, who: &Who) -> Result<(), Refusal> {
        let here = |seat: &Seat| {
            seat.user() == Some(&who.user) || seat.invited() == Some(who.user.as_str())
        };
        let seat = self.seats.iter().position(here).ok_or_else(|| self.not_at_the_table())?;
        match self.status {
            Status::Waiting if who.user == self.facts.host.id => self.abort(who).await,
            Status::Waiting => self.seat_down(seat, Sitter::Open, String::new()).await,
            Status::Playing => Err(Refusal::Conflict(
                "the game has begun: resign, or abort it before the second turn".to_owned(),
            )),
            Status::Over => Err(Refusal::Conflict("the game is over".to_owned())),
        }
    }

    /// Writes who sits on a seat, and tells everybody.
    async fn seat_down(
        &mut self,
        seat: usize,
        sitter: Sitter,
        nonce: String,
    ) -> Result<(), Refusal> {
        let new = Seat::new(sitter, nonce);
        let old = &self.seats[seat];
        let statement = Statement::guarded(
            "UPDATE seats SET kind = $1, user_id = $2, bot_account = $3, name = $4, nonce = $5 \
             WHERE game_id = $6 AND seat = $7 AND kind = $8 AND COALESCE(user_id, '') = $9 \
             AND EXISTS (SELECT 1 FROM games WHERE id = $6 AND status = 'waiting')",
            vec![
                kind_of(&new.sitter).into(),
                new.user().map(str::to_owned).into(),
                matches!(new.sitter, Sitter::User { bot_account: true, .. }).into(),
                new.name().into(),
                new.nonce.as_str().into(),
                self.facts.id.as_str().into(),
                (seat as i64).into(),
                kind_of(&old.sitter).into(),
                old.user().or(old.invited()).unwrap_or_default().into(),
            ],
        );
        self.write(vec![statement]).await?;
        self.seats[seat] = new;
        self.note_presence();
        self.info_changed = true;
        self.publish();
        // Who sits down or gets up sees other things than before: what a seat may do.
        self.tell_everything();
        Ok(())
    }

    /// Writes something beside the log.
    pub(super) async fn write(&mut self, statements: Vec<Statement>) -> Result<(), Refusal> {
        let change = Change { statements, ..Change::default() };
        self.tables.journal().write(change).await.map_err(|_| {
            self.broken = true;
            Refusal::Unavailable("it could not be stored; reconnect and try again".to_owned())
        })
    }

    /// Begins the game once every seat is taken.
    pub(super) async fn start_if_full(&mut self) -> Result<(), Refusal> {
        if self.status != Status::Waiting || !self.seats.iter().all(Seat::is_taken) {
            return Ok(());
        }
        let nonces: Vec<String> = self.seats.iter().map(|seat| seat.nonce.clone()).collect();
        let bag = G::bag(&self.setup);
        self.deck = Some(Deck::new(&self.seed, &self.facts.id, &nonces, &bag));
        self.read_ratings().await;
        let starts = time::now();
        let mut draft = self.draft();
        draft.starts = Some(starts);
        draft.statements = vec![Statement::guarded(
            "UPDATE games SET status = 'playing', started = $1 \
             WHERE id = $2 AND status = 'waiting'",
            vec![starts.into(), self.facts.id.as_str().into()],
        )];
        let people: Vec<&str> = self.seats.iter().filter_map(Seat::user).collect();
        if self.facts.rated && self.tables.addresses().share_one(&people) {
            draft.statements.push(Statement::new(
                "UPDATE games SET one_address = 1 WHERE id = $1",
                vec![self.facts.id.as_str().into()],
            ));
        }
        // The opening is told again to those who waited.
        super::state::Position::<G>::start(&self.setup, &mut draft.events);
        self.finish(draft).await?;
        self.note_presence();
        Ok(())
    }

    async fn resign(&mut self, mine: &[usize]) -> Result<(), Refusal> {
        self.must_be_playing()?;
        let mine: Vec<usize> =
            mine.iter().copied().filter(|seat| self.seats[*seat].out.is_none()).collect();
        if mine.is_empty() {
            return Err(Refusal::Conflict("you have given up already".to_owned()));
        }
        self.drop_seats(&mine, Reason::Resign).await
    }

    /// Seats no longer play: games for two end, others go on while two seats play.
    pub(super) async fn drop_seats(
        &mut self,
        seats: &[usize],
        reason: Reason,
    ) -> Result<(), Refusal> {
        let mut draft = self.draft();
        for seat in seats {
            draft.log(Some(*seat), super::change::reason_word(reason), String::new());
            draft.put_out(*seat, reason);
        }
        if draft.outs.iter().filter(|out| out.is_none()).count() < 2 {
            draft.end(reason);
        }
        self.stop_thinking();
        self.finish(draft).await?;
        Ok(())
    }

    async fn abort(&mut self, who: &Who) -> Result<(), Refusal> {
        let is_host = who.user == self.facts.host.id;
        let allowed = match self.status {
            Status::Over => return Err(Refusal::Conflict("the game is over".to_owned())),
            Status::Waiting => is_host,
            // Who made a game that only bots play may end it at any time.
            Status::Playing => {
                let bots_only = self.seats.iter().all(|seat| seat.bot().is_some());
                if !(bots_only && is_host) && self.position.turns >= ABORTABLE_TURNS {
                    return Err(Refusal::Conflict(
                        "after the second turn a game cannot be called off; resign".to_owned(),
                    ));
                }
                is_host || !self.seats_of(&who.user).is_empty()
            }
        };
        if !allowed {
            return Err(Refusal::Forbidden(
                "only who made the game or plays it may call it off".to_owned(),
            ));
        }
        self.call_off_because_of(vec![who.user.clone()]).await
    }

    /// Ends the game without a result that counts.
    pub(super) async fn call_off(&mut self) -> Result<(), Refusal> {
        self.call_off_because_of(Vec::new()).await
    }

    /// Ends the game without a result that counts, because these users left it.
    pub(super) async fn call_off_because_of(
        &mut self,
        leavers: Vec<String>,
    ) -> Result<(), Refusal> {
        let mut draft = self.draft();
        draft.leavers = leavers;
        draft.log(None, "abort", String::new());
        draft.result = Some(super::ending::aborted(draft.scores()));
        self.stop_thinking();
        draft.clocks.stop(Instant::now());
        self.commit(draft).await?;
        Ok(())
    }
}

/// A player's share in the shuffle: what they sent, or one of ours.
pub(super) fn nonce_of(sent: Option<String>) -> Result<String, Refusal> {
    let Some(nonce) = sent else { return Ok(ids::new_id()) };
    check_nonce(&nonce).map_err(Refusal::Bad)?;
    Ok(nonce)
}
