//! A ruling read from its text, and checked with the engine.

use carcassonne::{AllSets, Base, Edition, Event, ExpandedSetup, Move, Options, Position};
use game::{Game, Turn};
use std::fmt::Debug;
use std::path::PathBuf;

pub(crate) struct Ruling {
    pub(crate) name: String,
    /// Each step with its line.
    pub(crate) steps: Vec<(usize, Step)>,
}

pub(crate) enum Step {
    Start(ExpandedSetup),
    Moves(Vec<Move>),
    DiscardRest,
    /// What the moves before made happen.
    Events(Vec<String>),
    Legal(Vec<String>),
    /// A move and why it is refused.
    Refused(String, String),
    Scores(Vec<i32>),
    Projected(Vec<i32>),
    Supply(Vec<usize>),
    Turn(String),
}

/// All rulings, by name.
pub(crate) fn all() -> Vec<Ruling> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/rulings");
    let files = std::fs::read_dir(folder).expect("the folder of the rulings");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() >= 30, "the rulings are there");
    paths.iter().map(read).collect()
}

fn read(path: &PathBuf) -> Ruling {
    let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut steps: Vec<(usize, Step)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        if line.starts_with(' ') {
            let event = line.trim().to_owned();
            match steps.last_mut() {
                Some((_, Step::Events(events))) => events.push(event),
                _ => steps.push((index + 1, Step::Events(vec![event]))),
            }
        } else if !line.is_empty() {
            let step = step(line).unwrap_or_else(|e| panic!("{name} line {}: {e}", index + 1));
            steps.push((index + 1, step));
        }
    }
    Ruling { name, steps }
}

fn step(line: &str) -> Result<Step, String> {
    let after = |key: &str| line.strip_prefix(key).map(str::trim);
    if let Some(setup) = after("carcassonne") {
        return Ok(Step::Start(setup.parse().map_err(|e| format!("{e}"))?));
    }
    if let Some(legal) = after("legal:") {
        return Ok(Step::Legal(legal.split('|').map(|m| m.trim().to_owned()).collect()));
    }
    if let Some((m, why)) = after("refused:").and_then(|rest| rest.split_once(':')) {
        return Ok(Step::Refused(m.trim().to_owned(), why.trim().to_owned()));
    }
    if let Some(scores) = after("scores:") {
        return numbers(scores).map(Step::Scores);
    }
    if let Some(scores) = after("projected:") {
        return numbers(scores).map(Step::Projected);
    }
    if let Some(supply) = after("supply:") {
        return numbers(supply).map(Step::Supply);
    }
    if let Some(turn) = after("turn:") {
        return Ok(Step::Turn(turn.to_owned()));
    }
    if line == "discard the rest" {
        return Ok(Step::DiscardRest);
    }
    let read = |text: &str| text.parse().map_err(|error| format!("'{text}': {error}"));
    let moves: Result<Vec<Move>, String> = line.split(';').map(read).collect();
    moves.map(Step::Moves)
}

fn numbers<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, String> {
    text.split_whitespace().map(|n| n.parse().map_err(|_| format!("{n} is no number"))).collect()
}

impl Ruling {
    /// Plays the ruling in each edition that can; the error says what differs, and where.
    pub(crate) fn check(&self) -> Result<(), String> {
        let needs_sets = |step: &(usize, Step)| match &step.1 {
            Step::Start(setup) => !setup.sets().is_empty(),
            _ => false,
        };
        if !self.steps.iter().any(needs_sets) {
            self.check_in::<Base>()?;
        }
        self.check_in::<AllSets>()
    }

    fn check_in<E: Edition>(&self) -> Result<(), String> {
        let mut game = Position::<E>::new(&E::Setup::default());
        let mut told = Vec::new();
        for (line, step) in &self.steps {
            let checked = check_step(step, &mut game, &mut told);
            checked.map_err(|what| format!("{} line {line}: {what}", self.name))?;
        }
        Ok(())
    }
}

fn check_step<E: Edition>(
    step: &Step,
    game: &mut Position<E>,
    told: &mut Vec<String>,
) -> Result<(), String> {
    match step {
        Step::Start(setup) => {
            told.clear();
            let setup = setup.to_string().parse().map_err(|_| "a setup of this edition")?;
            *game = Position::start(&setup, |event| told.push(event.to_string()));
        }
        Step::Moves(moves) => {
            told.clear();
            for m in moves {
                let played = game.play(*m, |event| told.push(event.to_string()));
                played.map_err(|error| error.to_string())?;
            }
        }
        Step::DiscardRest => discard_rest(game, told)?,
        Step::Events(expected) => same("what happened", told, expected)?,
        Step::Legal(expected) => {
            let (mut moves, mut expected) = (listed(game), expected.clone());
            moves.sort();
            expected.sort();
            same("legal moves", &moves, &expected)?;
        }
        Step::Refused(m, why) => {
            let refused: Move = m.parse().map_err(|error| format!("{m}: {error}"))?;
            if game.is_legal(refused) {
                return Err(format!("{m} was not refused"));
            }
            same("reason", &game.why_illegal(refused), why)?;
        }
        Step::Scores(expected) => same("scores", game.scores().as_slice(), expected)?,
        Step::Projected(expected) => {
            same("projected scores", game.projected_scores().as_slice(), expected)?;
        }
        Step::Supply(expected) => {
            let supply = game.supply();
            let supply = supply.as_slice().iter().map(|count| usize::from(*count));
            same("supply", &supply.collect::<Vec<_>>(), expected)?;
        }
        Step::Turn(expected) => {
            let turn = match game.turn() {
                Turn::Chance => "chance".to_owned(),
                Turn::Over => "over".to_owned(),
                Turn::Player(player) => format!("player {player}"),
            };
            same("turn", &turn, expected)?;
        }
    }
    Ok(())
}

/// Draws everything that is left, which must fit nowhere.
fn discard_rest<E: Edition>(game: &mut Position<E>, told: &mut Vec<String>) -> Result<(), String> {
    told.clear();
    let mut placeable = None;
    while game.turn() == Turn::Chance {
        let mut moves = Vec::new();
        game.moves(&mut moves);
        game.play_unchecked(moves[0], |event| match event {
            Event::TileDiscarded { .. } => {}
            Event::TileDrawn { tile, .. } => placeable = Some(tile),
            _ => told.push(event.to_string()),
        });
    }
    placeable.map_or(Ok(()), |tile| Err(format!("tile {tile} could still be placed")))
}

fn listed<E: Edition>(game: &Position<E>) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn same<T: PartialEq<U> + Debug + ?Sized, U: Debug>(
    what: &str,
    found: &T,
    expected: &U,
) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}:\n  found    {found:#?}\n  expected {expected:#?}"))
}
