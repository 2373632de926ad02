// Pictures of tiles as image addresses: each (kind, rotation) is drawn once and kept.
import type { Rotation } from "./points";
import { tileSvg } from "./sprite";

const addresses = new Map<string, string>();

/** The address of a tile's picture, for `<img src>` or a CSS background. */
export function spriteUrl(kind: string, rotation: Rotation): string {
  const key = `${kind}${rotation}`;
  let address = addresses.get(key);
  if (!address) {
    const picture = new Blob([tileSvg(kind, rotation)], { type: "image/svg+xml" });
    addresses.set(key, (address = URL.createObjectURL(picture)));
  }
  return address;
}
