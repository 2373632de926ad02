// The real server for the tests in the browser: the program itself, on a free port, with a folder
// of its own that is removed afterwards.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export class Server {
  readonly url: string;
  #process: ChildProcess | null = null;
  #log = "";

  private constructor(
    readonly port: number,
    readonly data: string,
    readonly options: readonly string[],
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts the program, with further options on its command line. */
  static async start(options: readonly string[] = []): Promise<Server> {
    const server = new Server(await freePort(), mkdtempSync(join(tmpdir(), "bastide-e2e-")), options);
    await server.resume();
    return server;
  }

  /** Starts the program again on the same port and data. */
  async resume(): Promise<void> {
    this.#process = spawn(
      program(),
      [
        "serve",
        "--listen",
        `127.0.0.1:${this.port}`,
        "--data",
        this.data,
        "--page",
        process.env["BASTIDE_PAGE"] ?? join(ROOT, "web/dist"),
        "--limits",
        "false",
        "--bot-pause-ms",
        "0",
        ...this.options,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const keep = (text: Buffer) => (this.#log = (this.#log + text.toString()).slice(-20_000));
    this.#process.stdout!.on("data", keep);
    this.#process.stderr!.on("data", keep);
    for (let tries = 0; tries < 600; tries++) {
      if (this.#process.exitCode !== null) break;
      const answer = await fetch(`${this.url}/healthz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`the server did not start:\n${this.#log}`);
  }

  /** Ends the program; what it holds stays. */
  async pause(): Promise<void> {
    const running = this.#process;
    if (!running || running.exitCode !== null) return;
    const gone = new Promise((done) => running.once("exit", done));
    running.kill("SIGTERM");
    await gone;
  }

  async stop(): Promise<void> {
    await this.pause();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** The program, as `make` built it: the one named, or the newest there is. */
export function program(): string {
  const named = process.env["BASTIDE"];
  const built = [named, join(ROOT, "target/debug/bastide"), join(ROOT, "target/release/bastide")];
  const found = built.find((path) => path && existsSync(path));
  if (!found) throw new Error("bastide is not built; run: cargo build -p bastide");
  return found;
}

async function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.on("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address ? done(address.port) : failed(new Error("no port"))));
    });
  });
}
