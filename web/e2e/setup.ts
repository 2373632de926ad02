// Starts one server for all tests in the browser, with games on it.
import type { TestProject } from "vitest/node";
import { type ManyGames, fillWithGames } from "./many_games";
import { Server } from "./server";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  project.provide("url", server.url);
  project.provide("data", server.data);
  project.provide("games", await fillWithGames(server.url));
  return () => server.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
    /** The server's folder, for the command line. */
    data: string;
    games: ManyGames;
  }
}
