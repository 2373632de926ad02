//! Any number of players: each takes the turn that is best for that player (max^n).

use super::root::SubtreeSearch;
use super::{ExpectimaxParams, Stopped, Worker, below};
use crate::evaluator::{list_turns, value_turns};
use crate::{Clock, Evaluator, Turns, Value, Values, add_weighted, final_values};
use game::{ByPlayer, Game, Player, Turn, ignore};
use std::collections::HashMap;

pub(super) struct MaxN<'a, G: Game, E> {
    params: &'a ExpectimaxParams,
    evaluator: &'a mut E,
    clock: &'a mut Clock,
    guessed: bool,
    known: HashMap<(u64, u32), Values>,
    rooms: Vec<(Turns<G>, Vec<Values>)>,
}

impl<'a, G: Game, E: Evaluator<G>> MaxN<'a, G, E> {
    pub(super) fn new(params: &'a ExpectimaxParams, worker: &'a mut Worker<G, E>) -> Self {
        let (evaluator, clock) = (&mut worker.evaluator, &mut worker.clock);
        let (known, rooms) = (HashMap::new(), Vec::new());
        Self { params, evaluator, clock, guessed: false, known, rooms }
    }

    fn position(&mut self, position: &G, depth: u32) -> Result<Values, Stopped> {
        let turn = position.turn();
        if turn == Turn::Over {
            self.spend(1)?;
            return Ok(final_values(&position.scores()));
        }
        if depth == 0 {
            self.spend(1)?;
            self.guessed = true;
            return Ok(self.evaluator.value(position));
        }
        match turn {
            Turn::Player(player) => self.player(position, player, depth),
            Turn::Chance | Turn::Over => {
                let key = self.evaluator.key(position).map(|key| (key, depth));
                if let Some(values) = key.and_then(|key| self.known.get(&key)) {
                    return Ok(*values);
                }
                let values = self.chance(position, depth)?;
                if let Some(key) = key.filter(|_| self.known.len() < self.params.memory) {
                    self.known.insert(key, values);
                }
                Ok(values)
            }
        }
    }

    fn chance(&mut self, position: &G, depth: u32) -> Result<Values, Stopped> {
        let mut outcomes = Vec::new();
        position.moves(&mut outcomes);
        let total: f32 = outcomes.iter().map(|m| position.odds(*m) as f32).sum();
        let mut mean = ByPlayer::new(position.players(), Value::default());
        for m in outcomes {
            let mut next = position.clone();
            next.play_unchecked(m, ignore);
            add_weighted(&mut mean, &self.position(&next, depth)?, position.odds(m) as f32 / total);
        }
        Ok(mean)
    }

    fn player(&mut self, position: &G, player: Player, depth: u32) -> Result<Values, Stopped> {
        let mut room = self.rooms.pop().unwrap_or_default();
        let best = self.best_turn(position, player, depth, &mut room);
        self.rooms.push(room);
        best
    }

    fn best_turn(
        &mut self,
        position: &G,
        player: Player,
        depth: u32,
        (turns, values): &mut (Turns<G>, Vec<Values>),
    ) -> Result<Values, Stopped> {
        let aim = self.params.aim;
        list_turns(self.evaluator, position, turns);
        let over = turns.ends().iter().all(|end| end.turn() == Turn::Over);
        let last = depth == 1 || over;
        let narrow = self.params.width > 0 && self.params.width < turns.len();
        if last || narrow {
            value_turns(self.evaluator, position, turns, values);
            self.spend(turns.len() as u64)?;
            self.guessed |= !over;
        }
        if last {
            let best = first_best(values.iter().copied(), |v| aim.utility(v, player));
            return Ok(best.expect("a player to move has a move"));
        }
        let mut order: Vec<usize> = (0..turns.len()).collect();
        if narrow {
            let utility = |i: &usize| aim.utility(&values[*i], player);
            order.sort_by(|a, b| utility(b).total_cmp(&utility(a)));
            order.truncate(self.params.width);
            order.sort_unstable();
        }
        values.clear();
        for turn in order {
            values.push(self.position(turns.end(turn), below(depth))?);
        }
        let best = first_best(values.iter().copied(), |v| aim.utility(v, player));
        Ok(best.expect("a player to move has a move"))
    }

    fn spend(&mut self, nodes: u64) -> Result<(), Stopped> {
        if self.clock.spend(nodes) { Err(Stopped) } else { Ok(()) }
    }
}

/// The first of the items that are worth most.
fn first_best<T>(items: impl Iterator<Item = T>, worth: impl Fn(&T) -> f32) -> Option<T> {
    items.reduce(|best, item| if worth(&item) > worth(&best) { item } else { best })
}

impl<G: Game, E: Evaluator<G>> SubtreeSearch<G> for MaxN<'_, G, E> {
    fn after(
        &mut self,
        end: &G,
        player: Player,
        depth: u32,
        _bar: f64,
    ) -> Result<(f64, Values), Stopped> {
        let values = self.position(end, depth)?;
        Ok((f64::from(self.params.aim.utility(&values, player)), values))
    }

    fn guessed(&self) -> bool {
        self.guessed
    }
}
