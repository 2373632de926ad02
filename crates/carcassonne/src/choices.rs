//! Which figures may be put where after a placement.

use crate::edition::Edition;
use crate::event::FeatureId;
use crate::figure::Figure;
use crate::game::Position;
use crate::meeples::Standing;
use crate::moves::Move;
use crate::segment::Segment;
use crate::setup::Options;
use crate::tile::Terrain;

impl<E: Edition> Position<E> {
    /// Tells `each` every move that is legal after a placement.
    #[inline]
    pub(crate) fn for_each_choice(&self, mut each: impl FnMut(Move)) {
        self.for_each_spot(|_, segment, _| each(Move::meeple(segment)));
        if E::EXPANDED {
            self.for_each_figure(&mut each);
        }
        each(Move::PASS);
    }

    /// Tells `each` the place, name and feature of every segment of the last tile where a meeple
    /// may be put now.
    #[inline]
    pub(crate) fn for_each_spot(&self, mut each: impl FnMut(u8, Segment, FeatureId)) {
        if self.meeples.supply(self.player) > 0 {
            self.for_each_unclaimed(|place, segment, feature| {
                if !E::EXPANDED || segment != Segment::GARDEN {
                    each(place, segment, feature);
                }
            });
        }
    }

    /// Tells `each` every segment of the last tile on whose feature no meeple stands.
    #[inline]
    fn for_each_unclaimed(&self, mut each: impl FnMut(u8, Segment, FeatureId)) {
        let (kind, first) = self.last_kind();
        let fields = if self.setup.rules().farmers { 0 } else { kind.fields };
        for place in 0..kind.segments {
            let feature = self.features.find(first + u16::from(place));
            if !self.features.record(feature).claimed() && fields >> place & 1 == 0 {
                each(place, kind.names[place as usize & 7], feature);
            }
        }
    }

    /// Tells `each` every move with a figure that is no meeple.
    fn for_each_figure(&self, mut each: impl FnMut(Move)) {
        let player = self.player;
        let has = |figure| self.meeples.has(player, figure);
        let (big, abbot) = (has(Figure::Big), has(Figure::Abbot));
        self.for_each_unclaimed(|_, segment, _| {
            let terrain = segment.terrain();
            if big && terrain != Terrain::Garden {
                each(Move::figure(Figure::Big, segment));
            }
            if abbot && matches!(terrain, Terrain::Monastery | Terrain::Garden) {
                each(Move::figure(Figure::Abbot, segment));
            }
        });
        let (builder, pig) = (has(Figure::Builder), has(Figure::Pig));
        if builder || pig {
            let (kind, first) = self.last_kind();
            for place in 0..kind.segments {
                let segment = kind.names[place as usize & 7];
                let record = self.features.record(self.features.find(first + u16::from(place)));
                let figure = match segment.terrain() {
                    Terrain::City | Terrain::Road if builder && record.open() > 0 => {
                        Figure::Builder
                    }
                    Terrain::Field if pig => Figure::Pig,
                    _ => continue,
                };
                if record.meeples(player) > 0 {
                    each(Move::figure(figure, segment));
                }
            }
        }
        if self.may_recall() {
            each(Move::RECALL);
        }
    }

    /// Whether the player's abbot stands where it can be taken back: what this tile finishes is
    /// scored as finished instead.
    fn may_recall(&self) -> bool {
        let abbot = self.meeples.get(self.player, Figure::Abbot).filter(Standing::stands);
        let feature = abbot.map(|at| self.features.find(at.segment.into()));
        let monastery = feature.and_then(|feature| self.monasteries.get(feature));
        monastery.is_some_and(|monastery| monastery.neighbours < 8)
    }
}
