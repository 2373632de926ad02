// The pages by address. Each is a chunk of its own and brings the areas of words that it speaks.
import type { Component } from "svelte";
import type { Area, Key } from "./i18n/areas";

export interface Route {
  path: string;
  /** Gets `params`; pages without gaps in their address declare none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each page has properties of its own
  page: () => Promise<{ default: Component<any> }>;
  words: Area[];
  title: Key;
  /** The entry of the menu that it belongs to, if that is not the first part of its address. */
  menu?: string;
  /** `over`: the header lies on the page's picture; `full`: the page fills the window, no footer. */
  frame?: "over" | "full";
  /** The page says itself when it can be used (`usableNow`), which may be some time after it is shown. */
  ready?: "told";
}

export const ROUTES: readonly Route[] = [
  {
    path: "/g/:id",
    page: () => import("./game/GamePage.svelte"),
    words: ["game"],
    title: "common.play",
    frame: "full",
    ready: "told",
  },
  {
    path: "/g/:id/review",
    page: () => import("./review/ReviewPage.svelte"),
    words: ["review", "game", "panel"],
    title: "review.title",
    menu: "/watch",
    frame: "full",
  },
  {
    path: "/",
    page: () => import("./pages/landing/Landing.svelte"),
    words: ["landing", "lists"],
    title: "common.tagline",
    frame: "over",
  },
  {
    path: "/play",
    page: () => import("./pages/play/Play.svelte"),
    words: ["create", "lists", "sets"],
    title: "common.play",
  },
  {
    path: "/local",
    page: () => import("./pages/local/Local.svelte"),
    words: ["create", "game"],
    title: "common.play",
    menu: "/play",
    frame: "full",
  },
  {
    path: "/watch",
    page: () => import("./pages/watch/Watch.svelte"),
    words: ["lists"],
    title: "common.watch",
  },
  {
    path: "/games",
    page: () => import("./pages/library/Library.svelte"),
    words: ["lists"],
    title: "common.library",
    menu: "/watch",
  },
  {
    path: "/ranking",
    page: () => import("./pages/ranking/Ranking.svelte"),
    words: ["lists"],
    title: "common.ranking",
  },
  {
    path: "/u/:name",
    page: () => import("./pages/profile/Profile.svelte"),
    words: ["profile", "lists"],
    title: "common.myProfile",
    menu: "/ranking",
  },
  {
    path: "/bots/:name",
    page: () => import("./pages/bots/Bot.svelte"),
    words: ["profile", "lists"],
    title: "common.bot",
    menu: "/ranking",
  },
  {
    path: "/learn",
    page: () => import("./pages/learn/Learn.svelte"),
    words: ["learn", "sets"],
    title: "common.learn",
  },
  {
    path: "/learn/lesson",
    page: () => import("./pages/lesson/Lesson.svelte"),
    words: ["lesson", "game"],
    title: "lesson.title",
    frame: "full",
  },
  {
    path: "/learn/lesson/:set",
    page: () => import("./pages/lesson/SetLesson.svelte"),
    words: ["lesson", "setlesson", "sets", "game"],
    title: "lesson.title",
    frame: "full",
  },
  {
    path: "/tinytown",
    page: () => import("./pages/tinytown/Tinytown.svelte"),
    words: ["tinytown", "create"],
    title: "common.tinytown",
  },
  {
    path: "/puzzles",
    page: () => import("./puzzles/Puzzles.svelte"),
    words: ["puzzles"],
    title: "common.puzzles",
  },
  {
    path: "/puzzles/own/:id/:ply",
    page: () => import("./puzzles/OwnPuzzle.svelte"),
    words: ["puzzles", "review", "game", "panel"],
    title: "common.puzzles",
    frame: "full",
  },
  {
    path: "/puzzles/:id",
    page: () => import("./puzzles/Puzzle.svelte"),
    words: ["puzzles", "review", "game", "panel"],
    title: "common.puzzles",
    frame: "full",
  },
  {
    path: "/analysis",
    page: () => import("./analysis/AnalysisPage.svelte"),
    words: ["analysis", "editor", "game"],
    title: "analysis.title",
    menu: "/analysis",
    frame: "full",
  },
  {
    path: "/study/:id",
    page: () => import("./analysis/StudyPage.svelte"),
    words: ["analysis", "game"],
    title: "analysis.study",
    menu: "/analysis",
    frame: "full",
  },
  {
    path: "/studies",
    page: () => import("./analysis/StudiesPage.svelte"),
    words: ["analysis"],
    title: "analysis.studies",
    menu: "/analysis",
  },
  {
    path: "/fair/:id",
    page: () => import("./pages/fair/Fair.svelte"),
    words: ["fair"],
    title: "fair.title",
    menu: "/watch",
  },
  {
    path: "/settings",
    page: () => import("./pages/settings/Settings.svelte"),
    words: ["settings"],
    title: "common.settings",
  },
  {
    path: "/moderation",
    page: () => import("./pages/moderation/Moderation.svelte"),
    words: ["moderation", "report"],
    title: "moderation.title",
  },
  {
    path: "/moderation/:person",
    page: () => import("./pages/moderation/Moderation.svelte"),
    words: ["moderation", "report"],
    title: "moderation.title",
  },
  {
    path: "/account",
    page: () => import("./pages/account/Account.svelte"),
    words: ["account", "report"],
    title: "common.account",
  },
];
