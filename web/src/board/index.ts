// The board component and its contract.
export { default as Board } from "./Board.svelte";
export { default as MiniBoard } from "./MiniBoard.svelte";
export type * from "./types";
