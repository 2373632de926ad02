// Quick match: a search for an opponent that lasts while the page is open.
import { get, post, request } from "../api/request";
import { ApiError } from "../api/api_error";
import { showError, wordsFor } from "../design/toasts.svelte";
import { t } from "../i18n/index.svelte";
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
  /** Why there is no search, or none any more. */
  failure = $state("");
  #timer: ReturnType<typeof setInterval> | undefined;

  async begin(wanted: Omit<NewSeek, "nonce">): Promise<void> {
    this.busy = true;
    this.failure = "";
    try {
      await someone();
      this.#heard(await post<Seek>("/api/seek", { ...wanted, nonce: nonce() }));
      clearInterval(this.#timer);
      if (this.seek) this.#timer = setInterval(() => void this.#ask(), ASK_EVERY);
    } catch (error) {
      this.failure = wordsFor(error);
    }
    this.busy = false;
  }

  /** Plays the bot that the server offers. */
  async takeBot(): Promise<void> {
    this.busy = true;
    this.failure = "";
    try {
      this.#heard(await post<Seek>("/api/seek/bot"));
    } catch (error) {
      this.failure = wordsFor(error);
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
      showError(error);
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
      if (!this.seek) return;
      // Forgotten: the page slept for longer than the server waits.
      if (!seek) this.failure = t("lists.searchEnded");
      this.#heard(seek);
    } catch (error) {
      // The banner tells when the server is gone or busy; the next question may be answered.
      if (!this.seek || (error instanceof ApiError && error.passing)) return;
      this.#stop();
      this.failure = wordsFor(error);
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
