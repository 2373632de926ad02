// What the page shown asks of the frame around it.

const state = $state({ own: false });

/** Whether the page has a menu of its own on a phone, and tells itself how the connection is. */
export function ownFrame(): boolean {
  return state.own;
}

/** The page takes over the menu and the message, until it calls what this gives. */
export function takeFrame(): () => void {
  state.own = true;
  return () => (state.own = false);
}
