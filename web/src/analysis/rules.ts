// Positions by the rules: the engine's module answers what lies on the board and what is legal. Each is asked for once.
import { Engine, type EngineView } from "../engine/client";

/** So many positions are kept; the one that was not looked at for longest goes first. */
const KEPT = 150;

export class Rules {
  #engine = new Engine();
  #views = new Map<string, Promise<EngineView>>();

  /** The position after a record's moves; `layout` is one laid by hand that it begins with. */
  view(record: string, layout?: string): Promise<EngineView> {
    const asked = `${record}\n${layout ?? ""}`;
    const known = this.#views.get(asked);
    this.#views.delete(asked);
    const view = known ?? this.#engine.view(record, undefined, undefined, layout);
    this.#views.set(asked, view);
    // What failed may be asked for again.
    if (!known) view.catch(() => this.#views.delete(asked));
    const [oldest] = this.#views.keys();
    if (this.#views.size > KEPT && oldest !== undefined) this.#views.delete(oldest);
    return view;
  }

  /** A position as a layout, to be changed by hand. */
  layout(record: string, layout?: string): Promise<string> {
    return this.#engine.layout(record, undefined, layout);
  }

  close(): void {
    this.#engine.stop();
  }
}
