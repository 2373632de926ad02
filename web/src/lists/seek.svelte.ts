// Quick match: a search for an opponent that lasts while the page is open.
import { get, post, request } from "../api/request";
import { sayTrouble } from "../design/toasts.svelte";
import { go } from "../router/router.svelte";
import { someone } from "../session/session.svelte";
import type { NewSeek } from "../wire/NewSeek";
import type { Seek } from "../wire/Seek";
import { nonce } from "./games";

/** The server forgets a search that it has not heard of for twelve seconds. */
const ASK_EVERY = 1500;

export class Search {
  /** How it stands; nothing while nobody is looked for. */
  seek = $state.raw<Seek | null>(null);
  busy = $state(false);
  #timer: ReturnType<typeof setInterval> | undefined;

  async begin(wanted: Omit<NewSeek, "nonce">): Promise<void> {
    this.busy = true;
    try {
      await someone();
      this.#heard(await post<Seek>("/api/seek", { ...wanted, nonce: nonce() }));
      clearInterval(this.#timer);
      if (this.seek) this.#timer = setInterval(() => void this.#ask(), ASK_EVERY);
    } catch (error) {
      sayTrouble(error);
    }
    this.busy = false;
  }

  /** Plays the bot that the server offers. */
  async takeBot(): Promise<void> {
    this.busy = true;
    try {
      this.#heard(await post<Seek>("/api/seek/bot"));
    } catch (error) {
      sayTrouble(error);
    }
    this.busy = false;
  }

  /** Ends the search; a game that was found at the same moment is gone to all the same. */
  async end(): Promise<void> {
    if (!this.seek) return;
    this.#stop();
    try {
      this.#heard(await request<Seek | null>("DELETE", "/api/seek"));
    } catch (error) {
      sayTrouble(error);
    }
  }

  /** The page is left. */
  close(): void {
    if (!this.seek) return;
    this.#stop();
    // Nobody is left to hear of a failure; the server forgets the search by itself.
    request("DELETE", "/api/seek").catch(() => undefined);
  }

  async #ask(): Promise<void> {
    try {
      const seek = await get<Seek | null>("/api/seek");
      if (this.seek) this.#heard(seek);
    } catch {
      // The banner tells when the server is gone; the next question may be answered.
    }
  }

  #heard(seek: Seek | null): void {
    this.seek = seek;
    if (seek && seek.game === null) return;
    this.#stop();
    if (seek?.game) go(`/g/${seek.game}`);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.seek = null;
  }
}
