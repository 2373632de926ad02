// The camera over the table: where the view lies, and how it moves.
import type { Box } from "./cells";

/** A point of the table at (x, y) is seen at (x · zoom + left, y · zoom + top). */
export interface Camera {
  left: number;
  top: number;
  /** Screen pixels for a unit of the table; a tile is 100 units wide. */
  zoom: number;
}

export interface View {
  width: number;
  height: number;
  /** What panels cover on each side. */
  inset: Record<"top" | "right" | "bottom" | "left", number>;
}

export const LEAST_ZOOM = 0.12;
export const MOST_ZOOM = 3;
/** A small board is not blown up beyond this when it is fitted. */
const MOST_FITTED = 1.1;
/** At least this much of the board stays in view, in pixels. */
const ALWAYS_SEEN = 80;

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The view of a whole box, with a part of a tile around it. */
export function fit(box: Box, view: View, around = 100): Camera {
  const [width, height] = [box.right - box.left + 2 * around, box.bottom - box.top + 2 * around];
  const [roomWide, roomHigh] = [
    Math.max(1, view.width - view.inset.left - view.inset.right),
    Math.max(1, view.height - view.inset.top - view.inset.bottom),
  ];
  const zoom = clamp(Math.min(roomWide / width, roomHigh / height), LEAST_ZOOM, MOST_FITTED);
  return {
    zoom,
    left: view.inset.left + roomWide / 2 - ((box.left + box.right) / 2) * zoom,
    top: view.inset.top + roomHigh / 2 - ((box.top + box.bottom) / 2) * zoom,
  };
}

/** A length in whole pixels of the screen: what is moved by whole pixels need not be painted between them. */
export const whole = (length: number): number => Math.round(length * devicePixelRatio) / devicePixelRatio;

/** Where a box of the table is seen. */
export function onScreen(box: Box, { left, top, zoom }: Camera): Box {
  return {
    left: box.left * zoom + left,
    top: box.top * zoom + top,
    right: box.right * zoom + left,
    bottom: box.bottom * zoom + top,
  };
}

/** How much of a box another one covers. */
export function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** The insets that keep clear of everything that lies over the view at its top and at its foot. */
export function clearInset({ height, inset }: View, covers: readonly Box[], top = true, foot = true): View["inset"] {
  const upper = covers.filter((cover) => cover.bottom < height / 2).map((cover) => cover.bottom + 6);
  const lower = covers.filter((cover) => cover.bottom >= height / 2).map((cover) => height - cover.top + 6);
  return {
    ...inset,
    top: Math.max(inset.top, ...(top ? upper : [])),
    bottom: Math.max(inset.bottom, ...(foot ? lower : [])),
  };
}

/** The largest view of a whole box in which none of the cells lies under what covers the view. */
export function fitClear(box: Box, view: View, cells: readonly Box[], covers: readonly Box[]): Camera {
  const tries = [false, true].flatMap((top) =>
    [false, true].map((foot) => fit(box, { ...view, inset: clearInset(view, covers, top, foot) })),
  );
  const clear = (camera: Camera) =>
    cells.every((cell) => covers.every((cover) => overlap(onScreen(cell, camera), cover) === 0));
  return tries.filter(clear).sort((a, b) => b.zoom - a.zoom)[0] ?? tries[3]!;
}

/** Zooms so that what lies under a point of the screen stays there. */
export function zoomAt(camera: Camera, x: number, y: number, factor: number): Camera {
  const zoom = clamp(camera.zoom * factor, LEAST_ZOOM, MOST_ZOOM);
  const grown = zoom / camera.zoom;
  return { zoom, left: x - (x - camera.left) * grown, top: y - (y - camera.top) * grown };
}

export function panBy(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, left: camera.left + dx, top: camera.top + dy };
}

/** Brings a point of the table to the middle of what is free of panels. */
export function centreOn(camera: Camera, view: View, x: number, y: number): Camera {
  const middleX = (view.width + view.inset.left - view.inset.right) / 2;
  const middleY = (view.height + view.inset.top - view.inset.bottom) / 2;
  return { ...camera, left: middleX - x * camera.zoom, top: middleY - y * camera.zoom };
}

/** The view of a part of a box that is too large for it: as near to a point as leaves no idle margin. */
export function fitPart(box: Box, view: View, zoom: number, x: number, y: number, around = 100): Camera {
  const { left, top } = centreOn({ left: 0, top: 0, zoom }, view, x, y);
  const within = (at: number, low: number, high: number, from: number, to: number) => {
    const [most, least] = [from - (low - around) * zoom, to - (high + around) * zoom];
    return least > most ? (least + most) / 2 : clamp(at, least, most);
  };
  return {
    zoom,
    left: within(left, box.left, box.right, view.inset.left, view.width - view.inset.right),
    top: within(top, box.top, box.bottom, view.inset.top, view.height - view.inset.bottom),
  };
}

/** Keeps a piece of the board in view, so that nobody gets lost. */
export function keepInView(camera: Camera, box: Box, view: View): Camera {
  const { zoom } = camera;
  return {
    zoom,
    left: clamp(camera.left, ALWAYS_SEEN - box.right * zoom, view.width - ALWAYS_SEEN - box.left * zoom),
    top: clamp(camera.top, ALWAYS_SEEN - box.bottom * zoom, view.height - ALWAYS_SEEN - box.top * zoom),
  };
}

/** Two fingers moved: the table follows their middle and their distance. */
export function pinch(
  camera: Camera,
  before: { x: number; y: number; spread: number },
  after: { x: number; y: number; spread: number },
): Camera {
  const moved = panBy(camera, after.x - before.x, after.y - before.y);
  return before.spread === 0 ? moved : zoomAt(moved, after.x, after.y, after.spread / before.spread);
}
