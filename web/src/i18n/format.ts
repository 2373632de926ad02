// Fills the gaps of a message: `{name}` is a value, `one | many` is chosen by the value `n`.

export type Values = Record<string, string | number>;

/** The message in the language's own form: numbers as they are written there, the right plural. */
export function format(message: string, values: Values | undefined, language: string): string {
  const form = message.includes(" | ") ? plural(message.split(" | "), Number(values?.["n"] ?? 0), language) : message;
  if (!values) return form;
  return form.replace(/\{(\w+)\}/g, (gap, name: string) => {
    const value = values[name];
    if (value === undefined) return gap;
    return typeof value === "number" ? numbers(language).format(value) : value;
  });
}

function plural(forms: string[], n: number, language: string): string {
  const one = new Intl.PluralRules(language).select(n) === "one";
  return (one ? forms[0] : forms.at(-1)) ?? "";
}

const kept = new Map<string, Intl.NumberFormat>();

function numbers(language: string): Intl.NumberFormat {
  let format = kept.get(language);
  if (!format) kept.set(language, (format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })));
  return format;
}
