// Starts one server for all tests in the browser.
import type { TestProject } from "vitest/node";
import { Server } from "./server";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  project.provide("url", server.url);
  return () => server.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}
