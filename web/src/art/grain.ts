// A quiet grain for the whole board: one picture in the table's own place, so that light and dark
// patches run on across the edges of tiles.
import { randomFrom } from "./random";

const WIDTH = 512;

let address: Promise<string> | null = null;

/** The address of the grain's picture, 512 × 512 and seamless; drawn once. */
export function grainUrl(): Promise<string> {
  return (address ??= drawGrain());
}

async function drawGrain(): Promise<string> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = WIDTH;
  const context = canvas.getContext("2d");
  if (!context) return "";
  const picture = context.createImageData(WIDTH, WIDTH);
  const random = randomFrom("grain");
  const [patches, spots] = [smoothNoise(8, random), smoothNoise(64, random)];
  for (let i = 0; i < WIDTH * WIDTH; i++) {
    const tone = 0.62 * patches[i]! + 0.26 * spots[i]! + 0.12 * (random() * 2 - 1);
    const light = tone > 0;
    picture.data.set(light ? [255, 250, 220] : [46, 52, 20], 4 * i);
    picture.data[4 * i + 3] = Math.min(1, Math.abs(tone)) * (light ? 52 : 60);
  }
  context.putImageData(picture, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  return blob ? URL.createObjectURL(blob) : "";
}

/** Noise from -1 to 1 over `cells` × `cells` knots, blended smoothly and without a seam. */
function smoothNoise(cells: number, random: () => number): Float32Array {
  const knots = Float32Array.from({ length: cells * cells }, () => random() * 2 - 1);
  const knot = (x: number, y: number) => knots[(y % cells) * cells + (x % cells)]!;
  const ease = (t: number) => t * t * (3 - 2 * t);
  const noise = new Float32Array(WIDTH * WIDTH);
  for (let y = 0; y < WIDTH; y++) {
    const [row, v] = split(y, cells);
    for (let x = 0; x < WIDTH; x++) {
      const [column, u] = split(x, cells);
      const [s, t] = [ease(u), ease(v)];
      const upper = knot(column, row) * (1 - s) + knot(column + 1, row) * s;
      const lower = knot(column, row + 1) * (1 - s) + knot(column + 1, row + 1) * s;
      noise[y * WIDTH + x] = upper * (1 - t) + lower * t;
    }
  }
  return noise;
}

function split(at: number, cells: number): [knot: number, part: number] {
  const place = (at * cells) / WIDTH;
  return [Math.floor(place), place - Math.floor(place)];
}
