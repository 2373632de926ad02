// Line icons of the analysis board alone.
export const UNDO = "M9 7L4.5 11.5 9 16M5 11.5h9a5 5 0 0 1 0 10h-3";
export const BIN = "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6";
export const UP = "M12 19V5.5M6.5 11L12 5.5l5.5 5.5";
export const CLOCK_BACK = "M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4 4.5v4h4M12 8v4.3l3 1.8";
export const PLUS = "M12 5v14M5 12h14";
export const PENCIL = "M4 20l1-4.2L15.8 5 19 8.2 8.2 19zM13.6 7.2l3.2 3.2";
