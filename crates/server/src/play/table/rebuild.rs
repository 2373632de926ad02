//! A table from its log: after a restart, after a failure, or when an old game is opened.

use super::clocks::Timekeeper;
use super::command::Command;
use super::manager::Tables;
use super::seats::{Out, Seat};
use super::sleep::Asleep;
use super::state::{Facts, Happened, KEPT, Position, Table};
use super::store::{Saved, SavedEntry, SavedSeat};
use super::times::waiting_time;
use super::watchers::Watchers;
use crate::play::deck::{Deck, Seed};
use crate::play::games::Hosted;
use crate::time;
use crate::wire::{Offers, Reason, Status};
use game::Turn;
use std::collections::VecDeque;
use std::fmt::Display;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// What a log comes to.
struct Replayed<G: Hosted> {
    position: Position<G>,
    recent: VecDeque<Happened>,
    outs: Vec<Option<Out>>,
    entries: i64,
}

impl<G: Hosted> Table<G> {
    /// The table as its log has it. Clocks start where the last entry left them: nobody is
    /// charged for the time in between, unless the game slept meanwhile while a server ran.
    pub(super) fn rebuild(
        saved: Saved,
        setup: G::Setup,
        tables: Tables,
        mailbox: mpsc::WeakSender<Command>,
    ) -> Result<Self, String> {
        let seed = Seed::from_hex(&saved.seed)?;
        let replayed = replay::<G>(&setup, &saved)?;
        let facts = Facts::of(&saved);
        let seats = seats_of(saved.seats, replayed.outs);
        let nonces: Vec<String> = seats.iter().map(|seat| seat.nonce.clone()).collect();
        let playing = saved.status == Status::Playing;
        let deck = playing.then(|| Deck::new(&seed, &facts.id, &nonces, &G::bag(&setup)));
        let now = Instant::now();
        let last_entry = saved.log.last().map(|last| last.at);
        let mut clocks = Timekeeper::new(saved.clock, seats.len());
        if let Some(last) = saved.log.last() {
            clocks.set(&serde_json::from_str::<Vec<u64>>(&last.clocks).unwrap_or_default());
        }
        // What cannot be read is missed by nobody for long: the log has the game.
        let asleep = saved.row.as_ref().and_then(|(text, _)| serde_json::from_str(text).ok());
        let asleep: Option<&Asleep> = asleep.as_ref();
        let served = tables.served_time();
        let until = |time: i64| Duration::from_millis((time - served).max(0).unsigned_abs());
        let to_move = replayed.position.to_move().filter(|_| playing);
        if let Some(seat) = to_move.filter(|seat| seats[*seat].bot().is_none()) {
            clocks.start_turn(seat, now);
            if let Some(ends) = asleep.and_then(|asleep| asleep.clock_ends) {
                clocks.resume(seat, until(ends), now);
            }
        }
        let closes = asleep.and_then(|asleep| asleep.closes).map(until);
        let waiting = waiting_time(clocks.rule(), tables.settings().waiting);
        let closes = closes.unwrap_or(waiting);
        let mut seats = seats;
        for (seat, missed) in seats.iter_mut().zip(asleep.iter().flat_map(|a| &a.missed)) {
            seat.missed = *missed;
        }
        let mut table = Self {
            facts,
            setup,
            seed,
            deck,
            position: replayed.position,
            entries: replayed.entries,
            recent: replayed.recent,
            seats,
            clocks,
            status: saved.status,
            started: saved.started,
            ended: saved.ended,
            result: saved.result,
            not_rated: saved.not_rated,
            rating_weight: saved.rating_weight,
            help: saved.help,
            rematch: saved.rematch,
            offers: asleep.map_or_else(Offers::default, |asleep| asleep.offers.clone()),
            chat_lines: saved.chat.back().map_or(0, |line| line.number as i64),
            chat: saved.chat,
            watchers: Watchers::default(),
            info_changed: false,
            tell_count_at: None,
            tell_silence_at: None,
            turn_began: None,
            done: VecDeque::new(),
            thinking: None,
            thoughts: 0,
            tables,
            mailbox,
            alone_since: now,
            attended: asleep.map_or(served, |asleep| asleep.attended),
            closes_at: now + closes,
            row: saved.row,
            visited: false,
            woken: false,
            broken: false,
        };
        // Whoever was to move has been silent since, but not for the time that the server was down.
        let up = table.tables.started();
        if let Some(seat) = table.to_move() {
            table.seats[seat].silent_since = last_entry.map(|at| at.max(up));
        }
        let began = time::now() - served;
        for (seat, silent) in table.seats.iter_mut().zip(asleep.iter().flat_map(|a| &a.silent)) {
            seat.silent_since = silent.map(|since| since + began);
        }
        Ok(table)
    }
}

impl Facts {
    fn of(saved: &Saved) -> Self {
        Self {
            id: saved.id.clone(),
            options: saved.options.clone(),
            host: saved.host.clone(),
            rated: saved.rated,
            visibility: saved.visibility,
            pass_and_play: saved.pass_and_play,
            created: saved.created,
            commit: saved.commit.clone(),
            seed_given: saved.seed_given,
            rematch_of: saved.rematch_of.clone(),
        }
    }
}

fn seats_of(saved: Vec<SavedSeat>, outs: Vec<Option<Out>>) -> Vec<Seat> {
    let seat = |(saved, out): (SavedSeat, Option<Out>)| Seat {
        rating: saved.rating,
        rating_change: saved.rating_change,
        out,
        ..Seat::new(saved.sitter, saved.nonce)
    };
    saved.into_iter().zip(outs).map(seat).collect()
}

fn replay<G: Hosted>(setup: &G::Setup, saved: &Saved) -> Result<Replayed<G>, String> {
    let mut events = Vec::new();
    let mut replayed = Replayed::<G> {
        position: Position::start(setup, &mut events),
        recent: VecDeque::new(),
        outs: vec![None; saved.seats.len()],
        entries: 0,
    };
    if replayed.position.game.players() != saved.seats.len() {
        return Err("the seats do not fit the setup".to_owned());
    }
    for entry in &saved.log {
        events.clear();
        step(&mut replayed, setup, entry, &mut events)
            .map_err(|why| format!("entry {} '{}': {why}", entry.ply, entry.body))?;
        let before = replayed.entries.unsigned_abs() + u64::from(saved.started.is_some());
        let texts: Vec<String> = events.iter().map(ToString::to_string).collect();
        replayed.recent.push_back(Happened { before, events: texts.join(",") });
        if replayed.recent.len() > KEPT {
            replayed.recent.pop_front();
        }
        replayed.entries = entry.ply;
    }
    let in_play = saved.status == Status::Playing;
    if in_play && replayed.position.game.turn() == Turn::Over {
        return Err("the log has the whole game, but it is not marked as over".to_owned());
    }
    Ok(replayed)
}

fn step<G: Hosted>(
    replayed: &mut Replayed<G>,
    setup: &G::Setup,
    entry: &SavedEntry,
    events: &mut Vec<serde_json::Value>,
) -> Result<(), String> {
    if entry.ply != replayed.entries + 1 {
        return Err(format!("expected entry {}", replayed.entries + 1));
    }
    let position = &mut replayed.position;
    match entry.kind.as_str() {
        "move" | "draw" => {
            let moved = entry.body.parse().map_err(text_of)?;
            position.play(moved, entry.ply, events).map_err(text_of)
        }
        "takeback" => {
            let stands: i64 = entry.body.parse().map_err(text_of)?;
            let moves = position.standing.iter().take_while(|one| one.ply <= stands).count();
            *position = position.back_to(setup, moves);
            Ok(())
        }
        "resign" | "time" => {
            let reason = if entry.kind == "time" { Reason::Time } else { Reason::Resign };
            let order = replayed.outs.iter().flatten().count();
            let seat = entry.seat.and_then(|seat| usize::try_from(seat).ok());
            let out = seat.and_then(|seat| replayed.outs.get_mut(seat)).ok_or("no such seat")?;
            *out = Some(Out { reason, order });
            Ok(())
        }
        "agreed" | "abort" => Ok(()),
        other => Err(format!("unknown kind of entry '{other}'")),
    }
}

fn text_of(error: impl Display) -> String {
    error.to_string()
}
