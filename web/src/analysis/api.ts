// Where the server keeps studies.
import { get, patch, post, remove, request } from "../api/request";
import type { ChapterEdited } from "../wire/ChapterEdited";
import type { EarlierTexts } from "../wire/EarlierTexts";
import type { NewStudy } from "../wire/NewStudy";
import type { Studies } from "../wire/Studies";
import type { StudyChange } from "../wire/StudyChange";
import type { StudyChapter } from "../wire/StudyChapter";
import type { StudyEdit } from "../wire/StudyEdit";
import type { StudyInfo } from "../wire/StudyInfo";

const study = (id: string) => `/api/studies/${encodeURIComponent(id)}`;
const chapter = (id: string, of: string) => `${study(id)}/chapters/${encodeURIComponent(of)}`;

export const textAddress = (id: string): string => `${study(id)}/text`;

export const ownStudies = (signal?: AbortSignal): Promise<Studies> => get<Studies>("/api/studies", signal);
export const makeStudy = (wanted: NewStudy): Promise<StudyInfo> => post<StudyInfo>("/api/studies", wanted);
export const lookAtStudy = (id: string, signal?: AbortSignal): Promise<StudyInfo> => get<StudyInfo>(study(id), signal);
export const changeStudy = (id: string, change: StudyChange): Promise<StudyInfo> => patch<StudyInfo>(study(id), change);
export const deleteStudy = (id: string): Promise<void> => remove<void>(study(id));
export const studyText = (id: string): Promise<string> => request<string>("GET", textAddress(id));
export const addChapters = (id: string, text: string): Promise<StudyInfo> =>
  post<StudyInfo>(`${study(id)}/chapters`, { text });
export const chapterOf = (id: string, of: string, signal?: AbortSignal): Promise<StudyChapter> =>
  get<StudyChapter>(chapter(id, of), signal);
export const renameChapter = (id: string, of: string, title: string): Promise<StudyInfo> =>
  patch<StudyInfo>(chapter(id, of), { title });
export const deleteChapter = (id: string, of: string): Promise<void> => remove<void>(chapter(id, of));
export const editChapter = (id: string, of: string, version: number, edit: StudyEdit): Promise<ChapterEdited> =>
  post<ChapterEdited>(`${chapter(id, of)}/edits`, { version, edit });
export const earlierTexts = (id: string, of: string, signal?: AbortSignal): Promise<EarlierTexts> =>
  get<EarlierTexts>(`${chapter(id, of)}/earlier`, signal);
export const putBack = (id: string, of: string, version: number): Promise<StudyChapter> =>
  post<StudyChapter>(`${chapter(id, of)}/earlier`, { version });

/** The record of a game. */
export const recordOfGame = (id: string, signal?: AbortSignal): Promise<string> =>
  request<string>("GET", `/api/games/${encodeURIComponent(id)}/record`, signal ? { signal } : {});

export const studyPage = (id: string, of?: string): string =>
  `/study/${encodeURIComponent(id)}${of === undefined ? "" : `?chapter=${encodeURIComponent(of)}`}`;
