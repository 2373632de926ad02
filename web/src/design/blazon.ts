// A coat of arms for every name: a division, two tinctures and a charge, always the same ones.

export interface Blazon {
  /** The colour of the whole shield. */
  field: string;
  /** What is drawn over it, and in which colour. */
  division: string;
  divided: string;
  /** The figure in the middle. */
  charge: string;
  charged: string;
  /** Where the charge stands and how large it is. */
  at: readonly [x: number, y: number, scale: number];
}

/** The outline of the shield on 44 × 50. */
export const SHIELD = "M3 3H41V24C41 36 32 43.5 22 47.5C12 43.5 3 36 3 24Z";

/** Deep colours; none is a player's, and bone reads well on all of them. */
const TINCTURES = ["#a8432f", "#33475e", "#5b3a6e", "#2f6b4f", "#8a6a1f", "#7a2f4f", "#44605f", "#6d4a33"] as const;
const METALS = ["#f3e7cd", "#e3b23c"] as const;

interface Division {
  path: string;
  at: readonly [number, number, number];
}

const DIVISIONS: readonly Division[] = [
  { path: "", at: [22, 24, 1.25] },
  { path: "M22 0H44V50H22Z", at: [22, 24, 1.15] },
  { path: "M0 24H44V50H0Z", at: [22, 13.5, 0.8] },
  { path: "M-2 40L22 20L46 40V54L22 34L-2 54Z", at: [22, 14, 0.72] },
  { path: "M0 0H44V12H0Z", at: [22, 29, 1.05] },
  { path: "M0 0L44 50H0Z", at: [22, 24, 1.1] },
  { path: "M22 0H44V24H22ZM0 24H22V50H0Z", at: [22, 24, 0.95] },
  { path: "M14.5 0H29.5V50H14.5Z", at: [22, 24, 0.9] },
];

/** Charges on about 20 × 20 around the origin. */
const CHARGES = [
  // tower, cross, star, drop, tree, crescent, rose of five, key
  "M-7 9V-3H-9V-9H-5V-6H-2V-9H2V-6H5V-9H9V-3H7V9H2.4V4A2.4 2.4 0 0 0-2.4 4V9Z",
  "M-2.6-9H2.6V-2.6H9V2.6H2.6V9H-2.6V2.6H-9V-2.6H-2.6Z",
  "M0-9.5L2.8-3.2 9.6-2.8 4.4 1.8 6 8.6 0 5 -6 8.6 -4.4 1.8 -9.6-2.8 -2.8-3.2Z",
  "M0-9.5C4-3 6.6-.4 6.6 3.4A6.6 6.6 0 0 1-6.6 3.4C-6.6-.4-4-3 0-9.5Z",
  "M0-10L6.6-1H3.6L8 5H1.8V9.5H-1.8V5H-8L-3.6-1H-6.6Z",
  "M4.5-8A8.6 8.6 0 1 0 4.5 8 6.8 6.8 0 1 1 4.5-8Z",
  "M0-9A3.6 3.6 0 0 1 3.4-4.2 3.6 3.6 0 0 1 8.6-2.6 3.6 3.6 0 0 1 5.2 2.4 3.6 3.6 0 0 1 4.6 8 3.6 3.6 0 0 1 0 5.4 3.6 3.6 0 0 1-4.6 8 3.6 3.6 0 0 1-5.2 2.4 3.6 3.6 0 0 1-8.6-2.6 3.6 3.6 0 0 1-3.4-4.2 3.6 3.6 0 0 1 0-9Z",
  "M-1.4-1.2A4.6 4.6 0 1 1 1.4-1.2V9.5H-1.4V8H-4.4V5.4H-1.4V3.6H-4V1.2H-1.4ZM0-7A1.8 1.8 0 1 0 0-3.4 1.8 1.8 0 0 0 0-7Z",
] as const;

/** Our bots sit at one table often: no two of them share a division, a field or a charge. */
const BOTS: Record<string, readonly [division: number, field: number, divided: number, charge: number, metal: number]> =
  {
    Shepherd: [3, 3, 4, 4, 0],
    Pilgrim: [0, 2, 2, 1, 1],
    Peddler: [2, 4, 7, 3, 0],
    Mason: [4, 0, 1, 0, 0],
    Steward: [7, 1, 3, 7, 1],
    Architect: [5, 6, 1, 5, 0],
    Abbess: [1, 5, 2, 6, 0],
    Master: [6, 7, 0, 2, 1],
  };

export function blazon(name: string): Blazon {
  const own = BOTS[name];
  if (own) {
    const [division, field, divided, charge, metal] = own;
    const { path, at } = DIVISIONS[division]!;
    return {
      field: TINCTURES[field]!,
      division: path,
      divided: TINCTURES[divided]!,
      charge: CHARGES[charge]!,
      charged: METALS[metal]!,
      at,
    };
  }
  const pick = chooser(name);
  const division = pick(DIVISIONS);
  const field = pick(TINCTURES);
  const divided = pick(TINCTURES.filter((tincture) => tincture !== field));
  return { field, division: division.path, divided, charge: pick(CHARGES), charged: pick(METALS), at: division.at };
}

/** Picks by the name's hash (FNV-1a, then stirred for each choice). */
function chooser(name: string): <T>(of: readonly T[]) => T {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return (of) => {
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    hash ^= hash >>> 12;
    return of[(hash >>> 0) % of.length]!;
  };
}
