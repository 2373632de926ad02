//! Seats that no longer play: who gave up or ran out of time, in the order in which they went.

use crate::wire::Reason;

/// By seat, why and when it went out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::play::table) struct Dropouts(Vec<Option<Dropout>>);

/// A seat that no longer plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::play::table) struct Dropout {
    pub(in crate::play::table) reason: Reason,
    /// How many were out before.
    order: usize,
}

impl Dropouts {
    /// All seats play.
    pub(in crate::play::table) fn none(seats: usize) -> Self {
        Self(vec![None; seats])
    }

    /// A seat no longer plays; one that is out already stays as it was. `false` if there is no such
    /// seat.
    pub(in crate::play::table) fn put_out(&mut self, seat: usize, reason: Reason) -> bool {
        let order = self.0.iter().flatten().count();
        let Some(out) = self.0.get_mut(seat) else { return false };
        out.get_or_insert(Dropout { reason, order });
        true
    }

    pub(in crate::play::table) fn get(&self, seat: usize) -> Option<Dropout> {
        self.0.get(seat).copied().flatten()
    }

    /// How many seats play.
    pub(in crate::play::table) fn playing(&self) -> usize {
        self.0.iter().filter(|out| out.is_none()).count()
    }

    /// The seats that are out here and were not before.
    pub(in crate::play::table) fn since<'a>(
        &'a self,
        before: &'a Self,
    ) -> impl Iterator<Item = (usize, Dropout)> + 'a {
        let new = move |seat: &usize| before.get(*seat).is_none();
        (0..self.0.len()).filter(new).filter_map(move |seat| Some((seat, self.get(seat)?)))
    }

    /// The places of the seats with these scores, from 1: seats that are out come last, the first to
    /// go at the very end.
    pub(in crate::play::table) fn places(&self, scores: &[i32]) -> Vec<usize> {
        let better = |seat: usize| match self.get(seat) {
            None => (0..scores.len())
                .filter(|other| self.get(*other).is_none() && scores[*other] > scores[seat])
                .count(),
            Some(out) => {
                let later = self.0.iter().flatten().filter(|other| other.order > out.order);
                self.playing() + later.count()
            }
        };
        (0..scores.len()).map(|seat| better(seat) + 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_that_are_out_come_last_in_the_order_in_which_they_went() {
        let mut dropouts = Dropouts::none(5);
        assert!(dropouts.put_out(1, Reason::Resign) && dropouts.put_out(3, Reason::Time));
        assert_eq!(dropouts.places(&[50, 90, 10, 70, 50]), [1, 5, 3, 4, 1]);
        assert_eq!(dropouts.playing(), 3);
    }

    #[test]
    fn a_seat_goes_once_and_only_where_there_is_one() {
        let mut dropouts = Dropouts::none(2);
        dropouts.put_out(0, Reason::Resign);
        let before = dropouts.clone();
        assert!(dropouts.put_out(0, Reason::Time) && !dropouts.put_out(2, Reason::Time));
        assert_eq!(dropouts, before);
        dropouts.put_out(1, Reason::Time);
        let new: Vec<usize> = dropouts.since(&before).map(|(seat, _)| seat).collect();
        assert_eq!(new, [1]);
    }
}
