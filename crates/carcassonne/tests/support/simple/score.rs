//! Points: who owns a feature and what it is worth; goods.

use super::land::{Feature, Features};
use super::play::{Figure, Meeple, Simple};
use super::tiles::Terrain;

const GOODS: [&str; 3] = ["wine", "grain", "cloth"];

impl Simple {
    /// Everybody with the most meeples on the feature; a big one counts twice.
    pub(crate) fn owners(&self, feature: &Feature) -> Vec<usize> {
        let mut counts = vec![0; self.options.players];
        for meeple in self.standing(feature) {
            counts[meeple.player] += meeple.figure.weight();
        }
        let most = counts.iter().copied().max().filter(|most| *most > 0);
        (0..counts.len()).filter(|player| Some(counts[*player]) == most).collect()
    }

    fn standing(&self, feature: &Feature) -> impl Iterator<Item = &Meeple> {
        self.meeples.iter().filter(|meeple| feature.segments.contains(&meeple.segment))
    }

    /// Whose figures of this kind stand on the feature.
    pub(crate) fn figures_on(&self, feature: &Feature, figure: Figure) -> Vec<usize> {
        let mut seats: Vec<usize> = self
            .standing(feature)
            .filter(|meeple| meeple.figure == figure)
            .map(|meeple| meeple.player)
            .collect();
        seats.sort_unstable();
        seats
    }

    /// What the feature is worth now, finished or not, to somebody without a pig.
    pub(crate) fn worth(&self, features: &Features, feature: &Feature) -> i32 {
        let (tiles, pennants) = (feature.tiles.len() as i32, feature.pennants);
        let tiny = self.options.early_tiny_city && tiles == 2;
        match (feature.terrain, feature.finished()) {
            (Terrain::City | Terrain::Road, false) if feature.special => 0,
            (Terrain::City, true) if feature.special => 3 * tiles + 3 * pennants,
            (Terrain::City, true) if !tiny => 2 * tiles + 2 * pennants,
            (Terrain::City, _) => tiles + pennants,
            (Terrain::Road, true) if feature.special => 2 * tiles,
            (Terrain::Road, _) => tiles,
            (Terrain::Field, _) => 3 * features.finished_cities(feature) as i32,
            (Terrain::Monastery | Terrain::Garden, _) => 9 - feature.open as i32,
        }
    }

    /// What the feature is worth to one of its owners.
    fn worth_to(&self, owner: usize, features: &Features, feature: &Feature) -> i32 {
        let per_city = i32::from(self.figures_on(feature, Figure::Pig).contains(&owner));
        self.worth(features, feature) + per_city * features.finished_cities(feature) as i32
    }

    /// The scores if the game ended now.
    pub(crate) fn projected(&self, features: &Features) -> Vec<i32> {
        let mut scores = self.scores.clone();
        for feature in &features.all {
            for owner in self.owners(feature) {
                scores[owner] += self.worth_to(owner, features, feature);
            }
        }
        for (player, _, _) in self.most_goods() {
            scores[player] += 10;
        }
        scores
    }

    /// Who has the most tokens of which kind, and how many.
    fn most_goods(&self) -> Vec<(usize, usize, i32)> {
        let mut found = Vec::new();
        for good in 0..GOODS.len() {
            let most = self.goods.iter().map(|own| own[good]).max().unwrap_or(0);
            for (player, own) in self.goods.iter().enumerate() {
                if own[good] == most && most > 0 {
                    found.push((player, good, most));
                }
            }
        }
        found
    }

    pub(crate) fn score_goods(&mut self, events: &mut Vec<String>) {
        for (player, good, tokens) in self.most_goods() {
            self.scores[player] += 10;
            events.push(format!(
                "end_game_goods player {player}: +10 for {}: {tokens} tokens",
                GOODS[good]
            ));
        }
    }

    /// Who laid the last tile takes the goods of the cities it finished.
    pub(crate) fn take_goods(&mut self, events: &mut Vec<String>) {
        let features = self.land.features();
        let last = self.land.tiles.last().expect("a tile was just laid").cell;
        let done = |f: &&Feature| f.terrain == Terrain::City && f.finished();
        let mut taken = [0; 3];
        for city in features.all.iter().filter(done).filter(|city| city.tiles.contains(&last)) {
            for (all, tokens) in taken.iter_mut().zip(city.goods) {
                *all += tokens;
            }
        }
        let named = taken.iter().zip(GOODS).filter(|(tokens, _)| **tokens > 0);
        let named: Vec<String> = named.map(|(tokens, name)| format!("{tokens} {name}")).collect();
        if !named.is_empty() {
            events.push(format!("goods_taken player {}: {}", self.player, named.join(", ")));
        }
        for (own, tokens) in self.goods[self.player].iter_mut().zip(taken) {
            *own += tokens;
        }
    }

    /// The player takes the abbot back and scores where it stood.
    pub(crate) fn recall(&mut self, events: &mut Vec<String>) {
        let features = self.land.features();
        let abbot = |m: &&Meeple| m.player == self.player && m.figure == Figure::Abbot;
        let abbot = *self.meeples.iter().find(abbot).expect("the abbot is on the board");
        let feature = features.of(abbot.segment);
        self.give(&features, feature, "feature_scored", events);
        self.return_meeples(feature, events);
        events.push(format!("score_updated {}", self.scores_text()));
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
        for owner in &owners {
            let points = self.worth_to(*owner, features, feature);
            self.scores[*owner] += points;
            let (terrain, id) = (feature.terrain.name(), feature.id());
            let pig = self.figures_on(feature, Figure::Pig).contains(owner);
            let mut reason = explain(features, feature, pig);
            if owners.len() > 1 {
                let seats: Vec<String> = owners.iter().map(usize::to_string).collect();
                reason += &format!(", tied between players {}", seats.join(" and "));
            }
            out.push(format!("{name} player {owner}: +{points} for {terrain} {id}: {reason}"));
        }
    }

    fn return_meeples(&mut self, feature: &Feature, events: &mut Vec<String>) {
        let back: Vec<Meeple> = self.standing(feature).copied().collect();
        for meeple in back {
            let ((x, y), name) = self.land.segment(meeple.segment);
            events.push(format!(
                "meeple_returned player {}: {} from {x},{y} {name}",
                meeple.player,
                meeple.called()
            ));
        }
        self.meeples.retain(|meeple| !feature.segments.contains(&meeple.segment));
    }
}

fn explain(features: &Features, feature: &Feature, pig: bool) -> String {
    let state = if feature.finished() { "finished" } else { "unfinished" };
    let tiles = match feature.terrain {
        Terrain::Monastery | Terrain::Garden => 9 - feature.open,
        _ => feature.tiles.len(),
    };
    let tiles = if tiles == 1 { "1 tile".to_owned() } else { format!("{tiles} tiles") };
    let counted = match (feature.terrain, feature.pennants) {
        (Terrain::Field, _) => match features.finished_cities(feature) {
            1 => "1 finished city".to_owned(),
            cities => format!("{cities} finished cities"),
        },
        (_, 0) => format!("{tiles}, {state}"),
        (_, 1) => format!("{tiles} + 1 pennant, {state}"),
        (_, pennants) => format!("{tiles} + {pennants} pennants, {state}"),
    };
    match (feature.terrain, feature.special) {
        (Terrain::City, true) => counted + ", cathedral",
        (Terrain::Road, true) => counted + ", inn",
        _ if pig => counted + ", pig",
        _ => counted,
    }
}
