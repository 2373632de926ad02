//! A review on a thread of its own, and its lines.

use super::engine_game::EngineGame;
use super::out::Out;
use super::thinking::{Thinking, start_thread};
use bots::review::{Depth, Review, Step, Worth};
use game::Record;
use search::Stop;

/// Starts a review: a line for each draw and decision as soon as it is known, then one for each player.
pub(super) fn start<G: EngineGame>(
    record: &Record<G>,
    depth: Depth,
    out: &Out,
) -> anyhow::Result<Thinking> {
    let (record, lines) = (record.clone(), out.clone());
    start_thread(out, true, move |stop: &Stop| {
        let each = &mut |step: &Step, done: usize, plies: usize| {
            lines.say(&format!("{}progress {done} {plies}\n", told(step)));
        };
        match G::review(&record, depth, stop, each) {
            Ok(review) => players(&review) + "ok\n",
            Err(error) => format!("error {error}\n"),
        }
    })
}

fn told(step: &Step) -> String {
    let yes = |exact: bool| if exact { "yes" } else { "no" };
    match step {
        Step::Draw(draw) => format!(
            "draw ply {} player {} exact {} luck {} wins {} tile {}\n",
            draw.ply,
            draw.player,
            yes(draw.exact),
            list(&draw.luck, |worth| format!("{:+.2}", worth.margin)),
            list(&draw.luck, |worth| format!("{:+.3}", worth.win)),
            draw.drawn
        ),
        Step::Decision(decision) => {
            let mut text = format!(
                "decision ply {} player {} exact {} choices {} loss {:.2} error {:.2} win {:.3} \
                 category {} played {} best {}\n",
                decision.ply,
                decision.player,
                yes(decision.exact),
                decision.choices,
                decision.loss.margin,
                decision.error.margin,
                decision.loss.win,
                decision.category.name(),
                decision.played.join("; "),
                decision.best.join("; ")
            );
            for reason in &decision.reasons {
                text += &format!(
                    "reason ply {} player {} points {:+.2} error {:.2} source {}\n",
                    decision.ply,
                    reason.player,
                    reason.points,
                    reason.error,
                    reason.source.name()
                );
            }
            text
        }
    }
}

fn players(review: &Review) -> String {
    let line = |(seat, player): (usize, &bots::review::PlayerReview)| {
        let counts: Vec<String> = player.categories.iter().map(ToString::to_string).collect();
        format!(
            "player {seat} accuracy {:.1} margin {:+.2} start {:+.2} luck {:+.2} skill {:+.2} rest \
             {:+.2} loss {:.2} categories {}\n",
            player.accuracy,
            player.result.margin,
            player.start.margin,
            player.luck.margin,
            player.skill.margin,
            player.rest.margin,
            player.loss.margin,
            counts.join(",")
        )
    };
    review.players.iter().enumerate().map(line).collect()
}

fn list(worths: &[Worth], text: impl Fn(&Worth) -> String) -> String {
    worths.iter().map(text).collect::<Vec<_>>().join(",")
}
