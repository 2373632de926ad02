// The part of JSON Schema that games describe their options with.

/** A game's options: an object of plain values. */
export interface JsonSchema {
  type: "object";
  title?: string;
  description?: string;
  properties: Record<string, OptionSchema | ListSchema>;
}

/** An option that is a list of words: the sets that are played. */
export interface ListSchema {
  type: "array";
  title?: string;
  description?: string;
  default?: string[];
  items: { type: "string"; enum: string[]; oneOf?: { const: string; title?: string }[] };
}

export type OptionValue = string | number | boolean;

export interface OptionSchema {
  type: "boolean" | "string" | "integer" | "number";
  title?: string;
  description?: string;
  default?: OptionValue;
  enum?: OptionValue[];
  /** The choices with their titles. */
  oneOf?: { const: OptionValue; title?: string }[];
  examples?: OptionValue[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
}
