// What hands do on the board beside tapping it: drag, pinch, wheel, arrow keys. It comes right after the board.
export { listenToGestures } from "./gestures";
export { nearestCell, nextCell } from "./steering";
