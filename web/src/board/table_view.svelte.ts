// The part of the table that is seen. It follows the growing board until a hand or a call moves it, keeps clear
// of what lies over the board, and comes close to a tile that is too small to choose on.
import { untrack } from "svelte";
import type { Dock } from "./beside";
import {
  type Camera,
  type View,
  centreOn,
  clearInset,
  fitClear,
  fitPart,
  keepInView,
  onScreen,
  overlap,
  zoomAt,
} from "./camera";
import { type Box, boxOf, neighbours, placeOf } from "./cells";
import type { BoardProps, StagedTurn } from "./types";

/** On a phone the tile comes as close as this, so that a meeple can be chosen by finger. */
const CLOSE_ZOOM = 1.6;
/** But not closer than leaves so much of the table to be seen, in its units: the tile between its neighbours. */
const BETWEEN = 230;
/** On a desk it comes closer only if it is smaller than this, and then to its plain size. */
const TINY_ZOOM = 0.5;
const PLAIN_ZOOM = 0.9;
/** Narrower views are phones: the tile comes close as soon as it is put down. */
const NARROW = 600;
/** On a phone spots stay large enough for a finger, even if not all of them are seen. */
const FINGER_ZOOM = 0.48;
/** So much of a narrow view the board's own buttons take in the meeple step, at its foot or at its side. */
const DOCKED = { foot: 190, side: 200 } as const;
/** At least so much of the table is seen beside them, in its units: the tile and a rim. */
const RIMMED = 124;
/** The strip of the coordinates at the top and left. */
const STRIP = 22;
/** So many milliseconds after the zoom changed last the table becomes a layer: after the glide, and after the first view. */
const AT_REST = 1000;

/** What the view goes by; each is asked when it is needed. */
export interface Shown {
  /** The cells with a tile. */
  occupied(): string[];
  /** The cells where the tile in hand can go. */
  cells(): string[];
  hasTurn(): boolean;
  last(): BoardProps["last"];
  staged(): StagedTurn | null;
  inset(): NonNullable<BoardProps["inset"]>;
  coordinates(): boolean;
  /** Whether the board shows the buttons of a turn itself. */
  pill(): boolean;
  /** What lies over the board, in pixels of the window. */
  covers(): Box[];
  /** Where the board's own buttons lie, at an edge of a narrow view. */
  docked(): { dock: Dock; box: Box } | null;
  frame(): DOMRect | undefined;
}

/** The box of a cell on the table. */
export function onTable(cell: string): Box {
  const { x, y } = placeOf(cell);
  return { left: x, top: y, right: x + 100, bottom: y + 100 };
}

export class TableView {
  width = $state(0);
  height = $state(0);
  camera = $state.raw<Camera>({ left: 0, top: 0, zoom: 1 });
  moving = $state(false);
  /** Whether the table is a layer of its own, which moves without being painted: made while nobody waits for it. */
  layered = $state(false);
  gliding = $state(false);
  /** A screen's pixel on the table, for what keeps its size on screen; it waits for a zoom to end. */
  px = $state(1);
  /** What lies over the board now; it is looked at when something else changes. */
  covered = $state.raw<Box[]>([]);
  /** What moved the view, which otherwise follows the growing board: a hand, or a call such as a hint's. */
  #moved = $state<"" | "hand" | "call">("");
  /** The first view is simply there, later ones are reached gliding. */
  #fitted = false;
  /** Where the view was before it came close for the meeple step. */
  #before: Camera | null = null;
  #seenTurn = "";
  #of: Shown;

  readonly narrow = $derived(this.width < NARROW);
  readonly #box = $derived.by(() => boxOf(this.#of.occupied()));
  /** Coordinates need a strip of their own; a phone has no room for it. */
  readonly labelled = $derived.by(() => this.#of.coordinates() && !this.narrow);
  readonly insets = $derived.by(() => {
    const { top = 0, left = 0, right = 0, bottom = 0 } = this.#of.inset();
    const strip = this.labelled ? STRIP : 0;
    return { top: top + strip, left: left + strip, right, bottom };
  });
  readonly #view = $derived.by<View>(() => ({ width: this.width, height: this.height, inset: this.insets }));
  /** The view without what lies over it, for what is marked at its edges. */
  readonly clear = $derived.by<View>(() => ({ ...this.#view, inset: clearInset(this.#view, this.covered) }));

  /** Call it while a component is set up. */
  constructor(of: Shown) {
    this.#of = of;
    $effect(() => {
      const px = 1 / this.camera.zoom;
      if (this.moving) return void (this.layered = true);
      // A layer would be stretched at another zoom: it is painted anew, and made again.
      if (px !== untrack(() => this.px)) this.layered = false;
      this.px = px;
      const timer = setTimeout(() => (this.layered = true), AT_REST);
      return () => clearTimeout(timer);
    });
  }

  /** Begins to follow the board; call it while a component is set up, after what ends a staged turn. */
  follow(): void {
    const of = this.#of;
    $effect(() => {
      void [this.width, this.height, of.cells(), of.last(), of.staged(), of.inset(), of.docked()];
      untrack(() => {
        this.look();
        // The choices of a figure may be higher than what stood there before.
        const staged = of.staged();
        if (this.narrow && staged) this.bringIntoView(staged.cell);
      });
    });
    // With a new turn or tile the view follows again, unless a hand moved it and it shows all that matters.
    $effect(() => {
      const last = of.last();
      const matters = last ? [...of.cells(), last.cell] : of.cells();
      const now = matters.join(" ");
      untrack(() => {
        const called = this.#moved === "call" && of.hasTurn();
        const isNew = this.#moved !== "" && now !== this.#seenTurn;
        if (isNew && (called || !matters.every((cell) => this.isSeen(cell)))) this.#moved = "";
        this.#seenTurn = now;
      });
    });
    // The view follows the board while nothing moved it.
    $effect(() => {
      const whole = this.#followed();
      if (this.width > 0 && this.#moved === "") untrack(() => !this.#before && this.#show(whole, this.#fitted));
      this.#fitted = this.width > 0;
    });
  }

  /** Looks again at what lies over the board. */
  look(): void {
    const frame = this.#of.frame();
    const now = frame
      ? this.#of.covers().map(({ left, top, right, bottom }) => ({
          left: left - frame.left,
          top: top - frame.top,
          right: right - frame.left,
          bottom: bottom - frame.top,
        }))
      : [];
    if (String(now.map(Object.values)) !== String(this.covered.map(Object.values))) this.covered = now;
  }

  fit(): void {
    [this.#before, this.#moved] = [null, ""];
    this.look();
    this.#show(this.#followed());
  }

  zoomBy(factor: number): void {
    this.#moved = "hand";
    this.#show(keepInView(zoomAt(this.camera, this.width / 2, this.height / 2, factor), this.#box, this.#view));
  }

  panTo(cell: string): void {
    if (this.isSeen(cell)) return;
    this.#moved = "call";
    this.#centre(cell);
  }

  /** A hand drags or pinches. */
  drag(next: Camera): void {
    [this.#moved, this.moving, this.gliding] = ["hand", true, false];
    this.camera = keepInView(next, this.#box, this.#view);
  }

  bringIntoView(cell: string): void {
    if (!this.isSeen(cell)) this.#centre(cell);
  }

  /** Comes close to a staged tile that is too small, and goes back once it is taken up or played. */
  comeClose(next: StagedTurn | null): void {
    const closeUp = next !== null && (next.step === "meeple" || this.narrow);
    const free = this.#free();
    const zoom = this.narrow ? this.#within(free, Math.min(CLOSE_ZOOM, this.width / BETWEEN)) : PLAIN_ZOOM;
    if (closeUp && this.camera.zoom < (this.narrow ? zoom : TINY_ZOOM)) {
      this.#before ??= this.camera;
      const { x, y } = placeOf(next.cell);
      this.#show(centreOn({ ...this.camera, zoom }, free, x + 50, y + 50));
    } else if (closeUp) {
      this.bringIntoView(next.cell);
    } else if (this.#before) {
      this.#show(this.#before);
      this.#before = null;
    }
  }

  /** Whether a cell is seen whole, with nothing over it. */
  isSeen(cell: string): boolean {
    const box = onScreen(onTable(cell), this.camera);
    const { top, right, bottom, left } = this.insets;
    const inside =
      box.left >= left && box.top >= top && box.right <= this.width - right && box.bottom <= this.height - bottom;
    const buttons = this.#of.docked();
    const covered = buttons ? [...this.covered, buttons.box] : this.covered;
    return inside && covered.every((cover) => overlap(box, cover) === 0);
  }

  /** The middle of the view, on the table. */
  middle(): readonly [x: number, y: number] {
    const { left, top, zoom } = this.camera;
    return [(this.width / 2 - left) / zoom, (this.height / 2 - top) / zoom];
  }

  /** The whole board; on a phone that is to move, the part around the last tile if that is too small. */
  #followed(): Camera {
    const of = this.#of;
    const whole = fitClear(this.#box, this.#view, neighbours(of.occupied()).map(onTable), this.covered);
    if (!this.narrow || !of.hasTurn() || whole.zoom >= FINGER_ZOOM) return whole;
    const { x, y } = placeOf(of.last()?.cell ?? "0,0");
    return fitPart(this.#box, this.clear, FINGER_ZOOM, x + 50, y + 50);
  }

  #centre(cell: string): void {
    const { x, y } = placeOf(cell);
    const free = this.#free();
    // A tile that is put down is seen whole beside the buttons.
    const zoom = this.narrow && this.#of.staged() ? this.#within(free, this.camera.zoom) : this.camera.zoom;
    this.#show(centreOn({ ...this.camera, zoom }, free, x + 50, y + 50));
  }

  /** The view without what lies over it and without the board's own buttons, while something is put down. */
  #free(): View {
    if (!this.narrow || !this.#of.pill() || !this.#of.staged()) return this.clear;
    const { inset } = this.clear;
    const { dock, box } = this.#of.docked() ?? { dock: "foot", box: null };
    const [right, bottom] = box ? [this.width - box.left, this.height - box.top] : [0, 0];
    return dock === "side"
      ? { ...this.clear, inset: { ...inset, right: Math.max(right, inset.right + DOCKED.side) } }
      : { ...this.clear, inset: { ...inset, bottom: Math.max(bottom, inset.bottom + DOCKED.foot) } };
  }

  /** At most this zoom, and no more than lets a tile be seen whole. */
  #within({ width, height, inset }: View, zoom: number): number {
    const room = Math.min(width - inset.left - inset.right, height - inset.top - inset.bottom);
    return Math.max(FINGER_ZOOM, Math.min(zoom, room / RIMMED));
  }

  #show(next: Camera, glide = true): void {
    this.gliding = glide;
    this.camera = next;
  }
}
