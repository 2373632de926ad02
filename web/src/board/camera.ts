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
