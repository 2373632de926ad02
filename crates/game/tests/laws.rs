//! The laws hold for a tiny game, and catch one that is broken.

use game::{ByPlayer, Game, Player, Random, Record, Turn, laws};
use std::fmt;
use std::str::FromStr;

/// A die is thrown (1 twice as likely as 2), the player keeps it or passes; some rounds each.
#[derive(Clone)]
struct Dice<const FAULT: u8> {
    rounds: Rounds,
    thrown: Option<u32>,
    to_move: Player,
    scores: ByPlayer<i32>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Rounds(u8);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Action {
    Throw(u32),
    Keep,
    Pass,
}

const HONEST: u8 = 0;
const KEEPS_TWICE: u8 = 1;
const NEVER_ENDS_ITS_TURN: u8 = 2;
const CHANGES_WHEN_CLONED_STATE_LISTS: u8 = 3;

impl<const FAULT: u8> Game for Dice<FAULT> {
    const NAME: &'static str = "dice";
    type Setup = Rounds;
    type Move = Action;
    type Event = u32;

    fn start(setup: &Rounds, mut emit: impl FnMut(u32)) -> Self {
        emit(0);
        let scores = ByPlayer::new(2, 0);
        Self { rounds: *setup, thrown: None, to_move: Player::new(0), scores }
    }

    fn players(&self) -> usize {
        2
    }

    fn turn(&self) -> Turn {
        match (self.rounds.0, self.thrown) {
            (0, _) => Turn::Over,
            (_, None) => Turn::Chance,
            _ => Turn::Player(self.to_move),
        }
    }

    fn moves(&self, out: &mut Vec<Action>) {
        out.clear();
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend([Action::Throw(1), Action::Throw(2)]),
            Turn::Player(_) if FAULT == KEEPS_TWICE => out.extend([Action::Keep, Action::Keep]),
            Turn::Player(_) => out.extend([Action::Keep, Action::Pass]),
        }
    }

    fn odds(&self, outcome: Action) -> u32 {
        match (self.turn(), outcome) {
            (Turn::Chance, Action::Throw(n)) if n == 1 || n == 2 => 3 - n,
            _ => 0,
        }
    }

    fn play_unchecked(&mut self, m: Action, mut emit: impl FnMut(u32)) {
        match m {
            Action::Throw(n) => self.thrown = Some(n),
            Action::Keep | Action::Pass => {
                let n = self.thrown.take().unwrap_or(0);
                if m == Action::Keep {
                    self.scores[self.to_move] += n as i32;
                    emit(n);
                }
                self.to_move = self.to_move.next(2);
                if FAULT != NEVER_ENDS_ITS_TURN {
                    self.rounds.0 -= 1;
                }
            }
        }
    }

    fn scores(&self) -> ByPlayer<i32> {
        self.scores
    }

    fn is_legal(&self, m: Action) -> bool {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.contains(&m) || FAULT == CHANGES_WHEN_CLONED_STATE_LISTS
    }
}

impl fmt::Display for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rounds={}", self.0)
    }
}

impl FromStr for Rounds {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix("rounds=").and_then(|n| n.parse().ok());
        number.map(Rounds).ok_or_else(|| format!("expected 'rounds=N', found '{text}'"))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throw(n) => write!(f, "{n}"),
            Self::Keep => f.write_str("keep"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "keep" => Ok(Self::Keep),
            "pass" => Ok(Self::Pass),
            _ => {
                text.parse().map(Self::Throw).map_err(|_| "expected a number, keep or pass".into())
            }
        }
    }
}

type HonestDice = Dice<HONEST>;

#[test]
fn an_honest_game_passes() {
    laws::check::<HonestDice>(&[Rounds(1), Rounds(2), Rounds(9)], 50, 7);
}

#[test]
#[should_panic(expected = "no move is listed twice")]
fn a_move_listed_twice_is_caught() {
    laws::check::<Dice<KEEPS_TWICE>>(&[Rounds(3)], 1, 7);
}

#[test]
#[should_panic(expected = "the game ends")]
fn an_endless_game_is_caught() {
    laws::check::<Dice<NEVER_ENDS_ITS_TURN>>(&[Rounds(3)], 1, 7);
}

#[test]
#[should_panic(expected = "is not listed, so not legal")]
fn a_game_that_allows_what_it_does_not_list_is_caught() {
    laws::check::<Dice<CHANGES_WHEN_CLONED_STATE_LISTS>>(&[Rounds(3)], 9, 7);
}

#[test]
fn outcomes_come_as_often_as_their_odds() {
    let game = HonestDice::new(&Rounds(1));
    let mut random = Random::new(3);
    let ones = (0..9_000).filter(|_| game.sample_outcome(&mut random) == Some(Action::Throw(1)));
    assert!((5_700..6_300).contains(&ones.count()));
}

#[test]
fn a_record_reads_comments_and_both_separators() {
    let text = "# a game\ndice rounds=2   # two rounds\n1; keep\n2\npass ; # end\n";
    let record: Record<HonestDice> = text.parse().unwrap();
    assert_eq!(record.moves, [Action::Throw(1), Action::Keep, Action::Throw(2), Action::Pass]);
    assert_eq!(record.to_string(), "dice rounds=2\n1; keep\n2; pass\n");
    assert_eq!(record.replay().unwrap().scores().as_slice(), [1, 0]);
}

#[test]
fn a_bad_record_says_where_and_what() {
    let error = |text: &str| text.parse::<Record<HonestDice>>().unwrap_err().to_string();
    assert_eq!(error(""), "line 1: the text is empty; a record starts with 'dice SETUP'");
    assert_eq!(error("chess x"), "line 1: expected a record of 'dice', found 'chess'");
    assert_eq!(error("dice\n"), "line 1: expected 'rounds=N', found ''");
    assert_eq!(
        error("dice rounds=2\n1; kep"),
        "line 2: ply 2 'kep': expected a number, keep or pass"
    );
}

#[test]
fn an_illegal_move_names_its_ply_the_reason_and_what_was_legal() {
    let record: Record<HonestDice> = "dice rounds=2\n1; 2".parse().unwrap();
    let error = record.replay().err().unwrap();
    assert_eq!(
        error.to_string(),
        "ply 2: '2' is not legal: it is not among player 0's legal moves; legal: keep | pass"
    );
    let error = record.replay_to(5, |_, _| {}).err().unwrap();
    assert_eq!(error.to_string(), "ply 5: the record has only 2 moves");
}

/// Events of the opening have ply 0, those of the first move ply 1.
#[test]
fn a_replay_gives_events_with_their_plies_and_stops_where_it_is_asked_to() {
    let record: Record<HonestDice> = "dice rounds=2\n1; keep\n2; keep".parse().unwrap();
    let mut events = Vec::new();
    record.replay_to(4, |ply, event| events.push((ply, event))).unwrap();
    assert_eq!(events, [(0, 0), (2, 1), (4, 2)]);
    assert_eq!(record.replay_to(2, |_, _| {}).unwrap().scores().as_slice(), [1, 0]);
}

/// A record that does not replay is still written, one move a line from the fault on.
#[test]
fn a_record_that_does_not_replay_is_written_whole() {
    let text = "dice rounds=2\n1; keep\nkeep\n2\npass\n";
    let record: Record<HonestDice> = text.parse().unwrap();
    assert!(record.replay().is_err());
    assert_eq!(record.to_string(), text);
    let later: Record<HonestDice> = format!("\u{feff}{text}1").parse().unwrap();
    assert!(later != record && later.clone() == later);
    assert_eq!(later.moves.len(), 6);
}

#[test]
fn a_refusal_says_whose_turn_it_is() {
    let mut game = HonestDice::new(&Rounds(1));
    let reason = |game: &mut HonestDice, m| game.play(m, |_| {}).unwrap_err().reason;
    assert_eq!(
        reason(&mut game, Action::Throw(3)),
        "it is chance's turn and this outcome is not left"
    );
    game.play(Action::Throw(2), |_| {}).unwrap();
    assert_eq!(reason(&mut game, Action::Throw(2)), "it is not among player 0's legal moves");
    game.play(Action::Keep, |_| {}).unwrap();
    assert_eq!(reason(&mut game, Action::Keep), "the game is over");
}
