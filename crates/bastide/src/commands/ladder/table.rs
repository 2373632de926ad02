//! What a ladder comes to, as tables.

use super::Ladder;
use crate::arena::SideSummary;
use search::arena::{Estimate, Interval, Pairing, ratings};

/// The rating of the anchor.
const ANCHOR: f64 = 1_000.0;

/// A table of texts: its first row, and the others.
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// How the columns after the first are aligned in Markdown.
    alignments: Vec<&'static str>,
}

impl Table {
    fn new(head: &[&str], alignments: &[&'static str]) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { head, rows: Vec::new(), alignments: alignments.to_vec() }
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| -> String {
            let cells: Vec<_> = cells.iter().map(|text| text.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("| --- | {} |\n", self.alignments.join(" | "));
        line(&self.head) + &rule + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }
}

impl Ladder {
    /// The tables as Markdown, with how to read them.
    pub(super) fn markdown(&self) -> String {
        let tables: Vec<String> = self.tables().iter().map(Table::markdown).collect();
        format!("{}\n{}\n", tables.join("\n"), self.legend())
    }

    /// The ratings with what each bot spent, who leads whom by how much, and margins without luck where
    /// they were asked for; the best bot first.
    pub(super) fn tables(&self) -> Vec<Table> {
        let ratings = self.ratings(self.anchor());
        let mut order: Vec<usize> = (0..self.bots.len()).collect();
        let rank = |bot: usize| ratings[bot].map_or(f64::NEG_INFINITY, |rating| rating.mean);
        order.sort_by(|a, b| rank(*b).total_cmp(&rank(*a)));
        let tables = [self.ratings_table(&order, &ratings), self.margins_table(&order)];
        tables.into_iter().chain(self.adjusted_table()).collect()
    }

    /// How the games were played, and what the tables say.
    pub(super) fn legend(&self) -> String {
        format!(
            "{} Elo: the likeliest ratings with 95 % intervals of the difference to {}, which \
             is put at {ANCHOR:.0}. Margins: points a game of the row over the column ± standard \
             error, and the row's win rate.",
            self.conditions,
            self.labels[self.anchor()]
        )
    }

    fn anchor(&self) -> usize {
        self.bots.iter().position(|bot| bot == "greedy").unwrap_or(0)
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

    fn ratings_table(&self, order: &[usize], ratings: &[Option<Interval>]) -> Table {
        let head = ["bot", "Elo", "95 %", "ms a move", "longest ms", "nodes a move", "forfeits"];
        let mut table = Table::new(&head, &["---:", ":---:", "---:", "---:", "---:", "---:"]);
        for bot in order.iter().copied() {
            let side = self.side(bot);
            let mut row = vec![self.labels[bot].clone()];
            match ratings[bot] {
                None => row.extend([String::new(), String::new()]),
                Some(Interval { low, mean, high }) => {
                    let [low, mean, high] = [low, mean, high].map(|elo| ANCHOR + elo);
                    row.extend([format!("{mean:.0}"), format!("{low:.0} … {high:.0}")]);
                }
            }
            match (side.ms_a_move, side.nodes_a_move) {
                (Some(ms), Some(nodes)) => {
                    let longest = format!("{:.1}", side.longest_ms);
                    row.extend([format!("{ms:.2}"), longest, format!("{nodes:.0}")]);
                }
                _ => row.extend([String::new(), String::new(), String::new()]),
            }
            row.push(side.forfeits.to_string());
            table.rows.push(row);
        }
        table
    }

    fn margins_table(&self, order: &[usize]) -> Table {
        let mut head = vec!["margin over"];
        head.extend(order.iter().map(|bot| self.labels[*bot].as_str()));
        let mut table = Table::new(&head, &vec![":---:"; order.len()]);
        for row in order {
            let cell = |column: &usize| {
                let result = self.result(*row, *column);
                result.map_or(String::new(), |(margin, score)| format!("{margin} ({score:.0} %)"))
            };
            let mut cells = vec![self.labels[*row].clone()];
            cells.extend(order.iter().map(cell));
            table.rows.push(cells);
        }
        table
    }

    /// The margins with the luck of the draws taken off, where that was asked for.
    fn adjusted_table(&self) -> Option<Table> {
        let head = ["pairing", "margin", "less luck", "variance", "luck"];
        let mut table = Table::new(&head, &["---:", "---:", "---:", "---:"]);
        for (a, b, summary) in &self.matches {
            let Some(luck) = summary.luck() else { continue };
            table.rows.push(vec![
                format!("{} - {}", self.labels[*a], self.labels[*b]),
                summary.tally().margin().to_string(),
                luck.margin.to_string(),
                format!("{:.0} %", 100.0 * luck.variance_ratio),
                luck.luck.to_string(),
            ]);
        }
        (!table.rows.is_empty()).then_some(table)
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
