// Pointers on the table: drag pans, two fingers pinch, the wheel zooms at the pointer.
import { type Camera, panBy, pinch, zoomAt } from "./camera";

export interface GestureHost {
  camera(): Camera;
  /** The view moves by hand. */
  move(camera: Camera): void;
  /** All fingers are up again. */
  rest(): void;
}

/** A finger that moves less than this taps. */
const TAP_SLACK = 6;
/** The wheel rests when it has not turned for so many milliseconds; then the view is painted sharp. */
const REST = 300;

/** Listens on the table's element; the answer stops listening. */
export function listenToGestures(element: HTMLElement, host: GestureHost): () => void {
  const fingers = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number } | null = null;
  let dragging = false;

  const local = (event: MouseEvent) => {
    const { left, top } = element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const centroid = () => {
    const [a, b] = [...fingers.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  const down = (event: PointerEvent) => {
    const onControl = event.target instanceof Element && event.target.closest("[data-control]");
    if (onControl || (event.pointerType === "mouse" && event.button > 1)) return;
    fingers.set(event.pointerId, local(event));
    if (fingers.size === 1) [start, dragging] = [local(event), false];
    else dragging = true;
  };
  const moved = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    if (fingers.size === 2) {
      const old = centroid();
      fingers.set(event.pointerId, now);
      host.move(pinch(host.camera(), old, centroid()));
      return;
    }
    if (!dragging && start && Math.hypot(now.x - start.x, now.y - start.y) < TAP_SLACK) return;
    if (!dragging) {
      dragging = true;
      // Only a drag takes the pointer: a tap must reach the spot under it.
      element.setPointerCapture(event.pointerId);
    }
    fingers.set(event.pointerId, now);
    host.move(panBy(host.camera(), now.x - before.x, now.y - before.y));
  };
  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
    start = null;
    host.rest();
  };
  // A drag that ends over a spot is no tap on it.
  const click = (event: MouseEvent) => {
    if (!dragging) return;
    dragging = false;
    event.stopPropagation();
    event.preventDefault();
  };
  let resting: ReturnType<typeof setTimeout> | undefined;
  const wheel = (event: WheelEvent) => {
    if (event.target instanceof Element && event.target.closest("[data-control]")) return;
    event.preventDefault();
    const { x, y } = local(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    host.move(zoomAt(host.camera(), x, y, Math.exp(-event.deltaY * lines * 0.0016)));
    // Counted from the frame that shows it: a slow machine must not rest between two turns of the wheel.
    requestAnimationFrame(() => {
      clearTimeout(resting);
      resting = setTimeout(host.rest, REST);
    });
  };

  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", moved);
  element.addEventListener("pointerup", up);
  element.addEventListener("pointercancel", up);
  element.addEventListener("click", click, true);
  element.addEventListener("wheel", wheel, { passive: false });
  // Whoever drives the page, as its tests do, sees that the board can be moved.
  element.dataset["movable"] = "";
  return () => {
    delete element.dataset["movable"];
    clearTimeout(resting);
    element.removeEventListener("pointerdown", down);
    element.removeEventListener("pointermove", moved);
    element.removeEventListener("pointerup", up);
    element.removeEventListener("pointercancel", up);
    element.removeEventListener("click", click, true);
    element.removeEventListener("wheel", wheel);
  };
}
