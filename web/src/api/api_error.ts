// What can go wrong between the page and the server, as a value that can be shown.
import { language, need } from "../i18n/index.svelte";
import type { Problem } from "../wire/Problem";

/** The words for refusals; English readers have the server's own. */
export const needRefusals = (): Promise<void> =>
  language() === "en" ? Promise.resolve() : need("refusal").catch(() => undefined);

/** `gone`: no answer at all; `slow`: none in time; `busy`: it said so; `refused`: it said why. */
export type ApiErrorKind = "gone" | "slow" | "busy" | "refused";

export class ApiError extends Error {
  constructor(
    readonly kind: ApiErrorKind,
    /** The HTTP status; 0 without an answer. */
    readonly status: number,
    readonly problem: Problem | null,
  ) {
    super(problem?.message ?? kind);
  }

  /** Whether waiting may help. */
  get passing(): boolean {
    return this.kind !== "refused";
  }

  is(code: string): boolean {
    return this.problem?.code === code;
  }
}

/** The trouble that an answer with an error status tells of. */
export async function apiErrorOf(answer: Response): Promise<ApiError> {
  const [problem] = await Promise.all([readProblem(answer), needRefusals()]);
  if (answer.status === 503 || answer.status === 429) return new ApiError("busy", answer.status, problem);
  // A proxy answers so when the server behind it is not there.
  if (answer.status === 502 || answer.status === 504) return new ApiError("gone", answer.status, null);
  return new ApiError(
    "refused",
    answer.status,
    problem ?? { code: "internal", message: `${answer.status} ${answer.statusText}` },
  );
}

async function readProblem(answer: Response): Promise<Problem | null> {
  try {
    const body: unknown = await answer.json();
    if (typeof body !== "object" || body === null || !("code" in body) || !("message" in body)) return null;
    return { code: String(body.code), message: String(body.message) };
  } catch {
    return null;
  }
}
