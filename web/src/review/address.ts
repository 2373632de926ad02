// The address of a review: how deep, which turn, whose mistakes are practised.
import type { ReviewDepth } from "../wire/ReviewDepth";

export interface ReviewPlace {
  depth?: ReviewDepth;
  /** The ply of a decision. */
  ply?: number | null;
  /** The seat whose mistakes are practised. */
  practise?: number;
  /** Whether the review is to be made if there is none. */
  start?: boolean;
}

export function reviewAddress(id: string, { depth, ply, practise, start }: ReviewPlace = {}): string {
  const parts = [
    depth === "deep" ? "depth=deep" : "",
    ply ? `ply=${ply}` : "",
    practise === undefined ? "" : `practise=${practise}`,
    start ? "start" : "",
  ].filter((part) => part !== "");
  return `/g/${encodeURIComponent(id)}/review${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

/** The address now, without the wish to begin: coming back or sharing it asks for nothing. */
export function withoutStart(): string {
  const url = new URL(location.href);
  url.searchParams.delete("start");
  return url.pathname + url.search;
}

/** The ply that the address names. */
export const plyOf = (query: URLSearchParams): number | null => Number(query.get("ply")) || null;

/** The seat whose mistakes the address names; nothing if it names none of this game. */
export function seatOf(query: URLSearchParams, seats: number): number | null {
  const named = query.get("practise");
  const seat = Number(named);
  return named !== null && Number.isInteger(seat) && seat >= 0 && seat < seats ? seat : null;
}
