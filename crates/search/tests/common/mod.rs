//! A small tile game with chance for one to six players, and slow, sure ways to solve it.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

use game::{ByPlayer, Game, Player, Random, Turn};
use search::{Bounds, Evaluator, Value, Values, final_values};
use std::fmt;
use std::str::FromStr;

pub const CELLS: usize = 8;
pub const KINDS: usize = 6;

/// Tiles of up to six kinds are drawn and laid on a ring; equal neighbours score at once, and a
/// player may claim the tile just laid. At the end each run of equal tiles scores for those with
/// most claims on it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ring {
    cells: [Option<u8>; CELLS],
    claims: [Option<Player>; CELLS],
    bag: [u8; KINDS],
    drawn: Option<u8>,
    laid: Option<usize>,
    tokens: [u8; 6],
    points: [i32; 6],
    to_move: Player,
    players: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    pub players: usize,
    pub bag: [u8; KINDS],
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    Draw(u8),
    Lay(u8),
    Claim,
    Pass,
}

impl Ring {
    pub fn tiles_left(&self) -> usize {
        self.bag.iter().map(|n| *n as usize).sum::<usize>() + usize::from(self.drawn.is_some())
    }

    fn neighbours(cell: usize) -> [usize; 2] {
        [(cell + 1) % CELLS, (cell + CELLS - 1) % CELLS]
    }

    /// What the runs of equal tiles are worth at the end.
    fn runs(&self) -> [i32; 6] {
        let mut bonus = [0; 6];
        let starts = (0..CELLS).filter(|cell| {
            self.cells[*cell].is_some()
                && self.cells[(cell + CELLS - 1) % CELLS] != self.cells[*cell]
        });
        for start in starts {
            let run: Vec<usize> = (start..start + CELLS)
                .map(|cell| cell % CELLS)
                .take_while(|cell| self.cells[*cell] == self.cells[start])
                .collect();
            let claims =
                |p: usize| run.iter().filter(|c| self.claims[**c] == Some(Player::new(p))).count();
            let most = (0..self.players).map(claims).max().unwrap_or(0);
            let worth = run.len() as i32 * (1 + i32::from(self.cells[start].unwrap()));
            for (p, bonus) in bonus.iter_mut().enumerate().take(self.players) {
                if most > 0 && claims(p) == most {
                    *bonus += worth;
                }
            }
        }
        bonus
    }
}

impl Game for Ring {
    const NAME: &'static str = "ring";
    type Setup = Setup;
    type Move = Action;
    type Event = ();

    fn start(setup: &Setup, _emit: impl FnMut(())) -> Self {
        Self {
            cells: [None; CELLS],
            claims: [None; CELLS],
            bag: setup.bag,
            drawn: None,
            laid: None,
            tokens: [2; 6],
            points: [0; 6],
            to_move: Player::new(0),
            players: setup.players,
        }
    }

    fn players(&self) -> usize {
        self.players
    }

    fn turn(&self) -> Turn {
        if self.drawn.is_some() {
            Turn::Player(self.to_move)
        } else if self.bag == [0; KINDS] || self.cells.iter().all(Option::is_some) {
            Turn::Over
        } else {
            Turn::Chance
        }
    }

    fn moves(&self, out: &mut Vec<Action>) {
        out.clear();
        match (self.turn(), self.laid) {
            (Turn::Over, _) => {}
            (Turn::Chance, _) => {
                out.extend(
                    (0..KINDS as u8).filter(|k| self.bag[*k as usize] > 0).map(Action::Draw),
                );
            }
            (_, None) => {
                out.extend(
                    (0..CELLS as u8).filter(|c| self.cells[*c as usize].is_none()).map(Action::Lay),
                );
            }
            (_, Some(_)) => {
                if self.tokens[self.to_move.index()] > 0 {
                    out.push(Action::Claim);
                }
                out.push(Action::Pass);
            }
        }
    }

    fn odds(&self, m: Action) -> u32 {
        match m {
            Action::Draw(k) if self.turn() == Turn::Chance => {
                self.bag.get(k as usize).map_or(0, |n| u32::from(*n))
            }
            _ => 0,
        }
    }

    fn play_unchecked(&mut self, m: Action, _emit: impl FnMut(())) {
        let seat = self.to_move.index();
        match m {
            Action::Draw(k) => {
                self.bag[k as usize] -= 1;
                self.drawn = Some(k);
            }
            Action::Lay(cell) => {
                let cell = cell as usize;
                self.cells[cell] = self.drawn;
                let same = |n: &&usize| self.cells[**n] == self.drawn;
                let pairs = Self::neighbours(cell).iter().filter(same).count() as i32;
                self.points[seat] += pairs * (1 + i32::from(self.drawn.unwrap()));
                self.laid = Some(cell);
            }
            Action::Claim | Action::Pass => {
                if m == Action::Claim {
                    self.tokens[seat] -= 1;
                    self.claims[self.laid.unwrap()] = Some(self.to_move);
                }
                self.drawn = None;
                self.laid = None;
                self.to_move = self.to_move.next(self.players);
            }
        }
    }

    fn scores(&self) -> ByPlayer<i32> {
        let bonus = if self.turn() == Turn::Over { self.runs() } else { [0; 6] };
        let total: Vec<i32> = (0..self.players).map(|p| self.points[p] + bonus[p]).collect();
        ByPlayer::from_slice(&total)
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.players)?;
        self.bag.iter().try_for_each(|count| write!(f, " {count}"))
    }
}

impl FromStr for Setup {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<u8> = text.split(' ').filter_map(|n| n.parse().ok()).collect();
        match numbers[..] {
            [players, ref bag @ ..] if bag.len() == KINDS => {
                Ok(Self { players: players as usize, bag: bag.try_into().unwrap() })
            }
            _ => Err(format!("expected {} numbers, found '{text}'", KINDS + 1)),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(k) => write!(f, "draw {k}"),
            Self::Lay(c) => write!(f, "lay {c}"),
            Self::Claim => f.write_str("claim"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |n: &str| n.parse().map_err(|_| format!("no number in '{text}'"));
        match text.split_once(' ') {
            Some(("draw", n)) => Ok(Self::Draw(number(n)?)),
            Some(("lay", n)) => Ok(Self::Lay(number(n)?)),
            _ if text == "claim" => Ok(Self::Claim),
            _ if text == "pass" => Ok(Self::Pass),
            _ => Err(format!("no action: '{text}'")),
        }
    }
}

/// A position reached by random moves, with a player to move and so many tiles left.
pub fn random_position(players: usize, tiles: usize, random: &mut Random) -> Ring {
    loop {
        let mut bag = [0; KINDS];
        bag[..3].fill_with(|| 1 + random.below(3) as u8);
        let mut game = Ring::new(&Setup { players, bag });
        let mut moves = Vec::new();
        loop {
            if matches!(game.turn(), Turn::Player(_)) && game.tiles_left() <= tiles {
                return game;
            }
            game.moves(&mut moves);
            match random.pick(&moves) {
                Some(m) => game.play_unchecked(*m, |_| {}),
                None => break,
            }
        }
    }
}

/// A position reached by random moves, with a player to move, so many cells empty, and tiles of at
/// least five kinds in the bag.
pub fn position_of_many_kinds(empty: usize, random: &mut Random) -> Ring {
    loop {
        let bag = [0; KINDS].map(|_| 1 + random.below(3) as u8);
        let mut game = Ring::new(&Setup { players: 2, bag });
        let mut moves = Vec::new();
        let full = |game: &Ring| game.cells.iter().filter(|cell| cell.is_none()).count() <= empty;
        while !(full(&game) && matches!(game.turn(), Turn::Player(_))) {
            game.moves(&mut moves);
            let Some(m) = random.pick(&moves) else { break };
            game.play_unchecked(*m, |_| {});
        }
        let kinds = game.bag.iter().filter(|count| **count > 0).count();
        if kinds >= 5 && game.turn() != Turn::Over {
            return game;
        }
    }
}

/// Points now and a fixed arbitrary opinion, so that no two positions look alike.
#[derive(Clone, Debug, Default)]
pub struct Opinion {
    /// Whether positions have keys.
    pub keyed: bool,
    /// Whether margins are bounded.
    pub bounded: bool,
    pub asked: u64,
}

impl Opinion {
    pub fn sharp() -> Self {
        Self { keyed: true, bounded: true, asked: 0 }
    }
}

fn number(position: &Ring) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    position.hash(&mut hasher);
    hasher.finish()
}

impl Evaluator<Ring> for Opinion {
    fn value(&mut self, position: &Ring) -> Values {
        assert_ne!(position.turn(), Turn::Over, "nobody has to guess a game that is over");
        self.asked += 1;
        let mut random = Random::new(number(position));
        let mut values = final_values(&position.scores());
        if position.players() == 2 {
            let margin = values[Player::new(0)].margin + 4.0 * (random.unit() as f32 - 0.5);
            return search::zero_sum(Value { margin, win: 0.5 + margin / 100.0 });
        }
        for value in values.as_mut_slice() {
            value.margin += 4.0 * (random.unit() as f32 - 0.5);
        }
        values
    }

    fn bounds(&mut self, position: &Ring) -> Bounds {
        if !self.bounded {
            return Bounds::NONE;
        }
        // Claims, runs and pairs that may still come: generous, and smaller with fewer tiles.
        let now = final_values(&position.scores())[Player::new(0)].margin;
        let swing = 30.0 + 8.0 * position.tiles_left() as f32;
        Bounds { low: now - swing, high: now + swing }
    }

    fn key(&mut self, position: &Ring) -> Option<u64> {
        self.keyed.then(|| number(position))
    }
}

/// The same opinion, told to the player who takes a turn alone.
#[derive(Clone, Debug, Default)]
pub struct OwnOpinion(Opinion);

impl Evaluator<Ring> for OwnOpinion {
    fn value(&mut self, position: &Ring) -> Values {
        self.0.value(position)
    }

    fn values_to(
        &mut self,
        player: Player,
        root: &Ring,
        ends: &[Ring],
        out: &mut Vec<Values>,
    ) -> bool {
        self.0.values(root, ends, out);
        for values in out {
            let own = values[player];
            values.as_mut_slice().fill(Value { margin: f32::NAN, win: f32::NAN });
            values[player] = own;
        }
        false
    }
}

/// Plain expectimax, move by move, so many turns deep; to the end of the game without a depth.
pub fn brute(position: &Ring, depth: Option<u32>, opinion: &mut Opinion) -> Values {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    match position.turn() {
        Turn::Over => final_values(&position.scores()),
        _ if depth == Some(0) => opinion.value(position),
        Turn::Chance => {
            let total: f32 = moves.iter().map(|m| position.odds(*m) as f32).sum();
            let mut mean = ByPlayer::new(position.players(), Value::default());
            for m in moves {
                let mut next = position.clone();
                next.play_unchecked(m, |_| {});
                search::add_weighted(
                    &mut mean,
                    &brute(&next, depth, opinion),
                    position.odds(m) as f32 / total,
                );
            }
            mean
        }
        Turn::Player(player) => {
            let values = moves.iter().map(|m| after(position, *m, depth, opinion));
            values.reduce(|a, b| if b[player].margin > a[player].margin { b } else { a }).unwrap()
        }
    }
}

/// What a player's move is worth by [`brute`].
pub fn after(position: &Ring, m: Action, depth: Option<u32>, opinion: &mut Opinion) -> Values {
    let mut next = position.clone();
    next.play_unchecked(m, |_| {});
    let turn_ended = next.turn() != position.turn();
    brute(&next, depth.map(|d| d - u32::from(turn_ended)), opinion)
}

/// What a whole turn is worth to the player to move, by [`brute`] to the end of the game.
pub fn turn_worth(position: &Ring, turn: &[Action]) -> f32 {
    let Turn::Player(player) = position.turn() else { panic!("a player is to move") };
    let end = search::play_turn(position, turn).expect("the turn is legal");
    assert_ne!(end.turn(), position.turn(), "the turn is complete");
    brute(&end, None, &mut Opinion::default())[player].margin
}

/// Panics unless the turn is legal and complete.
pub fn assert_legal(position: &Ring, turn: &[Action]) {
    let end = search::play_turn(position, turn);
    let end = end.unwrap_or_else(|| panic!("{turn:?} is not legal in {position:?}"));
    assert_ne!(end.turn(), position.turn(), "{turn:?} is complete");
}
