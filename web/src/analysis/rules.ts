// Positions by the rules: the engine's module answers what lies on the board and what is legal. Each is asked for once.
import { Engine, type EngineView } from "../engine/client";

/** So many positions are kept; the one that was not looked at for longest goes first. */
const KEPT = 150;

export class Rules {
  #engine = new Engine();
  #views = new Map<string, Promise<EngineView>>();

  /** The start is that of the setup, or laid by hand (docs/notation.md). */
  constructor(readonly layout: string | null = null) {}

  view(record: string): Promise<EngineView> {
    const known = this.#views.get(record);
    this.#views.delete(record);
    const view = known ?? this.#engine.view(record, undefined, undefined, this.layout ?? undefined);
    this.#views.set(record, view);
    // What failed may be asked for again.
    if (!known) view.catch(() => this.#views.delete(record));
    const [oldest] = this.#views.keys();
    if (this.#views.size > KEPT && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }

  /** A position as a layout, to be changed by hand. */
  layoutAt(record: string): Promise<string> {
    return this.#engine.layout(record, undefined, this.layout ?? undefined);
  }

  close(): void {
    this.#engine.stop();
  }
}
