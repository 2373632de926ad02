// What the server tells about people and the site: profiles, ranking, numbers.
import { get } from "../api/request";
import type { Profile } from "../wire/Profile";
import type { Ranked } from "../wire/Ranked";
import type { SiteStatistics } from "../wire/SiteStatistics";

export type Pool = "two" | "many";

export const profile = (name: string, signal?: AbortSignal): Promise<Profile> =>
  get<Profile>(`/api/users/${encodeURIComponent(name)}`, signal);
export const ranking = (pool: Pool, signal?: AbortSignal): Promise<Ranked[]> =>
  get<Ranked[]>(`/api/leaderboard?pool=${pool}`, signal);
export const statistics = (signal?: AbortSignal): Promise<SiteStatistics> =>
  get<SiteStatistics>("/api/statistics", signal);
