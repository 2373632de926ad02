// Who is here: a guest, an account, or nobody yet. A guest is made only when one is needed.
import { get, post } from "../api/request";
import type { Me } from "../wire/Me";

const state = $state<{ me: Me | null; known: boolean }>({ me: null, known: false });

/** The person asking, if the server knows them. */
export function me(): Me | null {
  return state.me;
}

/** Whether the server has been asked yet. */
export function sessionKnown(): boolean {
  return state.known;
}

/** Asks the server who is here. Nobody is no error. */
export async function recognise(): Promise<Me | null> {
  become(await get<Me | null>("/api/session"));
  return state.me;
}

/** The person here; a new guest if there is none. Whoever plays needs this first. */
export async function someone(): Promise<Me> {
  const known = state.known ? state.me : await recognise();
  if (known) return known;
  const guest = await post<Me>("/api/guest");
  become(guest);
  return guest;
}

/** Takes over what the server says after a change of account. */
export function become(me: Me | null): void {
  state.me = me;
  state.known = true;
}
