//! Points: who owns a feature and what it is worth.

use super::land::{Feature, Features};
use super::play::{Meeple, Simple};
use super::tiles::Terrain;

impl Simple {
    /// Everybody with the most meeples on the feature.
    pub(crate) fn owners(&self, feature: &Feature) -> Vec<usize> {
        let mut counts = vec![0; self.options.players];
        for meeple in self.standing(feature) {
            counts[meeple.player] += 1;
        }
        let most = counts.iter().copied().max().filter(|most| *most > 0);
        (0..counts.len()).filter(|player| Some(counts[*player]) == most).collect()
    }

    fn standing(&self, feature: &Feature) -> impl Iterator<Item = &Meeple> {
        self.meeples.iter().filter(|meeple| feature.segments.contains(&meeple.segment))
    }

    /// What the feature is worth now, finished or not.
    pub(crate) fn worth(&self, features: &Features, feature: &Feature) -> i32 {
        let (tiles, pennants) = (feature.tiles.len() as i32, feature.pennants);
        let tiny = self.options.early_tiny_city && tiles == 2;
        match feature.terrain {
            Terrain::City if feature.finished() && !tiny => 2 * tiles + 2 * pennants,
            Terrain::City => tiles + pennants,
            Terrain::Road => tiles,
            Terrain::Field => 3 * features.finished_cities(feature) as i32,
            Terrain::Monastery => 9 - feature.open as i32,
        }
    }

    /// The scores if the game ended now.
    pub(crate) fn projected(&self, features: &Features) -> Vec<i32> {
        let mut scores = self.scores.clone();
        for feature in &features.all {
            for owner in self.owners(feature) {
                scores[owner] += self.worth(features, feature);
            }
        }
        scores
    }

    /// Scores everything finished on which meeples stand, and returns them.
    pub(crate) fn score_finished(&mut self, events: &mut Vec<String>) {
        let features = self.land.features();
        let mut scored = false;
        for feature in features.all.iter().filter(|feature| feature.finished()) {
            if self.standing(feature).next().is_some() {
                self.give(&features, feature, "feature_scored", events);
                self.return_meeples(feature, events);
                scored = true;
            }
        }
        if scored {
            events.push(format!("score_updated {}", self.scores_text()));
        }
    }

    /// Scores everything on which meeples still stand. They stay.
    pub(crate) fn score_standing(&mut self, events: &mut Vec<String>) {
        let features = self.land.features();
        for feature in &features.all {
            self.give(&features, feature, "end_game_points", events);
        }
    }

    fn give(&mut self, features: &Features, feature: &Feature, name: &str, out: &mut Vec<String>) {
        let owners = self.owners(feature);
        let points = self.worth(features, feature);
        for owner in &owners {
            self.scores[*owner] += points;
            let (terrain, id) = (feature.terrain.name(), feature.id());
            let mut reason = explain(features, feature);
            if owners.len() > 1 {
                let seats: Vec<String> = owners.iter().map(usize::to_string).collect();
                reason += &format!(", tied between players {}", seats.join(" and "));
            }
            out.push(format!("{name} player {owner}: +{points} for {terrain} {id}: {reason}"));
        }
    }

    fn return_meeples(&mut self, feature: &Feature, events: &mut Vec<String>) {
        let back: Vec<Meeple> = self.standing(feature).copied().collect();
        for Meeple { player, number, segment } in back {
            let ((x, y), name) = self.land.segment(segment);
            events.push(format!(
                "meeple_returned player {player}: meeple {number} from {x},{y} {name}"
            ));
        }
        self.meeples.retain(|meeple| !feature.segments.contains(&meeple.segment));
    }
}

fn explain(features: &Features, feature: &Feature) -> String {
    let state = if feature.finished() { "finished" } else { "unfinished" };
    let tiles = match feature.terrain {
        Terrain::Monastery => 9 - feature.open,
        _ => feature.tiles.len(),
    };
    let tiles = if tiles == 1 { "1 tile".to_owned() } else { format!("{tiles} tiles") };
    match (feature.terrain, feature.pennants) {
        (Terrain::Field, _) => match features.finished_cities(feature) {
            1 => "1 finished city".to_owned(),
            cities => format!("{cities} finished cities"),
        },
        (_, 0) => format!("{tiles}, {state}"),
        (_, 1) => format!("{tiles} + 1 pennant, {state}"),
        (_, pennants) => format!("{tiles} + {pennants} pennants, {state}"),
    }
}
