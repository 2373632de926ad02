// The engine in Chromium beside the program, in turn, on one thread each: positions a second of processor time, and a
// whole quick review. Both must find the same. `node scripts/engine-speed.mjs [ROUNDS] [PROGRAM]`, after `scripts/wasm` and a release build.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");
const [rounds = "3", program = join(ROOT, "target/release/bastide")] = process.argv.slice(2);
const NODES = 5000;
const [head, ...lines] = readFileSync(join(ROOT, "docs/examples/game.txt"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));
const moves = lines.join(";").split(";");
const record = (plies) => [head, ...moves.slice(0, plies)].join("; ");
// After every third ply a tile is in hand; the last turns are solved, not searched.
const plies = Array.from({ length: 20 }, (_, i) => 9 * i + 10).filter((ply) => ply < moves.length - 20);

/** The program's answers, and the processor time that it took. */
function native(input) {
  const timed = ["-c", 'TIMEFORMAT=%U; time "$0" engine', program];
  const { stdout, stderr, error } = spawnSync("bash", timed, { input, encoding: "utf8", maxBuffer: 1e9 });
  if (error) throw error;
  return { seconds: Number(stderr.trim().split("\n").at(-1)), lines: stdout.split("\n") };
}

function nativeSearch() {
  const asked = plies.map((ply) => `record ${record(ply)}\ngo nodes ${NODES}\nwait\n`).join("");
  const { seconds, lines } = native(`${asked}quit\n`);
  const infos = lines.map((line) => /^info .* nodes (\d+) .* margins (\S+) .* turn (.*)$/.exec(line)).filter(Boolean);
  return { seconds, found: infos.map(([, nodes, margins, turn]) => ({ nodes: Number(nodes), margins, turn })) };
}

function nativeReview() {
  const { seconds, lines } = native(`record ${record(moves.length)}\nreview quick\nwait\nquit\n`);
  const losses = lines.map((line) => /^decision .* loss (\S+) /.exec(line)).filter(Boolean);
  return { seconds, losses: losses.map(([, loss]) => loss) };
}

/** In the page: the module, and what is asked of it. */
function begin() {
  const say = (x) => new TextEncoder().encode(x);
  let told = () => {};
  return Promise.all(
    ["/engine.wasm", "/two.net"].map(async (file) => new Uint8Array(await (await fetch(file)).arrayBuffer())),
  ).then(async ([code, net]) => {
    const page = { told: (at, length) => told(text(at, length)) };
    const { exports } = (await WebAssembly.instantiate(code, { page })).instance;
    const text = (at, length) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
    const write = (bytes) => {
      const at = exports.room(bytes.length);
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    };
    write(new Uint8Array([...say("two"), ...net]));
    exports.net(3);
    const ask = (request) => {
      write(say(JSON.stringify(request)));
      const length = exports.request();
      return JSON.parse(text(exports.answer_at(), length));
    };
    globalThis.search = (records, nodes) => {
      return records.map((record) => ask({ do: "analyse", record, nodes, top: 1 }));
    };
    globalThis.review = (record) => {
      const begun = performance.now();
      let first;
      told = () => (first ??= performance.now() - begun);
      const { review } = ask({ do: "review", record });
      return { first, elapsed: performance.now() - begun, review };
    };
  });
}

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
const FILES = { "/engine.wasm": "web/src/engine/built/engine.wasm", "/two.net": "crates/bots/nets/two.net" };
await page.route("http://engine.test/**", (route) => {
  const file = FILES[new URL(route.request().url()).pathname];
  return route.fulfill(file ? { body: readFileSync(join(ROOT, file)) } : { contentType: "text/html", body: "" });
});
await page.goto("http://engine.test/");
await page.evaluate(begin);
const session = await browser.newBrowserCDPSession();

/** Does something in the page, and takes the processor time of its process. */
async function timed(work) {
  const spent = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const begun = await spent();
  const result = await work();
  return { seconds: (await spent()) - begun, result };
}
const onLines = (text) => text.replace(";", "\n");
const inPage = () => {
  const asked = [plies.map((ply) => onLines(record(ply))), NODES];
  return timed(() => page.evaluate(([records, nodes]) => globalThis.search(records, nodes), asked));
};

const signed = (x) => `${x < 0 ? "" : "+"}${x.toFixed(2)}`;
const speeds = [];
for (let round = 0; round < Number(rounds); round++) {
  const [own, theirs] = [await inPage(), nativeSearch()];
  const nodes = own.result.reduce((sum, { nodes }) => sum + nodes, 0);
  own.result.forEach(({ nodes, best, values }, i) => {
    const found = { nodes, margins: values.map(({ margin }) => signed(margin)).join(), turn: best.join("; ") };
    if (JSON.stringify(found) !== JSON.stringify(theirs.found[i]))
      throw new Error(`they differ: ${JSON.stringify([found, theirs.found[i]])}`);
  });
  speeds.push([nodes / own.seconds, nodes / theirs.seconds]);
  console.log(
    `Chromium ${(nodes / own.seconds / 1000).toFixed(1)}, program ${(nodes / theirs.seconds / 1000).toFixed(1)} thousand positions a second`,
  );
}
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const [own, theirs] = [0, 1].map((side) => median(speeds.map((pair) => pair[side])));
console.log(
  `medians: ${(own / 1000).toFixed(1)} and ${(theirs / 1000).toFixed(1)}, ${((100 * own) / theirs).toFixed(0)} % of the program`,
);

const { seconds, result: reviewed } = await timed(() =>
  page.evaluate((record) => globalThis.review(record), onLines(record(moves.length))),
);
const other = nativeReview();
const losses = reviewed.review.steps
  .filter(({ kind }) => kind === "decision")
  .map(({ loss }) => loss.margin.toFixed(2));
if (losses.join() !== other.losses.join()) throw new Error("the reviews differ");
console.log(
  `quick review: Chromium ${seconds.toFixed(1)} s of processor time (${(reviewed.elapsed / 1000).toFixed(1)} by the clock, first verdict ${(reviewed.first / 1000).toFixed(2)} s), program ${other.seconds.toFixed(1)} s`,
);
await browser.close();
