//! A ladder as tables in Markdown.

use super::Ladder;
use crate::arena::SideSummary;
use search::arena::{Estimate, Interval, Pairing, ratings};
use std::fmt::Write;

/// The rating of the anchor.
const ANCHOR: f64 = 1_000.0;

impl Ladder {
    /// The ratings with what each bot spent, and who leads whom by how much; the best first.
    pub(super) fn table(&self) -> String {
        let anchor = self.bots.iter().position(|bot| bot == "greedy").unwrap_or(0);
        let ratings = self.ratings(anchor);
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        let rank = |bot: usize| ratings[bot].map_or(f64::NEG_INFINITY, |rating| rating.mean);
        order.sort_by(|a, b| rank(*b).total_cmp(&rank(*a)));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_ratings(&mut text, &order, &ratings);
        let _ = self.write_margins(&mut text, &order);
        let _ = self.write_adjusted(&mut text);
        let _ = writeln!(
            text,
            "\n{} Elo: the likeliest ratings with 95 % intervals of the difference to {}, which \
             is put at {ANCHOR:.0}. Margins: points a game of the row over the column ± standard \
             error, and the row's win rate.",
            self.conditions, self.bots[anchor]
        );
        text
    }

    fn ratings(&self, anchor: usize) -> Vec<Option<Interval>> {
        let pairings: Vec<Pairing> = self
            .matches
            .iter()
            .map(|(player, other, summary)| {
                let (games, score) = (summary.tally().comparisons(), summary.tally().score());
                Pairing { player: *player, other: *other, games, score }
            })
            .collect();
        ratings(self.bots.len(), &pairings, anchor)
    }

    fn write_ratings(
        &self,
        text: &mut String,
        order: &[usize],
        ratings: &[Option<Interval>],
    ) -> std::fmt::Result {
        writeln!(text, "| bot | Elo | 95 % | ms a move | longest ms | nodes a move | forfeits |")?;
        writeln!(text, "| --- | ---: | :---: | ---: | ---: | ---: | ---: |")?;
        for bot in order.iter().copied() {
            let side = self.side(bot);
            write!(text, "| {} |", cell(&self.bots[bot]))?;
            match ratings[bot] {
                None => write!(text, " | |")?,
                Some(Interval { low, mean, high }) => {
                    let [low, mean, high] = [low, mean, high].map(|elo| ANCHOR + elo);
                    write!(text, " {mean:.0} | {low:.0} … {high:.0} |")?;
                }
            }
            let (ms, nodes) = (side.ms_a_move, side.nodes_a_move);
            match (ms, nodes) {
                (Some(ms), Some(nodes)) => {
                    write!(text, " {ms:.2} | {:.1} | {nodes:.0} |", side.longest_ms)?;
                }
                _ => write!(text, " | | |")?,
            }
            writeln!(text, " {} |", side.forfeits)?;
        }
        Ok(())
    }

    fn write_margins(&self, text: &mut String, order: &[usize]) -> std::fmt::Result {
        let names: Vec<String> = order.iter().map(|bot| cell(&self.bots[*bot])).collect();
        writeln!(text, "\n| margin over | {} |", names.join(" | "))?;
        writeln!(text, "| --- |{}", " :---: |".repeat(names.len()))?;
        for (row, name) in order.iter().zip(&names) {
            write!(text, "| {name} |")?;
            for column in order {
                match self.result(*row, *column) {
                    None => write!(text, " |")?,
                    Some((margin, score)) => write!(text, " {margin} ({score:.0} %) |")?,
                }
            }
            writeln!(text)?;
        }
        Ok(())
    }

    /// The margins with the luck of the draws taken off, where that was asked for.
    fn write_adjusted(&self, text: &mut String) -> std::fmt::Result {
        let adjusted: Vec<_> = self
            .matches
            .iter()
            .filter_map(|(a, b, summary)| Some((a, b, summary, summary.luck()?)))
            .collect();
        if adjusted.is_empty() {
            return Ok(());
        }
        writeln!(text, "\n| pairing | margin | less luck | variance | luck |")?;
        writeln!(text, "| --- | ---: | ---: | ---: | ---: |")?;
        for (a, b, summary, luck) in adjusted {
            let names = format!("{} - {}", cell(&self.bots[*a]), cell(&self.bots[*b]));
            writeln!(
                text,
                "| {names} | {} | {} | {:.0} % | {} |",
                summary.tally().margin(),
                luck.margin,
                100.0 * luck.variance_ratio,
                luck.luck
            )?;
        }
        Ok(())
    }

    /// What one bot spent in all its matches.
    fn side(&self, bot: usize) -> SideSummary {
        let mut sum = SideSummary::new(self.bots[bot].clone(), String::new());
        for (a, b, summary) in &self.matches {
            for (player, side) in [a, b].into_iter().zip(summary.sides()) {
                if *player == bot {
                    sum.spend(&side.effort);
                    sum.forfeits += side.forfeits;
                }
            }
        }
        sum
    }

    /// The margin and the score in percent of one bot over another, if they played.
    fn result(&self, row: usize, column: usize) -> Option<(Estimate, f64)> {
        self.matches.iter().find_map(|(a, b, summary)| {
            let (margin, score) = (summary.tally().margin(), 100.0 * summary.tally().score().mean);
            if summary.tally().rounds() == 0 {
                None
            } else if (*a, *b) == (row, column) {
                Some((margin, score))
            } else if (*b, *a) == (row, column) {
                Some((Estimate { mean: -margin.mean, ..margin }, 100.0 - score))
            } else {
                None
            }
        })
    }
}

/// A text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
