// What a page shows, loaded: again when what it depends on changes, and when the server is back.
import { recovered } from "./connection.svelte";
import { ApiError } from "./api_error";

export interface Loaded<T> {
  /** The latest answer; stays while a newer one is on its way. */
  readonly data: T | undefined;
  readonly trouble: ApiError | null;
  readonly loading: boolean;
  /** Asks again. */
  again(): void;
}

const FIRST_WAIT = 2000;
const LONGEST_WAIT = 30_000;

interface Options {
  /** Asks again after so many milliseconds, while the page is seen; 0 does not. */
  every?: number | (() => number);
}

/** Call it while a component is set up; what `fetch` reads before its first `await` is watched. */
export function load<T>(fetch: (signal: AbortSignal) => Promise<T> | null, options: Options = {}): Loaded<T> {
  let data = $state.raw<T | undefined>();
  let trouble = $state.raw<ApiError | null>(null);
  let loading = $state(true);
  let asked = $state(0);
  let wait = FIRST_WAIT;

  $effect(() => {
    void asked;
    void recovered();
    const leave = new AbortController();
    const answer = fetch(leave.signal);
    let retry: ReturnType<typeof setTimeout> | undefined;
    loading = true;
    answer
      ?.then((value) => {
        if (leave.signal.aborted) return;
        data = value;
        trouble = null;
        loading = false;
        wait = FIRST_WAIT;
      })
      .catch((error: unknown) => {
        if (leave.signal.aborted) return;
        trouble =
          error instanceof ApiError ? error : new ApiError("refused", 0, { code: "page", message: String(error) });
        loading = false;
        // A server that is gone is watched for all pages at once; one that is slow or busy is asked again here.
        if (!trouble.passing || trouble.kind === "gone") return;
        retry = setTimeout(() => (asked += 1), wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      });
    return () => {
      leave.abort();
      clearTimeout(retry);
    };
  });

  $effect(() => {
    const every = typeof options.every === "function" ? options.every() : options.every;
    if (!every) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && !loading) asked += 1;
    }, every);
    return () => clearInterval(timer);
  });

  return {
    get data() {
      return data;
    },
    get trouble() {
      return trouble;
    },
    get loading() {
      return loading;
    },
    again() {
      asked += 1;
    },
  };
}
