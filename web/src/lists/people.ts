// What the server tells about people and the site: profiles, ranking, numbers.
import { get } from "../api/request";
import type { PoolInfo } from "../wire/PoolInfo";
import type { Profile } from "../wire/Profile";
import type { Ranked } from "../wire/Ranked";
import type { SiteStatistics } from "../wire/SiteStatistics";

/** A pool of ratings: `two`, `many`, and with sets `two-inns`. */
export type Pool = string;

/** The pools in which anybody has a rating. */
export const ratingPools = (signal?: AbortSignal): Promise<PoolInfo[]> => get<PoolInfo[]>("/api/pools", signal);

export const profile = (name: string, signal?: AbortSignal): Promise<Profile> =>
  get<Profile>(`/api/users/${encodeURIComponent(name)}`, signal);
export const ranking = (pool: Pool, signal?: AbortSignal): Promise<Ranked[]> =>
  get<Ranked[]>(`/api/leaderboard?pool=${encodeURIComponent(pool)}`, signal);
export const statistics = (signal?: AbortSignal): Promise<SiteStatistics> =>
  get<SiteStatistics>("/api/statistics", signal);
