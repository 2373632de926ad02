// Reporting somebody, and keeping away from somebody.
import { get, post, request } from "../api/request";
import type { OwnReport } from "../wire/OwnReport";
import type { ReportReason } from "../wire/ReportReason";
import type { UserCard } from "../wire/UserCard";

export const REASONS: readonly ReportReason[] = ["abuse", "cheating", "stalling", "spam", "name", "other"];

export interface Evidence {
  user?: string;
  game?: string | undefined;
  line?: number | undefined;
}

export const report = (evidence: Evidence, reason: ReportReason, words: string): Promise<OwnReport> =>
  post<OwnReport>("/api/reports", { ...evidence, reason, words });
export const ownReports = (signal?: AbortSignal): Promise<OwnReport[]> => get<OwnReport[]>("/api/reports", signal);

export const blocked = (signal?: AbortSignal): Promise<UserCard[]> => get<UserCard[]>("/api/blocks", signal);
export const block = (name: string): Promise<unknown> => request("PUT", `/api/blocks/${encodeURIComponent(name)}`);
export const unblock = (name: string): Promise<unknown> => request("DELETE", `/api/blocks/${encodeURIComponent(name)}`);
