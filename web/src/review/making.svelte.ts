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
import { reviewLines } from "./stream";
import { courseOf } from "./turns";

/** `unknown`: the server was not asked yet. `failed`: it could not be made. */
export type MakingState = "unknown" | "absent" | "waiting" | "running" | "done" | "failed";

const FIRST_WAIT = 1_000;
const LONGEST_WAIT = 30_000;
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
  /** Why the game cannot be reviewed, or why its review failed. */
  trouble = $state.raw<ApiError | string | null>(null);
  /** Whether the answer to a request is awaited. */
  asking = $state(false);

  course = $derived.by(() =>
    courseOf(
      this.steps,
      this.review?.players.map(({ result }) => result),
    ),
  );
  grows = $derived.by(() => this.state === "waiting" || this.state === "running");

  #leave = new AbortController();

  constructor(
    readonly id: string,
    readonly depth: ReviewDepth,
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
    } catch (error) {
      showError(error);
    }
    this.asking = false;
  }

  /** Tries again what did not work: looking for it, or having it made. */
  again(): Promise<void> {
    return this.state === "failed" ? this.start() : this.look();
  }

  /** It is no longer wanted; what is there stays on the screen. */
  async stop(): Promise<void> {
    this.close();
    this.#leave = new AbortController();
    this.state = "absent";
    try {
      await stopReview(this.id, this.depth);
    } catch (error) {
      showError(error);
    }
  }

  /** Looks no longer; the server goes on. */
  close(): void {
    this.#leave.abort();
  }

  #take(job: ReviewJob): void {
    this.trouble = null;
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
        if (error instanceof ApiError && error.kind === "refused" && !signal.aborted) return this.#fail(error);
      }
      if (this.grows && !signal.aborted) await new Promise((done) => setTimeout(done, wait));
    }
  }

  #fail(why: ApiError | string): void {
    this.trouble = why;
    this.state = "failed";
  }

  /** The steps come from the first one on with every connection; those on the screen stay until there are more. */
  async #read(signal: AbortSignal): Promise<void> {
    const steps: ReviewStep[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(timer);
      timer = undefined;
      if (!signal.aborted && this.grows && steps.length > this.steps.length) this.steps = [...steps];
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
    switch (line.type) {
      case "state":
        [this.state, this.ahead] = [line.state, line.ahead];
        break;
      case "step":
        [this.state, this.done, this.plies] = ["running", line.done, line.plies];
        break;
      case "done":
        this.#finish(line.review);
        break;
      case "failed":
        this.#fail(line.error);
    }
  }
}
