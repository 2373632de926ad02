// Short messages that come and go by themselves; `<Toasts />` shows them.

export interface Toast {
  id: number;
  text: string;
}

/** How long a message can be read. */
const SHOWN = 4500;

let next = 0;
export const toasts = $state<Toast[]>([]);

export function toast(text: string): void {
  const id = next++;
  toasts.push({ id, text });
  setTimeout(() => {
    const at = toasts.findIndex((shown) => shown.id === id);
    if (at >= 0) toasts.splice(at, 1);
  }, SHOWN);
}
