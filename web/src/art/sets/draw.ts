// How water, bridges, gardens, inns, cathedrals and goods look. The light comes from the top left here too.
import type { GoodName } from "../../wire/GoodName";
import { LAND } from "../palette";
import { CENTRE, type Point, type Rotation, at, cubicAt, curvePath, mix, short, turn, turnCubic } from "../points";
import { draw } from "../props";
import { type CityShape, MIDDLES, type MoreShape, type TileShape } from "../shape";
import type { PrintedTile } from "../table";
import { drawRoads } from "../ways";
import { type Bridge, RIVER_HALF, type River } from "./river";

const WATER = { bank: "#c9bb86", damp: "#9d9a66", deep: "#5b93ad", water: "#7db3ca", light: "#c3e0ea" } as const;

export interface Details {
  kind: string;
  tile: PrintedTile;
  shape: TileShape;
  river: River | null;
  garden: Point | null;
  inn: Point | null;
  bridges: Bridge[];
  /** Where the second road goes over the first. */
  crossing: Bridge[];
}

type Drawn = Pick<MoreShape, "ground" | "ways" | "buildings" | "signs">;

export function drawMore({ tile, shape, river, garden, inn, bridges, crossing }: Details): Drawn {
  return {
    ground: (rotation) => (river ? drawRiver(river, rotation) : ""),
    ways: (rotation) =>
      (crossing.length > 0 ? shadowOf(crossing[0]!, rotation) + drawRoads(shape.roads.slice(1), rotation) : "") +
      [...bridges, ...crossing].map((bridge) => drawBridge(bridge, rotation)).join(""),
    buildings: (rotation) =>
      (garden ? drawGarden(turn(garden, rotation)) : "") + (inn ? drawInn(turn(inn, rotation)) : ""),
    signs: (rotation) =>
      shape.cities
        .map((city) => {
          const segment = tile.segments.find(({ name }) => name === city.name)!;
          const cathedral = segment.special ? CATHEDRAL : "";
          return cathedral + (segment.good ? goodSign(segment.good, turn(goodPoint(city), rotation)) : "");
        })
        .join(""),
  };
}

const circle = ([x, y]: Point, r: number, fill: string, more = "") =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${fill}"${more}/>`;

function drawRiver({ curves, pond }: River, rotation: Rotation): string {
  const path = curves.map((curve) => curvePath(turnCubic(curve, rotation))).join("");
  const centre = pond && turn(pond.at, rotation);
  let drawing = "";
  // Each layer of river and pond together, so that no bank lies between them.
  for (const [colour, inset] of [
    [WATER.damp, -0.9],
    [WATER.bank, 0],
    [WATER.deep, 1.5],
    [WATER.water, 2.7],
  ] as const) {
    drawing += `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${2 * (RIVER_HALF - inset)}"/>`;
    if (centre) drawing += circle(centre, pond.radius - inset, colour);
  }
  const flow = (width: number, dashes: string, opacity: number) =>
    `<path d="${path}" fill="none" stroke="${WATER.light}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-dasharray="${dashes}" stroke-linecap="round"/>`;
  drawing += flow(5.2, "0.1 13 0.1 9", 0.28) + flow(1, "5 9 8 14", 0.85);
  if (centre) drawing += drawPond(centre, pond.radius);
  for (const [i, curve] of curves.entries()) drawing += growReeds(curve, rotation, i);
  return drawing;
}

function drawPond([x, y]: Point, radius: number): string {
  const ripples: [number, number, number][] = [
    [-0.42, -0.34, 0.3],
    [0.1, 0.02, 0.36],
    [-0.34, 0.4, 0.26],
    [0.32, -0.46, 0.2],
  ];
  const lines = ripples
    .map(
      ([dx, dy, half]) =>
        `M${at([x + (dx - half / 2) * radius, y + dy * radius])}q${short((half * radius) / 2)}-1.6 ${short(half * radius)} 0`,
    )
    .join("");
  let drawing = `<path d="${lines}" fill="none" stroke="${WATER.light}" stroke-width="1" stroke-linecap="round"/>`;
  if (radius < 15) {
    // The spring rises among stones.
    for (let i = 0; i < 9; i++) {
      const angle = 2.2 + i * 0.52;
      const stone: Point = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      const size = 1.9 + ((i * 7) % 5) * 0.32;
      drawing +=
        `<ellipse cx="${short(stone[0] + 0.5)}" cy="${short(stone[1] + 0.7)}" rx="${short(size)}" ry="${short(size * 0.8)}" fill="${LAND.shade}" opacity=".25"/>` +
        `<ellipse cx="${short(stone[0])}" cy="${short(stone[1])}" rx="${short(size)}" ry="${short(size * 0.8)}" fill="#b9b2a2"/>` +
        `<ellipse cx="${short(stone[0] - 0.4)}" cy="${short(stone[1] - 0.5)}" rx="${short(size * 0.55)}" ry="${short(size * 0.4)}" fill="#d8d2c4"/>`;
    }
    return drawing;
  }
  const pads: [number, number][] = [
    [-12, 8],
    [-9, 11],
    [12, -9],
    [9, 12],
  ];
  for (const [dx, dy] of pads)
    drawing += circle([x + dx, y + dy], 1.9, "#6f9e4e") + circle([x + dx + 0.5, y + dy - 0.5], 0.6, "#f4dbe2");
  // A boat at rest.
  drawing += `<g transform="translate(${at([x + 5, y - 3])})"><path d="M-6 .6Q0 3.4 6 .6L4.6 3.2Q0 5-4.6 3.2Z" fill="#7a5434"/><path d="M-6 .6Q0 3.4 6 .6Q0 1.4-6 .6Z" fill="#a97c50"/><path d="M0 1.6V-8" stroke="#5b4630" stroke-width=".8"/><path d="M.5-7.6L5-.4H.5Z" fill="#fdf6e5"/><path d="M-.4-6L-3.6-.4H-.4Z" fill="#e6d9bd"/></g>`;
  return drawing;
}

/** Reeds on the banks, the same at every rotation. */
function growReeds(curve: River["curves"][number], rotation: Rotation, seed: number): string {
  let reeds = "";
  for (const [t, side] of [
    [0.3, 1],
    [0.42, -1],
    [0.72, seed % 2 ? 1 : -1],
  ] as const) {
    const [[ax, ay], [bx, by]] = [cubicAt(curve, t - 0.02), cubicAt(curve, t + 0.02)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const away = side * (RIVER_HALF - 0.6);
    const [x, y] = turn(
      [(ax + bx) / 2 - ((by - ay) / length) * away, (ay + by) / 2 + ((bx - ax) / length) * away],
      rotation,
    );
    reeds += `M${at([x, y])}v-3.4M${at([x + 1.1, y + 0.3])}l.5-2.7M${at([x - 1.1, y + 0.3])}l-.6-2.5`;
  }
  return `<path d="${reeds}" stroke="#6f8f45" stroke-width=".75" stroke-linecap="round" fill="none"/>`;
}

function ends({ at: [x, y], along: [dx, dy], half }: Bridge, rotation: Rotation, side: number): string {
  const end = (way: number) => at(turn([x + dx * way - dy * side, y + dy * way + dx * side], rotation));
  return `M${end(-half)}L${end(half)}`;
}

/** The dark under a bridge. */
function shadowOf(bridge: Bridge, rotation: Rotation): string {
  return `<path d="${ends(bridge, rotation, 0)}" stroke="${LAND.shade}" stroke-opacity=".28" stroke-width="15"/>`;
}

/** Two parapets of stone along the road, with a pillar at each end. */
function drawBridge(bridge: Bridge, rotation: Rotation): string {
  let drawing = "";
  for (const side of [-5.4, 5.4]) {
    const path = ends(bridge, rotation, side);
    drawing +=
      `<path d="${path}" stroke="${LAND.wallFace}" stroke-width="4" stroke-linecap="round"/>` +
      `<path d="${path}" stroke="${LAND.wall}" stroke-width="2.6" stroke-linecap="round"/>` +
      `<path d="${path}" stroke="${LAND.wallLight}" stroke-width="1" stroke-dasharray="1.8 1.3"/>`;
  }
  return drawing;
}

const BEDS: [dx: number, dy: number, colour: string][] = [
  [-4.5, -4.1, "#e9e2f2"],
  [4.5, -4.1, "#c65f86"],
  [-4.5, 4.3, "#e2ab43"],
  [4.5, 4.3, "#8a6bb4"],
];

/** Beds of flowers and herbs within a hedge, around a well. */
function drawGarden([x, y]: Point): string {
  const ring = `cx="${short(x)}" cy="${short(y)}" rx="11" ry="10.4"`;
  let drawing =
    `<ellipse cx="${short(x + 0.6)}" cy="${short(y + 1.5)}" rx="12" ry="11.2" fill="#4b6632" opacity=".4"/>` +
    `<ellipse ${ring} fill="#e3d4a6"/>` +
    `<ellipse ${ring} fill="none" stroke="#527d3a" stroke-width="3"/>` +
    `<ellipse cx="${short(x - 0.3)}" cy="${short(y - 0.5)}" rx="11" ry="10.4" fill="none" stroke="#86b062" stroke-width="1.7" stroke-dasharray="1.5 1.2"/>`;
  for (const [dx, dy, colour] of BEDS) {
    drawing += `<rect x="${short(x + dx - 2.8)}" y="${short(y + dy - 2.3)}" width="5.6" height="4.6" rx="1.2" fill="#6c9a4e"/>`;
    for (const [fx, fy] of [
      [-1.5, -0.9],
      [1.4, -0.7],
      [-0.2, 1],
    ] as const)
      drawing += circle([x + dx + fx, y + dy + fy], 0.95, colour);
  }
  return drawing + draw("well", [x, y + 0.9], 0.85);
}

/** An inn by its lake, with a red sign. */
function drawInn([x, y]: Point): string {
  return (
    `<g transform="translate(${at([x, y])})">` +
    `<ellipse cx="-1.6" cy="4.2" rx="9.4" ry="4.9" fill="${WATER.bank}"/><ellipse cx="-1.6" cy="4.3" rx="8.2" ry="4" fill="${WATER.deep}"/><ellipse cx="-1.6" cy="4.6" rx="7.4" ry="3.3" fill="${WATER.water}"/>` +
    `<path d="M-7 4.4q2-1.2 4 0M-2.4 6q2-1.1 3.6 0" stroke="${WATER.light}" stroke-width=".8" fill="none" stroke-linecap="round"/>` +
    `<path d="M-5.2 1.6H6.4L9.4-1V-6L6-4.6Z" fill="#4a2d1a" opacity=".25"/>` +
    `<path d="M-5.4-5.6H5.4V1.4H-5.4Z" fill="#f8ecd2"/><path d="M-5.4.2H5.4V1.4H-5.4Z" fill="#d9c39b"/>` +
    `<path d="M-5.4-2.6H5.4M-3-5.6V1.4M3-5.6V1.4" stroke="#8b6340" stroke-width=".7"/>` +
    `<path d="M-1 1.4v-2.6a1 1 0 0 1 2 0v2.6z" fill="#6b4a2f"/><path d="M-4.8-1.4h1.2v1.2h-1.2zM3.6-1.4h1.2v1.2H3.6z" fill="#e9b44c"/>` +
    `<path d="M-6.8-4.8L-4.6-11H4.6L6.8-4.8Z" fill="#a8503a"/><path d="M2.4-11H4.6L6.8-4.8H3.4Z" fill="#86392a"/><path d="M-4.6-10.9H4.6" stroke="#fff" stroke-opacity=".4" stroke-width=".6"/>` +
    `<path d="M-2.9-13h1.7v3.4h-1.7z" fill="#a07f62"/>` +
    `<path d="M7 1.4V-9.8M7-9.2H11.6" stroke="#5b4630" stroke-width="1"/><path d="M7.9-8.4h4v3.8h-4z" fill="#fdf6e5"/><path d="M8.5-7.8h2.8v2.6H8.5z" fill="#c23b30"/></g>`
  );
}

/** Two towers before a high nave: it stands over every house, upright at every rotation. */
const CATHEDRAL = `<g transform="translate(50 74) scale(1.06)"><path d="M-19 1.4H22L32-6V-22L20-14Z" fill="#4a2d1a" opacity=".26"/><path d="M-17-26H17V0H-17Z" fill="#efe3c9"/><path d="M-19.4-24L-13-36H13L19.4-24Z" fill="#7289a0"/><path d="M4-36H13L19.4-24H8Z" fill="#566b81"/><path d="M-13-36H13" stroke="#fff" stroke-opacity=".45" stroke-width=".8"/><path d="M-6.4-30L0-39L6.4-30V0H-6.4Z" fill="#fbf4e3"/><path d="M1.6-36.8L6.4-30V0H1.6Z" fill="#e4d5b6"/><path d="M-7.4-29.4L0-39.8L7.4-29.4" fill="none" stroke="#b8a37c" stroke-width="1.1"/><circle cy="-22" r="4.4" fill="#b8a37c"/><circle cy="-22" r="3.6" fill="#3d5f8c"/><path d="M0-25.6V-18.4M-3.6-22H3.6M-2.5-24.5L2.5-19.5M2.5-24.5L-2.5-19.5" stroke="#e7c65e" stroke-width=".7"/><circle cy="-22" r="1.1" fill="#f5d978"/><path d="M-3.4 0V-8.6Q0-14 3.4-8.6V0Z" fill="#b8a37c"/><path d="M-2.5 0V-8Q0-12.2 2.5-8V0Z" fill="#5f4029"/><path d="M0-10V0" stroke="#7d5a3c" stroke-width=".5"/><path d="M-18.6-38H-8V0H-18.6Z" fill="#fdf7e8"/><path d="M-12-38H-8V0H-12Z" fill="#e2d3b4"/><path d="M-18.6-3H-8V0H-18.6ZM8-3H18.6V0H8Z" fill="#cdb991"/><path d="M8-38H18.6V-3H8Z" fill="#fbf3e1"/><path d="M14.4-38H18.6V-3H14.4Z" fill="#d9c8a6"/><path d="M-19.8-37.4L-13.3-56L-6.8-37.4Q-13.3-35.4-19.8-37.4Z" fill="#7289a0"/><path d="M-12.8-54.8L-6.8-37.4Q-9.6-36.5-12-36.3Z" fill="#566b81"/><path d="M6.8-37.4L13.3-56L19.8-37.4Q13.3-35.4 6.8-37.4Z" fill="#7289a0"/><path d="M13.8-54.8L19.8-37.4Q17-36.5 14.6-36.3Z" fill="#566b81"/><path d="M-13.3-61V-55M-15.4-58.8H-11.2M13.3-61V-55M11.2-58.8H15.4" stroke="#8a6a35" stroke-width="1.1"/><path d="M-15.4-28v-4.4a2 2 0 0 1 4 0V-28zM11.3-28v-4.4a2 2 0 0 1 4 0V-28zM-14.8-14v-6a1.4 1.4 0 0 1 2.8 0v6zM11.9-14v-6a1.4 1.4 0 0 1 2.8 0v6z" fill="#67543f"/></g>`;

const GROUNDS: Record<GoodName, string> = { wine: "#ecd3de", grain: "#f7e7b3", cloth: "#d3e0ee" };

/** A barrel, a sheaf, a bale: the signs of goods around (0, 0), in the cities and in players' rows. */
export const GOODS: Record<GoodName, string> = {
  wine: `<path d="M-3.3-4.8H3.3Q5.4 0 3.3 4.8H-3.3Q-5.4 0-3.3-4.8Z" fill="#93602f"/><path d="M.8-4.8H3.3Q5.4 0 3.3 4.8H.8Q2.6 0 .8-4.8Z" fill="#744820"/><path d="M-4-2.6H4M-4 2.6H4" stroke="#46342a" stroke-width="1.1"/><circle r="1.7" fill="#8c2f5c"/>`,
  grain: `<path d="M0 5.4V-4M-2.6 5L-1.2-4M2.6 5L1.2-4" stroke="#a57f26" stroke-width="1.1" fill="none"/><ellipse cy="-3.8" rx="1.4" ry="2.6" fill="#e0b13a"/><ellipse cx="-2.8" cy="-2.8" rx="1.3" ry="2.3" fill="#d39f2c" transform="rotate(-14 -2.8 -2.8)"/><ellipse cx="2.8" cy="-2.8" rx="1.3" ry="2.3" fill="#d39f2c" transform="rotate(14 2.8 -2.8)"/><path d="M-2.8 1.5Q0 2.7 2.8 1.5" stroke="#7d5a1d" stroke-width="1.4" fill="none"/>`,
  cloth: `<path d="M-5.2-2.9H3.2V4H-5.2Z" fill="#3c62a6"/><path d="M-5.2-2.9H3.2V-.8H-5.2Z" fill="#5f86c6"/><ellipse cx="3.2" cy=".55" rx="2.1" ry="3.45" fill="#86a6d6"/><ellipse cx="3.2" cy=".55" rx="1" ry="1.8" fill="#35558f"/><path d="M-3.2-2.9V4M-.7-2.9V4" stroke="#fff" stroke-opacity=".55" stroke-width=".7"/>`,
};

/** The sign as a token on its disc. */
export const goodToken = (good: GoodName): string =>
  `<circle r="8.2" fill="#fdf6e5"/><circle r="7" fill="${GROUNDS[good]}"/>${GOODS[good]}`;

/** Where goods are shown, clear of where a knight stands. */
export function goodPoint({ sides }: CityShape): Point {
  const places: Record<string, Point> = { NW: [19, 20], EW: [17, 44], NEW: [50, 18] };
  return places[sides] ?? mix(MIDDLES[sides[0]!]!, CENTRE, 0.11);
}

function goodSign(good: GoodName, point: Point): string {
  return `<g transform="translate(${at(point)}) scale(1.06)"><circle cx=".9" cy="1.2" r="8.3" fill="${LAND.shade}" opacity=".32"/>${goodToken(good)}</g>`;
}
