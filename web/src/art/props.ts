// What stands on the land: trees, houses, towers, each drawn upright with its foot at (0, 0).
import { ROOFS } from "./palette";
import { type Point, at } from "./points";

/** A thing at a point of the printed tile; it is turned with the tile and drawn upright. */
export interface Prop {
  symbol: string;
  at: Point;
  scale: number;
}

const TREES: Record<string, string> = {
  oak: `<ellipse cx="1.5" cy=".2" rx="4" ry="1.6" fill="#35521f" opacity=".28"/><path d="M-.5-2.4h1.1V.3h-1.1z" fill="#735a3b"/><circle cy="-4" r="3.2" fill="#5b8b44"/><circle cx="-1.9" cy="-3" r="2" fill="#5b8b44"/><circle cx="2" cy="-2.9" r="1.9" fill="#4e7c3a"/><circle cx="-.8" cy="-4.8" r="2" fill="#79a757"/><circle cx="-1.2" cy="-5.4" r="1" fill="#9ac476"/>`,
  cypress: `<ellipse cx="1.3" cy="0" rx="2.5" ry="1" fill="#35521f" opacity=".28"/><path d="M0-9.4C1.8-6.6 2-2.6 1.2 0H-1.2C-2-2.6-1.8-6.6 0-9.4Z" fill="#47724d"/><path d="M-.1-8.6C-1.3-6.2-1.5-3-1-.4L-.2-.4Z" fill="#699667"/>`,
  bush: `<ellipse cx=".6" cy=".1" rx="2" ry=".9" fill="#35521f" opacity=".22"/><circle r="1.5" cy="-1" fill="#6a984d"/><circle r=".8" cx="-.4" cy="-1.5" fill="#8fb76a"/>`,
  fruit: `<ellipse cx=".7" cy=".1" rx="2.2" ry=".9" fill="#35521f" opacity=".24"/><path d="M-.3-1.4h.7V.2h-.7z" fill="#735a3b"/><circle r="1.9" cy="-2.6" fill="#6f9e4e"/><circle r="1" cx="-.5" cy="-3.2" fill="#93bd6c"/><circle r=".4" cx=".8" cy="-2.2" fill="#d9694a"/><circle r=".4" cx="-.8" cy="-1.9" fill="#d9694a"/>`,
};

const ANIMALS: Record<string, string> = {
  sheep: `<ellipse cx=".5" cy="0" rx="2" ry=".7" fill="#35521f" opacity=".25"/><path d="M-1 0v-.9M.9 0v-.9" stroke="#4b4239" stroke-width=".5"/><ellipse cy="-1.5" rx="1.8" ry="1.2" fill="#f6f0e1"/><ellipse cx="-.4" cy="-1.9" rx="1.1" ry=".7" fill="#fffaf0"/><ellipse cx="1.9" cy="-1.9" rx=".7" ry=".6" fill="#4b4239"/>`,
  stack: `<ellipse cx=".9" cy="0" rx="2.5" ry=".9" fill="#35521f" opacity=".25"/><path d="M-2.1 0C-2.2-2.2-1-3.9 0-4.1 1-3.9 2.2-2.2 2.1 0Q0 .7-2.1 0Z" fill="#dfc069"/><path d="M.5-3.9C1.4-3.2 2.2-1.8 2.1 0Q1.5.3.8.3Z" fill="#c3a14d"/>`,
};

const WINDOW = "#7a6249";

function longHouse(light: string, shaded: string): string {
  return `<path d="M-4.3 .2H5L7.4-1.8V-4.4L4.6-3.6Z" fill="#4a2d1a" opacity=".22"/><path d="M-4.3-4H4.3V0H-4.3Z" fill="#f5e9cf"/><path d="M-4.3-.8H4.3V0H-4.3Z" fill="#dbc6a0"/><path d="M-2.9-2.7h1.2v1.3h-1.2zM1.9-2.7h1.2v1.3H1.9z" fill="${WINDOW}"/><path d="M-.6 0v-2.1h1.4V0z" fill="#82613f"/><path d="M-5.3-3.3L-3.6-8.2H3.6L5.3-3.3Z" fill="${light}"/><path d="M1.9-8.2H3.6L5.3-3.3H2.7Z" fill="${shaded}"/><path d="M-5.3-3.3H5.3" stroke="${shaded}" stroke-width=".7"/><path d="M-3.6-8.1H3.6" stroke="#fff" stroke-opacity=".38" stroke-width=".5"/><path d="M-4.3-5.6H2.3" stroke="${shaded}" stroke-opacity=".45" stroke-width=".4"/><path d="M-2.5-9.6h1.4v2.6h-1.4z" fill="#a07f62"/>`;
}

function gableHouse(light: string, shaded: string): string {
  return `<path d="M-3 .2H3.6L6.2-2V-5L3.2-3.8Z" fill="#4a2d1a" opacity=".22"/><path d="M-3-3.4L0-7.2L3-3.4V0H-3Z" fill="#f3e5c8"/><path d="M-3-.8H3V0H-3Z" fill="#dbc6a0"/><path d="M-.6-4.6h1.2v1.3H-.6z" fill="${WINDOW}"/><path d="M-.7 0v-2h1.4V0z" fill="#82613f"/><path d="M-3.9-2.5L0-7.7V-10.5L-3.9-5.4Z" fill="${light}"/><path d="M3.9-2.5L0-7.7V-10.5L3.9-5.4Z" fill="${shaded}"/><path d="M-3.9-2.5L0-7.7L3.9-2.5" fill="none" stroke="#fff" stroke-opacity=".3" stroke-width=".45"/>`;
}

const SLATE = ["#7289a0", "#566b81"] as const;

const BUILDINGS: Record<string, string> = {
  tower: `<path d="M-2.6 .3C-1 1.5 3 1.5 6.4-.2L5.4-2.4L2.4-2.6Z" fill="#3b2a1a" opacity=".24"/><path d="M-2.7-7H2.7V0Q0 1.4-2.7 0Z" fill="#e9dcc2"/><path d="M.6-7H2.7V0Q1.7.7.6.8Z" fill="#c0ae8e"/><path d="M-3.3-6.6L0-13.4L3.3-6.6Q0-5.3-3.3-6.6Z" fill="${SLATE[0]}"/><path d="M.3-12.7L3.3-6.6Q2-6 .5-5.9Z" fill="${SLATE[1]}"/><path d="M-.6-4h1.1v1.9H-.6z" fill="#67543f"/>`,
  church: `<path d="M-6 .3H7L11-2.6V-8L6-6Z" fill="#4a2d1a" opacity=".22"/><path d="M-5.8-5.4H3.4V0H-5.8Z" fill="#f7eeda"/><path d="M-5.8-.9H3.4V0H-5.8Z" fill="#dccba9"/><path d="M-6.8-4.9L-5.2-10.4H3V-4.9Z" fill="#b9644a"/><path d="M-6.8-4.9H3" stroke="#974a36" stroke-width=".8"/><path d="M-4.6-1.6v-1.6a.8.8 0 0 1 1.6 0v1.6zM-1.6-1.6v-1.6a.8.8 0 0 1 1.6 0v1.6z" fill="${WINDOW}"/><path d="M2-12.4H7V0H2Z" fill="#fcf6e7"/><path d="M4.9-12.4H7V0H4.9Z" fill="#dfceae"/><path d="M1.2-12L4.5-20.4L7.8-12Q4.5-10.9 1.2-12Z" fill="${SLATE[0]}"/><path d="M4.8-19.6L7.8-12Q6.3-11.5 5-11.4Z" fill="${SLATE[1]}"/><path d="M4.5-23V-19.8M3.2-21.8H5.8" stroke="#8a6a35" stroke-width=".7"/><path d="M3.7-7.6v-1.6a.8.8 0 0 1 1.6 0v1.6zM3.6 0v-2a.9.9 0 0 1 1.8 0V0z" fill="#67543f"/>`,
  well: `<ellipse cx=".8" cy=".2" rx="2.8" ry="1.2" fill="#4a2d1a" opacity=".2"/><ellipse rx="2.3" ry="1.4" cy="-.5" fill="#b7a382"/><ellipse rx="1.5" ry=".8" cy="-.8" fill="#55737f"/>`,
};

export const HOUSES: readonly string[] = ROOFS.flatMap((_, i) => [`long${i}`, `gable${i}`]);

const SYMBOLS: Record<string, string> = {
  ...TREES,
  ...ANIMALS,
  ...BUILDINGS,
  ...Object.fromEntries(
    ROOFS.flatMap(([light, shaded], i) => [
      [`long${i}`, longHouse(light, shaded)],
      [`gable${i}`, gableHouse(light, shaded)],
    ]),
  ),
};

/** The definitions of those symbols that the drawing uses. */
export function symbolsIn(drawing: string): string {
  const used = Object.keys(SYMBOLS).filter((name) => drawing.includes(`"#${name}"`));
  return used.map((name) => `<g id="${name}">${SYMBOLS[name]}</g>`).join("");
}

export function draw(symbol: string, point: Point, scale = 1): string {
  const grown = scale === 1 ? "" : ` scale(${scale.toFixed(2)})`;
  return `<use href="#${symbol}" transform="translate(${at(point)})${grown}"/>`;
}

/** Things nearer to the viewer are drawn over those behind. */
export function drawSorted(props: readonly Prop[]): string {
  const sorted = [...props].sort((a, b) => a.at[1] - b.at[1]);
  return sorted.map((prop) => draw(prop.symbol, prop.at, prop.scale)).join("");
}
