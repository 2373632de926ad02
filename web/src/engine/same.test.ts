// The engine in the page against the program: same moves, same values at the same nodes, for every setup.
// The program's answers are written and held by `crates/wasm/tests/same.rs`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EngineModule } from "./module";

const BUILT = join(import.meta.dirname, "built");
const NETS = join(import.meta.dirname, "../../../crates/bots/nets");
const HERE = existsSync(join(BUILT, "engine.wasm"));

interface Compared {
  record: string;
  positions: { ply: number; nodes: number; answer: unknown }[];
  review: unknown;
}

function engine(): (record: string) => EngineModule {
  const module = new EngineModule(new WebAssembly.Module(readFileSync(join(BUILT, "engine.wasm"))));
  return (record) => {
    const net = module.ask<string>({ do: "net", record });
    module.takeNet(net, readFileSync(join(NETS, `${net}.net`)));
    return module;
  };
}

it.skipIf(!HERE)("answers as the program does, to the last bit", () => {
  const games = JSON.parse(readFileSync(join(import.meta.dirname, "same.json"), "utf8")) as Compared[];
  expect(games.flatMap(({ positions }) => positions)).toHaveLength(200);
  const engineFor = engine();
  for (const { record, positions, review } of games) {
    const own = engineFor(record);
    for (const { ply, nodes, answer } of positions)
      expect(own.ask({ do: "analyse", record, ply, nodes, top: 1 }), `${record} ply ${ply}`).toEqual(answer);
    if (review) {
      const [head = "", ...lines] = record.trim().split("\n");
      const moves = lines.flatMap((line) => line.split("; ")).slice(0, 14);
      expect(own.ask({ do: "review", record: [head, ...moves].join("\n") })).toEqual(review);
    }
  }
});

it.skipIf(!HERE)("says what is wrong, and tells what comes on the way", () => {
  const module = new EngineModule(new WebAssembly.Module(readFileSync(join(BUILT, "engine.wasm"))));
  const record = "carcassonne players=2\nU";
  expect(() => module.ask({ do: "analyse", record })).toThrow("the net 'two' is needed first");
  expect(() => module.takeNet("two", new Uint8Array(3))).toThrow("expected a net");
  module.takeNet("two", readFileSync(join(NETS, "two.net")));
  const told: unknown[] = [];
  const last = module.ask<{ best: string[] }>({ do: "analyse", record, nodes: 5000, deepen: true }, (line) =>
    told.push(line),
  );
  expect(told.length).toBe(2);
  expect(last.best).toHaveLength(2);
});
