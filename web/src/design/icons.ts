// Line icons on a 24 × 24 grid, drawn with a round stroke: those of the bar and of a player's move.
export const ICONS = {
  check: "M5 12.5l4.6 4.6L19.5 7",
  close: "M6 6l12 12M18 6L6 18",
  rotate: "M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4.6h-4.6",
  undo: "M4.5 12a7.5 7.5 0 1 0 2.3-5.4M4.5 3.5v4.6h4.6",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4",
  fields: "M5 19L13 5M9.5 19.5L17 7M15 19.5l4.5-7",
  tiles: "M5 4h5v6H5zM14 4h5v6h-5zM5 14h5v6H5zM14 14h5v6h-5z",
  help: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M9.6 9.6a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.8v.1",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2.8v2M12 19.2v2M2.8 12h2M19.2 12h2M5.5 5.5l1.4 1.4M17.1 17.1l1.4 1.4M18.5 5.5l-1.4 1.4M6.9 17.1l-1.4 1.4",
  moon: "M19.5 14.4A8 8 0 0 1 9.6 4.5a8 8 0 1 0 9.9 9.9",
  chat: "M4.5 5.5h15v10.5H12l-4.5 3.8V16h-3z",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7v5l3.2 2",
  menu: "M4 7h16M4 12h16M4 17h16",
  warning: "M12 4L2.8 19.5h18.4zM12 10v4.4M12 17v.1",
} as const;
