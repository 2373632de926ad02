// What the server keeps for moderators.
import { get, post } from "../../api/request";
import type { AuditRow } from "../../wire/AuditRow";
import type { NewSanction } from "../../wire/NewSanction";
import type { PersonHistory } from "../../wire/PersonHistory";
import type { Report } from "../../wire/Report";
import type { ReportOutcome } from "../../wire/ReportOutcome";
import type { ReportQueue } from "../../wire/ReportQueue";
import type { Sanction } from "../../wire/Sanction";
import type { FlaggedPlayer } from "../../wire/FlaggedPlayer";

export type Part = "open" | "mine" | "others" | "done";

const base = "/api/moderation";
const at = (...path: string[]) => [base, ...path.map(encodeURIComponent)].join("/");

export const queue = (part: Part, signal?: AbortSignal): Promise<ReportQueue> =>
  get<ReportQueue>(`${base}/reports?part=${part}`, signal);
export const take = (id: string): Promise<Report> => post<Report>(at("reports", id, "take"));
export const release = (id: string): Promise<Report> => post<Report>(at("reports", id, "release"));
export const close = (id: string, outcome: ReportOutcome, note: string): Promise<Report> =>
  post<Report>(at("reports", id, "close"), { outcome, note });

export const person = (name: string, signal?: AbortSignal): Promise<PersonHistory> =>
  get<PersonHistory>(at("people", name), signal);
export const punish = (id: string, sanction: NewSanction): Promise<Sanction> =>
  post<Sanction>(at("people", `id:${id}`, "sanctions"), sanction);
export const standouts = (signal?: AbortSignal): Promise<FlaggedPlayer[]> =>
  get<FlaggedPlayer[]>(`${base}/standouts`, signal);
export const holding = (signal?: AbortSignal): Promise<Sanction[]> => get<Sanction[]>(`${base}/sanctions`, signal);
export const lift = (id: string, reason: string): Promise<Sanction> =>
  post<Sanction>(at("sanctions", id, "lift"), { reason });
export const annul = (game: string, reason: string): Promise<void> =>
  post<void>(at("games", game, "annul"), { reason });
export const log = (before: number | null, signal?: AbortSignal): Promise<AuditRow[]> =>
  get<AuditRow[]>(`${base}/audit${before === null ? "" : `?before=${before}`}`, signal);

/** The page of a person, who may have another name tomorrow. */
export const pageOf = (user: { id: string }): string => `/moderation/${encodeURIComponent(`id:${user.id}`)}`;
