// Makes the board's props from a record, for the gallery:
//   node scripts/fixture.mjs RECORD PLY > gallery/fixtures/NAME.json
// The rules are asked through `bastide replay --json`; BASTIDE names the program.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = process.env.BASTIDE ?? "../target/release/bastide";
const [record, ply] = process.argv.slice(2);
const cell = ({ x, y }) => `${x},${y}`;
const replay = (file, ...options) =>
  JSON.parse(execFileSync(program, ["replay", file, "--json", ...options], { maxBuffer: 1 << 26 }));

const state = replay(record, "--events", "--ply", ply);
const placed = new Map(state.events.filter((e) => e.event === "tile_placed").map((e) => [cell(e), e]));
const tiles = state.board.tiles.map(({ position, rotation, tile }, i) => ({
  cell: cell(position),
  kind: tile,
  rotation: rotation / 90,
  ply: i,
  player: placed.get(cell(position))?.player ?? null,
}));
const meeples = state.placed_meeples.map((m) => ({
  cell: cell(m.position),
  segment: m.segment,
  player: m.player,
  number: m.meeple,
  lying: m.segment.startsWith("field"),
}));
const finished = new Set(state.features.filter((f) => f.type === "city" && f.is_complete).map((f) => f.id));
const features = state.features.map((f) => ({
  id: f.id,
  terrain: f.type,
  complete: f.is_complete,
  segments: f.segments.map((s) => ({ cell: cell(s.position), segment: s.segment })),
  owners: f.owners,
  points: f.points,
  meeples: [...new Set(f.meeples.map((m) => m.player))].map((player) => ({
    player,
    count: f.meeples.filter((m) => m.player === player).length,
  })),
  ...(f.type === "field" ? { finishedCities: f.cities.filter((id) => finished.has(id)) } : {}),
}));

/** The meeple choices that follow a placement: what the rules list after playing it. */
function choices(move) {
  const moves = readFileSync(record, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  const text = [moves[0], moves.slice(1).join("; ").split(/;\s*/).slice(0, Number(ply)).join("; "), move].join("\n");
  const file = join(tmpdir(), "bastide-fixture.txt");
  writeFileSync(file, text);
  return replay(file).legal.filter((choice) => choice !== "pass");
}

const turn = state.expected_action === "place_tile" && {
  player: state.player,
  tile: state.current_tile,
  legal: state.legal.map((move) => {
    const [at, rotation] = move.split(" r");
    return { move, cell: at, rotation: Number(rotation), meeples: choices(move) };
  }),
};
const lastTile = tiles.at(-1);
const props = {
  tiles,
  meeples,
  features,
  turn: turn || null,
  dead: state.board.dead_positions.map(cell),
  last: { cell: lastTile.cell, player: lastTile.player },
};
const extra = {
  scores: state.scores,
  supply: state.meeple_supply,
  left: state.tiles_by_kind,
  remaining: state.tiles_remaining,
};
process.stdout.write(`${JSON.stringify({ props, ...extra })}\n`);
