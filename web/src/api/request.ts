// One request to the server: JSON in, JSON out, every failure a `ApiError`.
import { answered, lost, watchSlowness } from "./connection.svelte";
import { ApiError, apiErrorOf } from "./api_error";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** No answer within this time counts as none. */
const PATIENCE = 15_000;

export interface Options {
  body?: unknown;
  signal?: AbortSignal;
  /** For answers that may take longer than usual, such as analysis. */
  patience?: number;
}

export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const answer = await send(method, path, options);
  if (answer.status === 204) return undefined as T;
  const kind = answer.headers.get("content-type") ?? "";
  return (kind.includes("json") ? await answer.json() : await answer.text()) as T;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  request<T>("GET", path, signal ? { signal } : {});
export const post = <T>(path: string, body?: unknown): Promise<T> => request<T>("POST", path, { body: body ?? {} });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>("PATCH", path, { body });
export const remove = <T>(path: string, body?: unknown): Promise<T> =>
  request<T>("DELETE", path, body === undefined ? {} : { body });

async function send(method: Method, path: string, { body, signal, patience = PATIENCE }: Options): Promise<Response> {
  const limit = AbortSignal.timeout(patience);
  const init: RequestInit = {
    method,
    headers:
      body === undefined
        ? { accept: "application/json" }
        : { accept: "application/json", "content-type": "application/json" },
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  };
  if (body !== undefined) init.body = JSON.stringify(body);
  const over = watchSlowness();
  try {
    const answer = await fetch(path, init);
    if (!answer.ok) throw await apiErrorOf(answer);
    // What the service worker kept says nothing of the server.
    if (!answer.headers.has("x-kept")) answered();
    return answer;
  } catch (error) {
    throw explain(error, signal, limit);
  } finally {
    over();
  }
}

function explain(error: unknown, signal: AbortSignal | undefined, limit: AbortSignal): unknown {
  // Who gave up on an answer wants to hear nothing of it.
  if (signal?.aborted) return error;
  const trouble = error instanceof ApiError ? error : new ApiError(limit.aborted ? "slow" : "gone", 0, null);
  if (trouble.kind === "gone") lost();
  else if (trouble.kind === "refused") answered();
  return trouble;
}
