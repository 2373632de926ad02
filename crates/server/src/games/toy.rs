//! A game so small that its bots can fail in every way.

use crate::games::{ActionError, BotError, Hosted, OptionsError, RecordError};
use crate::wire::{Breakdown, GameType, LegalMove};
use game::{ByPlayer, Game, Player, Record, Turn};
use search::{Agent, Limits, Report, Stop};
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// Moves in a game.
pub(crate) const MOVES: usize = 6;

/// Two players say `a` in turn, six times in all.
#[derive(Clone)]
pub(crate) struct Toy {
    said: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Say {
    A,
    /// Never legal.
    B,
}

impl fmt::Display for Say {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::A { "a" } else { "b" })
    }
}

impl FromStr for Say {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "a" => Ok(Self::A),
            "b" => Ok(Self::B),
            _ => Err("a or b".to_owned()),
        }
    }
}

impl Game for Toy {
    const NAME: &'static str = "toy";
    type Setup = usize;
    type Move = Say;
    type Event = ();

    fn start(_setup: &usize, _emit: impl FnMut(())) -> Self {
        Self { said: 0 }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        if self.said < MOVES { Turn::Player(Player::new(self.said % 2)) } else { Turn::Over }
    }

    fn moves(&self, out: &mut Vec<Say>) {
        out.clear();
        if self.said < MOVES {
            out.push(Say::A);
        }
    }

    fn odds(&self, _outcome: Say) -> u32 {
        0
    }

    fn play_unchecked(&mut self, _m: Say, _emit: impl FnMut(())) {
        self.said += 1;
    }

    fn scores(&self) -> ByPlayer<i32> {
        ByPlayer::new(2, 0)
    }
}

/// A bot that plays, or fails in its way.
struct Bot(String);

impl Agent<Toy> for Bot {
    fn search(&mut self, _position: &Toy, _limits: &Limits, stop: &Stop) -> Report<Say> {
        let turn = match self.0.as_str() {
            "panics" => panic!("a bot that fails"),
            "silent" => Vec::new(),
            "cheats" => vec![Say::B],
            "stuck" => {
                // It never answers by itself, only long after it was given up.
                while !stop.is_stopped() {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                std::thread::sleep(std::time::Duration::from_millis(50));
                vec![Say::A]
            }
            "slow" => {
                std::thread::sleep(std::time::Duration::from_millis(300));
                vec![Say::A]
            }
            _ => vec![Say::A],
        };
        Report { turn, ..Report::default() }
    }
}

impl Hosted for Toy {
    type Tally = ();
    type View = Value;

    fn describe() -> GameType {
        unreachable!("the toy is in no list")
    }

    fn setup(_options: &Value, players: usize) -> Result<usize, OptionsError> {
        Ok(players)
    }

    fn options(_setup: &usize) -> Value {
        json!({})
    }

    fn bag(&self) -> Vec<Say> {
        Vec::new()
    }

    fn phase(&self) -> String {
        "say".to_owned()
    }

    fn count(_tally: &mut (), _event: &()) {}

    fn breakdown(&self, _tally: &()) -> Vec<Breakdown> {
        vec![Breakdown::default(); 2]
    }

    fn view(&self, _tally: &()) -> Value {
        json!({"said": self.said})
    }

    fn bot_view(&self, _seat: Player) -> Value {
        json!({})
    }

    fn event(&self, _event: &()) -> Value {
        json!({})
    }

    fn legal_turns(&self) -> Vec<LegalMove> {
        vec![LegalMove::alone(&"a")]
    }

    fn read_action(&self, _action: &Value) -> Result<Vec<Say>, ActionError> {
        Err(ActionError::Incomplete("the toy has no actions"))
    }

    fn timeout_moves(&self, _random: u64) -> Vec<Say> {
        vec![Say::A]
    }

    fn scenes(_positions: &[Self]) -> Vec<drawing::Scene> {
        Vec::new()
    }

    fn bot(name: &str, _setup: &usize) -> Result<Box<dyn Agent<Self>>, BotError> {
        if name == "unknown" {
            return Err(BotError::Unfit("no such bot".to_owned()));
        }
        Ok(Box::new(Bot(name.to_owned())))
    }

    fn read_record(text: &str) -> Result<Record<Self>, RecordError> {
        text.parse().map_err(|error| RecordError::Unreadable(format!("{error}")))
    }
}
