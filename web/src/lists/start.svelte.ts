// The button that makes a game and goes there: busy meanwhile, and telling what went wrong.
import { showError } from "../design/toasts.svelte";
import { go } from "../router/router.svelte";

export class Start {
  busy = $state(false);

  /** Goes to the address of what was made. */
  async to(make: () => Promise<string>): Promise<void> {
    this.busy = true;
    try {
      go(await make());
    } catch (error) {
      showError(error);
      this.busy = false;
    }
  }
}
