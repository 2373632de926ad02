// Pictures of tiles as image addresses: each (kind, rotation, variant) is drawn once, when it is needed, and kept.
//
// A drawing is ready at once but is drawn anew at every size; so a board that moves swaps each for
// a bitmap of it, made when there is time.
import type { Rotation } from "./points";
import { VARIANTS, tileSvg } from "./sprite";

/** Wide enough for a phone's closest view. */
const BITMAP_WIDTH = 384;

const drawings = new Map<string, string>();
const bitmaps = new Map<string, Promise<string>>();

/** Which drawing a cell `x,y` shows: neighbours never show the same, so that copies do not look stamped. */
export function variantOf(cell: string | undefined): number {
  const [x = 0, y = 0] = cell?.split(",").map(Number) ?? [];
  return (((x + 2 * y) % VARIANTS) + VARIANTS) % VARIANTS;
}

/** What a picture is kept under. */
export const spriteKey = (kind: string, rotation: Rotation, cell?: string): string =>
  `${kind}${rotation}${variantOf(cell)}`;

/** The address of a tile's drawing, on a cell or in the hand, for `<img src>` or a CSS background. */
export function spriteUrl(kind: string, rotation: Rotation, cell?: string): string {
  const key = spriteKey(kind, rotation, cell);
  let address = drawings.get(key);
  if (!address) {
    const drawing = new Blob([tileSvg(kind, rotation, variantOf(cell))], { type: "image/svg+xml" });
    drawings.set(key, (address = URL.createObjectURL(drawing)));
  }
  return address;
}

/** The address of a bitmap of the tile; that of its drawing if the browser cannot make one. */
export function bitmapUrl(kind: string, rotation: Rotation, cell?: string): Promise<string> {
  const key = spriteKey(kind, rotation, cell);
  let bitmap = bitmaps.get(key);
  if (!bitmap) bitmaps.set(key, (bitmap = queued(() => makeBitmap(spriteUrl(kind, rotation, cell)))));
  return bitmap;
}

let last: Promise<unknown> = Promise.resolve();

/** Bitmaps are made one after another, so that the page stays free for its player. */
function queued(make: () => Promise<string>): Promise<string> {
  const made = last.then(make);
  last = made;
  return made;
}

async function makeBitmap(drawing: string): Promise<string> {
  const picture = new Image(BITMAP_WIDTH, BITMAP_WIDTH);
  picture.src = drawing;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = BITMAP_WIDTH;
  try {
    await picture.decode();
    canvas.getContext("2d")?.drawImage(picture, 0, 0, BITMAP_WIDTH, BITMAP_WIDTH);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/webp", 0.92));
    if (!blob) return drawing;
    const address = URL.createObjectURL(blob);
    // Decoded before it is shown, so that the swap is not seen.
    picture.src = address;
    await picture.decode();
    return address;
  } catch {
    return drawing;
  }
}
