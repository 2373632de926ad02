// Short messages at the foot of the page. They go by themselves, or when they are closed.
import { language, optional, t } from "../i18n/index.svelte";
import { ApiError } from "../api/api_error";
import type { Problem } from "../wire/Problem";

export interface Toast {
  id: number;
  tone: "plain" | "good" | "bad";
  text: string;
}

const STAYS = 6000;
const MOST = 3;
const state = $state<{ toasts: Toast[] }>({ toasts: [] });
let last = 0;

export function toasts(): readonly Toast[] {
  return state.toasts;
}

export function say(text: string, tone: Toast["tone"] = "plain"): void {
  const id = ++last;
  state.toasts = [...state.toasts.filter((toast) => toast.text !== text), { id, tone, text }].slice(-MOST);
  setTimeout(() => dismiss(id), STAYS);
}

export function dismiss(id: number): void {
  state.toasts = state.toasts.filter((toast) => toast.id !== id);
}

/** Says what went wrong, in plain words. */
export function showError(error: unknown): void {
  say(wordsFor(error), "bad");
}

/** What went wrong in the reader's language where we know it, otherwise as the server put it. */
export function wordsFor(error: unknown): string {
  if (!(error instanceof ApiError)) return t("common.failed");
  switch (error.kind) {
    case "gone":
      return t("common.gone");
    case "slow":
      return t("common.slow");
    case "busy":
      return refusalWords(error.problem) ?? t("common.busy");
    case "refused":
      return refusalWords(error.problem) ?? t("common.failed");
  }
}

/** Why the server would not: its own words in English, by its code in other languages. */
export function refusalWords(problem: Problem | null): string | undefined {
  return problem === null
    ? undefined
    : language() === "en"
      ? sentence(problem.message)
      : (optional("refusal", problem.code) ?? sentence(problem.message));
}

/** The server's words begin in small letters, for programs that put them after others. */
const sentence = (words: string | undefined): string | undefined =>
  words && words.charAt(0).toUpperCase() + words.slice(1);
