//! `bastide review`: what every move of a game was worth, and what was luck.

use super::replay;
use crate::arena::{PlayedEdition, check_writable, write_whole};
use crate::interrupt::{INTERRUPTED, stop_on_ctrl_c};
use anyhow::anyhow;
use bots::review::{
    Category, DecisionReview, Depth, DrawReview, Fact, FactKind, PlayerReview, Review, ReviewError,
    Source, Step, Worth, review, review_tinytown,
};
use carcassonne::{AnyInterpreted, ExpandedSetup, Options, Position};
use game::{Game, Record};
use search::Stop;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tinytown::Tinytown;

/// Review a recorded game: what every decision lost, what every draw was worth, and how it adds up.
///
/// A loss is what the engine's turn is worth more than the one that was played, in points of final
/// margin, with its standard error; nothing is called a loss that is not more than twice its error. The
/// luck of a draw is what the drawn tile is worth more than the mean of all that could come. For every
/// player: margin = start + luck + skill + rest (docs/review.md).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  bastide review game.txt                   about ten seconds for two players
  bastide review game.txt --deep            about two minutes, smaller errors
  bastide review game.txt --player 1        only the second player's mistakes
  bastide review game.txt --json            everything, as one JSON object")]
pub(crate) struct Args {
    /// The record, as text or JSON ('-' reads standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Look quickly (the default)
    #[arg(long, conflicts_with = "deep")]
    quick: bool,
    /// Look closely
    #[arg(long)]
    deep: bool,
    /// List the mistakes of this player alone, counted from 0
    #[arg(long, value_name = "N")]
    player: Option<usize>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Write the JSON object to this file as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The setup of a JSON list that does not name it, such as 'players=3 sets=inns'
    #[arg(long, value_name = "SETUP")]
    setup: Option<ExpandedSetup>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.out.as_deref().map_or(Ok(()), check_writable)?;
    let text = replay::read_text(&args.file)?;
    if game::named_game(&text) == Tinytown::NAME {
        let record: Record<Tinytown> =
            text.parse().map_err(|error| anyhow!("{}: {error}", args.file.display()))?;
        return args.run(1, |depth, stop, each| review_tinytown(&record, depth, stop, each));
    }
    match replay::interpret(&args.file, &text, args.setup.as_ref())? {
        AnyInterpreted::Base(read) => args.run_on(&read.record),
        AnyInterpreted::Expanded(read) => args.run_on(&read.record),
    }
}

/// Told every step, with the plies that are done and all plies.
type Each<'a> = &'a mut dyn FnMut(&Step, usize, usize);

impl Args {
    fn run_on<E: PlayedEdition>(&self, record: &Record<Position<E>>) -> anyhow::Result<ExitCode> {
        self.run(record.setup.rules().players(), |depth, stop, each| {
            review(record, depth, stop, each)
        })
    }

    fn run(
        &self,
        players: usize,
        review: impl FnOnce(Depth, &Stop, Each<'_>) -> Result<Review, ReviewError>,
    ) -> anyhow::Result<ExitCode> {
        if let Some(player) = self.player.filter(|player| *player >= players) {
            anyhow::bail!("--player {player}: this game has players 0 to {}", players - 1);
        }
        let depth = if self.deep { Depth::Deep } else { Depth::Quick };
        let stop = stop_on_ctrl_c()?;
        let found = match watched(|each| review(depth, &stop, each)) {
            Err(ReviewError::Stopped) => return Ok(ExitCode::from(INTERRUPTED)),
            found => found?,
        };
        if let Some(path) = &self.out {
            write_whole(path, &(serde_json::to_string_pretty(&found)? + "\n"))?;
        }
        let mut out = std::io::stdout().lock();
        match self.json {
            true => writeln!(out, "{}", serde_json::to_string_pretty(&found)?)?,
            false => write!(out, "{}", text(&found, self.player))?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The review, with a line of progress where somebody watches.
fn watched<T>(review: impl FnOnce(Each<'_>) -> T) -> T {
    let watched = std::io::stderr().is_terminal();
    let mut err = std::io::stderr();
    let done = review(&mut |step, done, all| {
        if watched && matches!(step, Step::Decision(_)) {
            // Progress that cannot be shown is not missed.
            let _ = write!(err, "\rreviewing: {done} of {all} plies");
        }
    });
    if watched {
        let _ = write!(std::io::stderr(), "\r                              \r");
    }
    done
}

fn text(review: &Review, only: Option<usize>) -> String {
    let mut text = format!("{}, {} review, {}\n", review.setup, review.depth, review.net);
    if !review.finished {
        text += "the record ends before the game does: the result is what the engine expects\n";
    }
    text += "\nplayer  accuracy   margin =  start +   luck +  skill +   rest";
    text += "    best good inaccuracies mistakes blunders\n";
    for (seat, player) in review.players.iter().enumerate() {
        text += &player_row(seat, player);
    }
    let mut wrong: Vec<&DecisionReview> = review
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Decision(decision) => Some(&**decision),
            Step::Draw(_) => None,
        })
        .filter(|d| d.category >= Category::Inaccuracy && only.is_none_or(|p| p == d.player))
        .collect();
    wrong.sort_by_key(|decision| decision.ply);
    text += match wrong.is_empty() {
        true => "\nno mistakes\n",
        false => "\n  ply  player  loss in points       odds   verdict     played → better\n",
    };
    for decision in wrong {
        text += &decision_rows(decision);
    }
    let mut draws: Vec<&DrawReview> = review
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Draw(draw) => Some(draw),
            Step::Decision(_) => None,
        })
        .collect();
    let size = |draw: &DrawReview| luck_of(draw).margin.abs();
    draws.sort_by(|a, b| size(b).total_cmp(&size(a)));
    if draws.is_empty() {
        return text;
    }
    text += "\nthe luckiest and unluckiest draws, for who drew\n";
    for draw in draws.iter().take(6) {
        let luck = luck_of(draw);
        let _ = writeln!(
            text,
            "{:>5}  {:>6}  {:>+14.1}   {:>+7.1} %   tile {}",
            draw.ply,
            draw.player,
            luck.margin,
            luck.win * 100.0,
            draw.drawn
        );
    }
    text
}

fn luck_of(draw: &DrawReview) -> Worth {
    draw.luck.get(draw.player).copied().unwrap_or_default()
}

fn player_row(seat: usize, player: &PlayerReview) -> String {
    let PlayerReview { result, start, luck, skill, rest, accuracy, categories, .. } = player;
    let [best, good, inaccuracies, mistakes, blunders] = categories;
    format!(
        "{seat:>6}  {accuracy:>8.1}  {:>+7.1}  {:>+7.1}  {:>+7.1}  {:>+7.1}  {:>+7.1}  {best:>6} \
         {good:>4} {inaccuracies:>12} {mistakes:>8} {blunders:>8}\n",
        result.margin, start.margin, luck.margin, skill.margin, rest.margin
    )
}

fn decision_rows(decision: &DecisionReview) -> String {
    let DecisionReview { ply, player, loss, error, category, exact, .. } = decision;
    let error = match exact {
        true => " exact".to_owned(),
        false => format!("± {:.1}", error.margin),
    };
    let mut text = format!(
        "{ply:>5}  {player:>6}  {:>7.1} {error:<7} {:>7.1} %   {:<10}  {} → {}\n",
        loss.margin,
        loss.win * 100.0,
        category.name(),
        decision.played.join("; "),
        decision.best.join("; ")
    );
    let reasons: Vec<String> = decision
        .reasons
        .iter()
        .map(|reason| {
            if reason.source == Source::Later {
                return format!("{:+.1} expected later", reason.points);
            }
            let whose = if reason.player == *player { "own" } else { "others'" };
            format!("{:+.1} {whose} {}", reason.points, source(reason.source))
        })
        .collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "{:>44}the better turn: {}", "", reasons.join(", "));
    }
    for (best, whose) in [(true, "it"), (false, "the one that was played")] {
        let done: Vec<String> =
            decision.facts.iter().filter(|fact| fact.best == best).map(fact_text).collect();
        if !done.is_empty() {
            let _ = writeln!(text, "{:>44}{whose} {}", "", done.join(", "));
        }
    }
    text
}

fn fact_text(fact: &Fact) -> String {
    let count = fact.count.unwrap_or_default();
    let what = match fact.source {
        Some(Source::City) => "city",
        Some(Source::Road) => "road",
        Some(Source::Monastery) => "monastery",
        Some(Source::Field) => "field",
        Some(Source::Garden) => "garden",
        Some(Source::Goods | Source::Meeples | Source::Later) | None => "feature",
    };
    match fact.what {
        FactKind::Scores => format!("finishes a {what} for {count}"),
        FactKind::Gives => format!("finishes a {what} of another player for {count}"),
        FactKind::Frees if count == 1 => "brings a meeple back".to_owned(),
        FactKind::Frees => format!("brings {count} meeples back"),
        FactKind::LastMeeple => "takes the last meeple".to_owned(),
        FactKind::Shares => format!("shares another player's {what}, worth {count} now"),
        FactKind::TakesOver => format!("takes over another player's {what}, worth {count} now"),
        FactKind::Blocks if count == 1 => "leaves a cell that no tile fits".to_owned(),
        FactKind::Blocks => format!("leaves {count} cells that no tile fits"),
    }
}

const fn source(source: Source) -> &'static str {
    match source {
        Source::City => "in cities",
        Source::Road => "on roads",
        Source::Monastery => "from monasteries",
        Source::Field => "in fields",
        Source::Garden => "from gardens",
        Source::Goods => "from goods",
        Source::Meeples => "meeples in hand",
        Source::Later => "later",
    }
}
