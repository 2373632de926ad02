// A coat of arms for every name: field, ordinary and charge follow from the name alone.
import { pick, randomFrom } from "../art/random";

export interface Arms {
  field: string;
  second: string;
  /** What divides the field. */
  ordinary: string;
  /** What lies upon it. */
  charge: string;
  metal: string;
}

/** Tinctures that are no player's colour. */
const COLOURS = ["#b5523c", "#35505f", "#5f3b74", "#2f6f52", "#8c2f4b", "#a8762a", "#46536b", "#6d7a34"];
const METALS = ["#f4ead2", "#e9c04f"];

const ORDINARIES = [
  "M0 0H20V44H0Z",
  "M0 0H40V18H0Z",
  "M0 40L20 20L40 40V54L20 34L0 54Z",
  "M0 44V24H40V44Z",
  "M0 0L40 44H0Z",
  "M16 0H24V44H16ZM0 15H40V23H0Z",
  "M13 0H27V44H13Z",
];

const CHARGES = [
  "M13 31V18h3v3h2.6v-3h2.8v3H24v-3h3v13h-4.8v-4a2.2 2.2 0 0 0-4.4 0v4Z",
  "M20 14l2.3 5.4 5.9.5-4.5 3.8 1.4 5.8L20 26.4l-5.1 3.1 1.4-5.8-4.5-3.8 5.9-.5Z",
  "M18 14h4v5.4h5.4v4H22V32h-4v-8.6h-5.4v-4H18Z",
  "M20 13c4.6 5.4 6.4 8.6 6.4 11.6a6.4 6.4 0 0 1-12.8 0c0-3 1.8-6.2 6.4-11.6Z",
  "M20 12.6L27 22.6L20 32.6L13 22.6Z",
  "M20 14a8 8 0 1 0 5.8 13.6A7 7 0 0 1 20 14Z",
];

export function armsOf(name: string): Arms {
  const random = randomFrom(`arms of ${name}`);
  const field = pick(random, COLOURS);
  const second = pick(random, COLOURS.filter((colour) => colour !== field));
  return { field, second, ordinary: pick(random, ORDINARIES), charge: pick(random, CHARGES), metal: pick(random, METALS) };
}
