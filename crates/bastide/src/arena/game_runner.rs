//! One game of a match.

use super::forfeit::Forfeit;
use super::pace::GamePace;
use super::sides::{PlayedEdition, Seated, program_of};
use super::{Pace, Plan};
use crate::external::{NoTurn, Place};
use crate::limits::turns_left;
use anyhow::bail;
use carcassonne::{Expanded, Position};
use game::{ByPlayer, Game, Player, Record};
use search::Stop;
use search::arena::{
    Contestant, FinishedGame, GameFailed, GameTime, Outcome, Reason, ResourceUse, deal_from,
    play_game,
};
use serde::{Deserialize, Serialize};

/// A game to play: which round, and where A sits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Job {
    pub(super) round: u64,
    pub(super) seat: usize,
}

/// A game that was played, as it is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    /// The round, from 0.
    pub(crate) round: u64,
    /// A's seat.
    pub(crate) seat: usize,
    /// The points of each seat, final unless somebody gave up.
    pub(crate) scores: Vec<i32>,
    /// Who gave up, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(alias = "foul")]
    pub(crate) forfeit: Option<Forfeit>,
    /// What A spent, and what B spent on all its seats.
    pub(crate) spent: [Effort; 2],
    /// The game's record, as text.
    pub(crate) record: String,
}

/// What a side spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Effort {
    /// Turns taken.
    pub(crate) turns: u64,
    /// Nodes of all searches.
    pub(crate) nodes: u64,
    /// Microseconds of all searches, by the clock that limits them.
    pub(crate) micros: u64,
    /// Microseconds of the longest.
    pub(crate) longest: u64,
    /// Turns that came late; none if the game was stored by an earlier version.
    #[serde(default)]
    pub(crate) late: u64,
}

/// What giving up costs at least, in points: about the spread of a game's margin.
const PRICE: i32 = 25;

impl Finished {
    /// What the game says about A.
    pub(super) fn outcome(&self) -> Outcome {
        let (scores, me) = (ByPlayer::from_slice(&self.scores), Player::new(self.seat));
        match &self.forfeit {
            None => Outcome::new(&scores, me),
            Some(forfeit) => Outcome::given_up(&scores, me, forfeit.seat == self.seat, PRICE),
        }
    }

    /// The side that gave up: 0 for A, 1 for B.
    pub(super) fn forfeited_by(&self) -> Option<usize> {
        self.forfeit.as_ref().map(|forfeit| usize::from(forfeit.seat != self.seat))
    }

    pub(super) const fn job(&self) -> Job {
        Job { round: self.round, seat: self.seat }
    }
}

impl Effort {
    pub(super) fn add(&mut self, other: &Self) {
        self.turns += other.turns;
        self.nodes += other.nodes;
        self.micros += other.micros;
        self.longest = self.longest.max(other.longest);
        self.late += other.late;
    }

    fn of(spent: &ResourceUse) -> Self {
        let micros = |time: std::time::Duration| time.as_micros() as u64;
        Self {
            turns: spent.turns.into(),
            nodes: spent.nodes,
            micros: micros(spent.time),
            longest: micros(spent.longest),
            late: spent.late.into(),
        }
    }
}

/// Where a thread plays one game after the other.
pub(super) struct GameRunner<'a, E: PlayedEdition> {
    plan: &'a Plan,
    setup: E::Setup,
    /// A, then B as often as it has seats.
    sides: Vec<Option<Seated<E>>>,
}

impl<'a, E: PlayedEdition> GameRunner<'a, E> {
    pub(super) fn new(plan: &'a Plan) -> Self {
        let setup = E::setup_of(&plan.setup);
        Self { plan, setup, sides: (0..plan.seats()).map(|_| None).collect() }
    }

    /// Plays a game; `None` if it was stopped.
    ///
    /// # Errors
    /// If a side cannot be made, or the deck is wrong.
    pub(super) fn play(&mut self, job: Job, stop: &Stop) -> anyhow::Result<Option<Finished>> {
        let plan = self.plan;
        let mut at_table = Vec::new();
        for (index, side) in self.sides.iter_mut().enumerate() {
            if !side.as_ref().is_some_and(Seated::<E>::stays) {
                // The old one goes first: a program may not like to run twice.
                *side = None;
                let text = &plan.sides[usize::from(index > 0)];
                let place = Place::of_side(if index == 0 { 'A' } else { 'B' });
                *side = match Seated::new(text, &self.setup, &plan.programs, place) {
                    Ok(made) => Some(made),
                    Err(_) if stop.is_stopped() => return Ok(None),
                    // It ran before the match began, so it is the program that broke down.
                    Err(error) if program_of(text).is_some() => {
                        return Ok(Some(absent(plan, job, index, &error)));
                    }
                    Err(error) => return Err(error),
                };
            }
            let agent = side.as_mut().expect("it was just made");
            agent.place.set_game(Some(format!("{}.{}", job.round + 1, job.seat + 1)));
            let pace = plan.paces[usize::from(index > 0)];
            let game_time = match pace {
                Pace::Game(GamePace { time, increment, .. }) => {
                    Some(GameTime { time, increment, turns_left: turns_left::<E> })
                }
                _ => None,
            };
            at_table.push(Contestant { agent, limits: pace.limits(), game_time });
        }
        // A takes its seat, and the others keep their order.
        let a = at_table.remove(0);
        at_table.insert(job.seat, a);
        let (deck, seeds) = plan.deal(job.round);
        let played = play_game::<Position<E>>(
            &self.setup,
            &mut at_table,
            seeds[job.seat],
            stop,
            deal_from(deck),
            |_, _| {},
        );
        drop(at_table);
        self.sides.iter().flatten().for_each(|side| side.place.set_game(None));
        match played {
            Ok(played) => Ok(Some(finished(job, played))),
            Err(failed) => self.forfeit(job, failed),
        }
    }

    fn forfeit(
        &mut self,
        job: Job,
        failed: GameFailed<Position<E>>,
    ) -> anyhow::Result<Option<Finished>> {
        let (player, answer) = match &failed.reason {
            Reason::Stopped => return Ok(None),
            Reason::Illegal(player, answer) => (*player, answer.as_str()),
            Reason::Seats | Reason::Deal => bail!("{failed}"),
        };
        let seat = player.index();
        let index = match seat {
            s if s == job.seat => 0,
            s if s < job.seat => s + 1,
            s => s,
        };
        // Whatever it is, it is not trusted with another game.
        let broken = self.sides[index].take().and_then(Seated::<E>::why);
        let position = failed.record.replay()?;
        let plies = failed.record.moves.len();
        let forfeit = match broken {
            Some(NoTurn::Broken(why)) => Forfeit::unanswered(seat, &position, plies, why),
            Some(NoTurn::Unreadable(answer)) => Forfeit::illegal(seat, &position, plies, &answer),
            None => Forfeit::illegal(seat, &position, plies, answer),
        };
        Ok(Some(Finished {
            round: job.round,
            seat: job.seat,
            scores: position.scores().as_slice().to_vec(),
            forfeit: Some(forfeit),
            spent: efforts(job, &failed.spent),
            record: failed.record.to_string(),
        }))
    }
}

/// A game that was not begun, because the program with this number did not start.
fn absent(plan: &Plan, job: Job, index: usize, error: &anyhow::Error) -> Finished {
    let seat = match index {
        0 => job.seat,
        other if other <= job.seat => other - 1,
        other => other,
    };
    let forfeit = Some(Forfeit::absent(seat, format!("it did not start: {error:#}")));
    let (scores, spent) = (vec![0; plan.seats()], [Effort::default(); 2]);
    // A record tells its setup the same way in every edition.
    let record = Record::<Expanded>::new(plan.setup).to_string();
    Finished { round: job.round, seat: job.seat, scores, forfeit, spent, record }
}

/// What A spent, and what B spent on all its seats.
fn efforts(job: Job, spent: &ByPlayer<ResourceUse>) -> [Effort; 2] {
    let mut efforts = [Effort::default(); 2];
    for (player, own) in spent.iter() {
        efforts[usize::from(player.index() != job.seat)].add(&Effort::of(own));
    }
    efforts
}

fn finished<G: Game>(job: Job, played: FinishedGame<G>) -> Finished {
    let spent = efforts(job, &played.spent);
    let scores = played.scores.as_slice().to_vec();
    let record = played.record.to_string();
    Finished { round: job.round, seat: job.seat, scores, forfeit: None, spent, record }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Paces;
    use crate::external::ProgramOptions;
    use carcassonne::{Base, Carcassonne, ExpandedSetup, Move, Sets, Setup};
    use search::{Agent, Limits, Report, Uniform};

    /// Plays at random until its n-th turn, then does something else.
    struct Rogue {
        turns: u32,
        then: fn(Report<Move>) -> Report<Move>,
        inner: Uniform,
    }

    impl Agent<Carcassonne> for Rogue {
        fn search(&mut self, game: &Carcassonne, limits: &Limits, stop: &Stop) -> Report<Move> {
            let report = self.inner.search(game, limits, stop);
            self.turns -= 1;
            if self.turns == 0 { (self.then)(report) } else { report }
        }
    }

    fn forfeit(players: usize, then: fn(Report<Move>) -> Report<Move>, a: usize) -> Finished {
        let sides = ["random".to_owned(), "random".to_owned()];
        let setup = ExpandedSetup::new(Setup::new(players).unwrap(), Sets::NONE).unwrap();
        let paces = Paces::DEFAULT.0;
        let programs = ProgramOptions::default();
        let plan = Plan {
            setup,
            sides,
            paces,
            seed: 3,
            rounds: 1,
            sprt: None,
            programs,
            tried: Default::default(),
        };
        let mut table = GameRunner::<Base>::new(&plan);
        // The last of B's seats.
        let rogue = Rogue { turns: 4, then, inner: Uniform::new() };
        table.sides[players - 1] = Some(Seated::guest(rogue));
        let job = Job { round: 0, seat: a };
        let game = table.play(job, &Stop::new()).unwrap().unwrap();
        assert!(table.sides[players - 1].is_none(), "it plays no other game");
        assert_eq!(game.forfeited_by(), Some(1));
        assert!(game.spent.iter().all(|spent| spent.turns >= 3), "{:?}", game.spent);
        let record: Record<Carcassonne> = game.record.parse().unwrap();
        assert_eq!(record.replay().unwrap().scores().as_slice(), game.scores);
        // The next game is played by another one.
        assert!(table.play(job, &Stop::new()).unwrap().unwrap().forfeit.is_none());
        game
    }

    #[test]
    fn no_answer_loses_the_game() {
        let game = forfeit(2, |_| Report::default(), 0);
        let forfeit = game.forfeit.clone().unwrap();
        assert_eq!((forfeit.seat, forfeit.why.as_str()), (1, "it gave no turn"));
        assert!(!forfeit.legal.is_empty() && forfeit.tile.is_some());
        assert!(game.outcome().ahead == 1 && game.outcome().lead >= PRICE);
    }

    #[test]
    fn an_illegal_answer_loses_the_game() {
        let twice = |report: Report<Move>| Report { turn: vec![report.turn[0]; 2], ..report };
        let game = forfeit(3, twice, 2);
        let forfeit = game.forfeit.clone().unwrap();
        assert_eq!(forfeit.seat, 1);
        // The second move is the wrong one: where it would stand, meeples are put down.
        assert!(forfeit.why.contains(": move 2 '") && forfeit.why.contains("' is not legal: "));
        assert_eq!(forfeit.legal.last().map(String::as_str), Some("pass"), "{forfeit}");
        assert_eq!(game.outcome().ahead, 2);
    }

    #[test]
    fn a_panic_loses_the_game() {
        let game = forfeit(2, |_| panic!("no idea"), 1);
        let forfeit = game.forfeit.unwrap();
        assert_eq!((forfeit.seat, forfeit.why.as_str()), (0, "it broke down: no idea"));
    }
}
