// The picture of a tile as SVG: the ground is turned, everything that stands is drawn upright.
import { LAND } from "./palette";
import { drawMeadow } from "./meadow";
import { type Rotation, turn } from "./points";
import { type Prop, drawSorted, symbolsIn } from "./props";
import { randomFrom } from "./random";
import { tileShape } from "./shape";
import { drawCity, drawGate, drawPennant, pennantPoints } from "./town";
import { drawMonastery, drawRoads, drawVillage } from "./ways";

const GRADIENTS = [
  ["light", LAND.grassLight, 0.9],
  ["dark", LAND.grassDark, 0.85],
  ["paving", LAND.pavingLight, 1],
]
  .map(
    ([id, colour, strength]) =>
      `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`,
  )
  .join("");

/** A light hairline at the top left and a dark one at the bottom right: the grid, kept quiet. */
const EDGE =
  `<path d="M.4 100V.4H100" fill="none" stroke="#fffbe8" stroke-opacity=".3" stroke-width=".8"/>` +
  `<path d="M0 99.6H99.6V0" fill="none" stroke="#33401c" stroke-opacity=".22" stroke-width=".8"/>`;

/** Each kind is drawn in so many ways: what is built stays, what grows and stands about differs. */
export const VARIANTS = 3;

export function tileSvg(kind: string, rotation: Rotation, variant = 0): string {
  const shape = tileShape(kind);
  const random = randomFrom(`${kind} land${variant === 0 ? "" : ` ${variant}`}`);
  const props: Prop[] = [];
  let drawing = drawMeadow(shape, rotation, random, props);
  const { more } = shape;
  if (more) drawing += more.ground(rotation);
  drawing += drawRoads(shape.roads, rotation);
  if (more) drawing += more.ways(rotation);
  for (const city of shape.cities) drawing += drawCity(shape, city, rotation, random, props);
  if (shape.village) drawing += drawVillage(turn(shape.village, rotation));
  if (shape.monastery) drawing += drawMonastery(turn(shape.monastery, rotation));
  if (more) drawing += more.buildings(rotation);
  for (const wall of shape.cities.flatMap((city) => city.walls)) {
    if (wall.gate) drawing += drawGate(wall.gate, rotation, props);
  }
  drawing += drawSorted(props.map((prop) => ({ ...prop, at: turn(prop.at, rotation) })));
  for (const city of shape.cities) {
    for (const point of pennantPoints(city)) drawing += drawPennant(turn(point, rotation));
  }
  if (more) drawing += more.signs(rotation);
  const defs = `<defs>${GRADIENTS}${symbolsIn(drawing)}</defs>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="256" height="256">${defs}${drawing}${EDGE}</svg>`;
}
