// A review as it is made: asked for, growing step by step, done, stopped; a broken connection is tried again.
import { ApiError } from "../api/api_error";
import { showError } from "../design/toasts.svelte";
import { someone } from "../session/session.svelte";
import type { Review } from "../wire/Review";
import type { ReviewDepth } from "../wire/ReviewDepth";
import type { ReviewJob } from "../wire/ReviewJob";
import type { ReviewLine } from "../wire/ReviewLine";
import type { ReviewStep } from "../wire/ReviewStep";
import { askForReview, reviewOf, stopReview, streamAddress } from "./api";
import type { ReviewHere } from "./here";
import { reviewLines } from "./stream";
import { courseOf } from "./turns";

/** `unknown`: the server was not asked yet. `interrupted`: it was being made, and is no longer. `failed`: it cannot be made. */
export type MakingState = "unknown" | "absent" | "waiting" | "running" | "done" | "interrupted" | "failed";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 10_000;
/** How often it is looked whether somebody else has an interrupted one made again. */
const LOOK_AGAIN = 5_000;
/** Steps are shown together that come within so many milliseconds. */
const TOGETHER = 120;

export class Making {
  state = $state<MakingState>("unknown");
  steps = $state.raw<ReviewStep[]>([]);
  review = $state.raw<Review | null>(null);
  /** How many plies are reviewed, and how many there are. */
  done = $state(0);
  plies = $state(0);
  /** How many reviews are made before it. */
  ahead = $state(0);
  /** Why the server did not say where it stands. */
  trouble = $state.raw<ApiError | null>(null);
  /** Whether the connection is broken, and is tried again. */
  lost = $state(false);
  /** Whether the answer to a request is awaited. */
  asking = $state(false);
  /** Whether this page makes it, or made it. */
  here = $state(false);

  course = $derived.by(() =>
    courseOf(
      this.steps,
      this.review?.players.map(({ result }) => result),
    ),
  );
  grows = $derived.by(() => this.state === "waiting" || this.state === "running");
  /** Whether it is neither there nor being made, nor just asked for. */
  idle = $derived.by(() => !this.asking && ["absent", "interrupted", "failed"].includes(this.state));

  #leave = new AbortController();
  /** How often in a row it broke off before anything was reviewed. */
  #breaks = 0;

  constructor(
    readonly id: string,
    readonly depth: ReviewDepth,
    /** Where this page may make it itself. */
    readonly own: ReviewHere | null = null,
  ) {}

  /** Looks whether there is one, and shows it; nothing is made for that. */
  async look(): Promise<void> {
    try {
      this.#take(await reviewOf(this.id, this.depth, this.#leave.signal));
    } catch (error) {
      if (this.#leave.signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
    }
  }

  /** Has it made. */
  async start(): Promise<void> {
    this.asking = true;
    try {
      await someone();
      this.#take(await askForReview(this.id, this.depth));
      // It stays in the server's line, for others and for later: what is made here is the same.
      if (this.state === "waiting" && this.ahead > 0) void this.#makeHere(null);
    } catch (error) {
      await this.#makeHere(error);
    }
    this.asking = false;
  }

  /** Loads what this page needs to make it, while nothing else is wanted. */
  prepare(): void {
    if (this.state === "absent") this.own?.prepare().catch(() => undefined);
  }

  /** Makes it in this page where that is possible and the server is busy or away; otherwise says what was wrong. */
  async #makeHere(why: unknown): Promise<void> {
    // A limit on what one person may ask for is a refusal too.
    const busy = why === null || (why instanceof ApiError && (why.passing || why.status === 409));
    if (!this.own || !busy || this.here) {
      if (why !== null) showError(why);
      return;
    }
    const { signal } = this.#leave;
    const steps: ReviewStep[] = [];
    try {
      const review = await this.own.review((line) => {
        if (signal.aborted || this.state === "done" || line.type !== "step") return;
        [this.here, this.trouble, this.lost] = [true, null, false];
        steps.push(line.step);
        if (steps.length > this.steps.length) this.steps = [...steps];
        [this.state, this.done, this.plies] = ["running", line.done, line.plies];
      });
      if (signal.aborted || this.review) return;
      this.#finish(review);
    } catch {
      // It was stopped, must not think now, or could not be loaded.
      if (signal.aborted) return;
      this.here = false;
      if (why !== null) showError(why);
    }
  }

  /** It is no longer wanted; what is there stays on the screen. */
  async stop(): Promise<void> {
    this.close();
    this.#leave = new AbortController();
    this.state = "absent";
    const alone = this.here;
    this.here = false;
    try {
      await stopReview(this.id, this.depth);
    } catch (error) {
      // What was made here needed no server.
      if (!alone) showError(error);
    }
  }

  /** Looks no longer; the server goes on. */
  close(): void {
    this.#leave.abort();
    this.own?.stop();
  }

  #take(job: ReviewJob): void {
    [this.trouble, this.lost] = [null, false];
    [this.state, this.done, this.plies, this.ahead] = [job.state, job.done, job.plies, job.ahead];
    if (job.review) this.#finish(job.review);
    else if (this.grows) void this.#follow(this.#leave.signal);
  }

  #finish(review: Review): void {
    this.review = review;
    this.steps = review.steps;
    this.state = "done";
  }

  async #follow(signal: AbortSignal): Promise<void> {
    for (let wait = FIRST_WAIT; this.grows && !signal.aborted; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        await this.#read(signal);
      } catch (error) {
        // A server that began anew knows nothing of it.
        if (error instanceof ApiError && error.kind === "refused" && !signal.aborted && !this.here)
          return this.#breakOff();
      }
      if (!this.grows || signal.aborted) return;
      if (this.own && !this.here) void this.#makeHere(null);
      this.lost = !this.here;
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** Nobody makes it any more: the server began anew, or somebody else stopped it. If that goes on, it has failed. */
  #breakOff(): void {
    this.#breaks += 1;
    this.state = this.#breaks > 1 ? "failed" : "interrupted";
    void this.#waitForAnother(this.#leave.signal);
  }

  /** Somebody else may have it made again: then it is followed. */
  async #waitForAnother(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.state === "interrupted") {
      await new Promise((done) => setTimeout(done, LOOK_AGAIN));
      if (signal.aborted || this.state !== "interrupted" || this.asking) continue;
      const job = await reviewOf(this.id, this.depth, signal).catch(() => null);
      if (job && job.state !== "absent" && this.state === "interrupted") this.#take(job);
    }
  }

  /** The steps come from the first one on with every connection; those on the screen stay until there are more. */
  async #read(signal: AbortSignal): Promise<void> {
    const steps: ReviewStep[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      if (!signal.aborted && this.state !== "done" && steps.length > this.steps.length) this.steps = [...steps];
    };
    try {
      for await (const line of reviewLines(streamAddress(this.id, this.depth), signal)) {
        if (signal.aborted) return;
        if (line.type === "step") {
          steps.push(line.step);
          timer ??= setTimeout(show, TOGETHER);
        }
        this.#hear(line);
      }
    } finally {
      show();
    }
  }

  #hear(line: ReviewLine): void {
    // While this page makes it, only the server's end of it counts.
    if (this.here && line.type !== "done") return;
    this.lost = false;
    switch (line.type) {
      case "state":
        [this.state, this.ahead] = [line.state, line.ahead];
        break;
      case "step":
        [this.state, this.done, this.plies] = ["running", line.done, line.plies];
        this.#breaks = 0;
        break;
      case "done":
        this.#finish(line.review);
        break;
      case "failed":
        this.#breakOff();
    }
  }
}
