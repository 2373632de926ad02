// Options of a game, from its schema: what they start with, what they may be, how they are called.
import { optional } from "../i18n/index.svelte";
import type { JsonSchema, ListSchema, OptionSchema, OptionValue } from "./schema";

export type Options = Record<string, OptionValue>;

/** The options that have one value each, by name; lists have forms of their own. */
export function singles(schema: JsonSchema): [string, OptionSchema][] {
  const single = (entry: [string, OptionSchema | ListSchema]): entry is [string, OptionSchema] =>
    entry[1].type !== "array";
  return Object.entries(schema.properties).filter(single);
}

/** Every such option at its default. */
export function defaults(schema: JsonSchema): Options {
  return Object.fromEntries(singles(schema).map(([name, option]) => [name, initial(option)]));
}

function initial(option: OptionSchema): OptionValue {
  if (option.default !== undefined) return option.default;
  const first = choices(option)[0]?.value;
  if (first !== undefined) return first;
  switch (option.type) {
    case "boolean":
      return false;
    case "string":
      return "";
    default:
      return option.minimum ?? 0;
  }
}

export interface OptionChoice {
  value: string | number;
  title: string | undefined;
}

/** The values to choose from, if there is only a list of them. */
export function choices(option: OptionSchema): OptionChoice[] {
  const named = option.oneOf?.map((choice) => ({ value: choice.const, title: choice.title }));
  const listed = named ?? option.enum?.map((value) => ({ value, title: undefined })) ?? [];
  return listed.filter((choice): choice is OptionChoice => typeof choice.value !== "boolean");
}

/** Whether a value is one the schema allows; the server has the last word. */
export function allowed(option: OptionSchema, value: OptionValue): boolean {
  if (option.enum && !option.enum.includes(value)) return false;
  switch (option.type) {
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return typeof value === "string" && (!option.pattern || new RegExp(option.pattern).test(value));
    default: {
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      if (option.type === "integer" && !Number.isInteger(value)) return false;
      return value >= (option.minimum ?? -Infinity) && value <= (option.maximum ?? Infinity);
    }
  }
}

/** What differs from the defaults, which is all that is worth sending. */
export function chosen(schema: JsonSchema, options: Options): Options {
  const initial = defaults(schema);
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== initial[name]));
}

/** Our words for an option, or the server's own where we have none (a new game, a new option). */
export function optionTitle(name: string, option: OptionSchema): string {
  return optional("create", `option_${name}`) ?? option.title ?? name;
}

export function optionNote(name: string, option: OptionSchema): string | undefined {
  return optional("create", `option_${name}_note`) ?? option.description;
}

export function choiceTitle(name: string, choice: OptionChoice): string {
  return optional("create", `option_${name}_${choice.value}`) ?? choice.title ?? String(choice.value);
}
