// A review made in this page, by the same engine as the server's: for one's own games, where the server is busy or away.
import { request } from "../api/request";
import type { Engine } from "../engine/client";
import type { Review } from "../wire/Review";
import type { ReviewLine } from "../wire/ReviewLine";

/** Reviews a game in the page. */
export interface ReviewHere {
  /** Loads what it takes while the server is there; nothing is reviewed yet. */
  prepare(): Promise<void>;
  review(told: (line: ReviewLine) => void): Promise<Review>;
  stop(): void;
}

/** The game is kept with the engine: what is not asked for now may not be had later. */
export function reviewHere(id: string): ReviewHere {
  let engine: Engine | undefined;
  let kept: string | undefined;
  const ready = async (): Promise<[Engine, string]> => {
    engine ??= new (await import("../engine/client")).Engine();
    kept ??= await request<string>("GET", `/api/games/${encodeURIComponent(id)}/record`);
    return [engine, kept];
  };
  return {
    async prepare() {
      const [engine, record] = await ready();
      await engine.prepare(record);
    },
    async review(told) {
      const [engine, record] = await ready();
      return engine.review(record, told);
    },
    stop: () => engine?.stop(),
  };
}
