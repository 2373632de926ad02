// Which colour and mark each seat is shown with: those of its place, unless the player here likes others.

const state = $state.raw({ seats: [0, 1, 2, 3, 4, 5] });

/** The place whose mark a seat has. */
export const markPlaceOf = (seat: number): number => state.seats[seat] ?? seat;

/** Two places change their marks; the same place twice puts everything back. */
export function changeMarks(one: number, other: number): void {
  const seats = [0, 1, 2, 3, 4, 5];
  [seats[one], seats[other]] = [other, one];
  state.seats = seats;
}
