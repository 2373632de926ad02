// Games that are played in this browser, as it keeps them: the one that goes on, and those that the server lacks.

/** A game that is played here. */
export interface KeptGame {
  /** Its name for the server: handed in twice, it is stored once. */
  key: string;
  /** The first line of its record. */
  setup: string;
  /** Everything played and drawn so far. */
  moves: string[];
  level: string;
  /** The seat of who is here. */
  mine: number;
  /** When it began, in milliseconds. */
  begun: number;
  /** How it ended, if not by the rules. */
  gaveUp?: "resign" | "abort";
  /** The id that the server gave it. */
  stored?: string;
}

/** A finished game that waits for the server. */
export interface FinishedGame {
  key: string;
  record: string;
  level: string;
  mine: number;
}

const PLAYING = "local-game";
/** Looked at by `shell/ConnectionBanner.svelte` too. */
const FINISHED = "local-finished";

export const recordOf = ({ setup, moves }: Pick<KeptGame, "setup" | "moves">): string =>
  `${setup}\n${moves.join("\n")}\n`;

/** A new game against a level; `mine` is 0 for who begins. */
export function newGame(level: string, mine: number, setup: string): KeptGame {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  return { key: key.join(""), setup, moves: [], level, mine, begun: Date.now() };
}

const isGame = (value: unknown): value is KeptGame => {
  const game = value as Partial<KeptGame> | null;
  return typeof game?.key === "string" && typeof game.setup === "string" && Array.isArray(game.moves);
};

/** The game that was played last; nothing if there is none. */
export function keptGame(): KeptGame | null {
  const value = read(PLAYING);
  return isGame(value) ? value : null;
}

/** Without room for it the game is played on, and lost with the page. */
export const keepGame = (game: KeptGame): void => write(PLAYING, game);

export function finishedGames(): FinishedGame[] {
  const value = read(FINISHED);
  return Array.isArray(value) ? (value as FinishedGame[]) : [];
}

/** Notes a game for the server, once. */
export function addFinished(game: KeptGame): void {
  const { key, level, mine } = game;
  const others = finishedGames().filter((other) => other.key !== key);
  write(FINISHED, [...others, { key, level, mine, record: recordOf(game) }]);
}

/** The server has it, or will never take it. */
export function removeFinished(key: string, stored: string | null): void {
  const rest = finishedGames().filter((game) => game.key !== key);
  if (rest.length > 0) write(FINISHED, rest);
  else localStorage.removeItem(FINISHED);
  const last = keptGame();
  if (stored !== null && last?.key === key) keepGame({ ...last, stored });
}

function read(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}
