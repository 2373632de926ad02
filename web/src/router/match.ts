// Which route an address belongs to: `/u/:name` matches `/u/Mira` with `{ name: "Mira" }`.

export type Params = Record<string, string>;

/** The first route whose pattern fits the path, with what stood in its gaps. */
export function match<R extends { path: string }>(
  routes: readonly R[],
  path: string,
): { route: R; params: Params } | null {
  for (const route of routes) {
    const params = fit(route.path, path);
    if (params) return { route, params };
  }
  return null;
}

function fit(pattern: string, path: string): Params | null {
  const wanted = parts(pattern);
  const found = parts(path);
  if (wanted.length !== found.length) return null;
  const params: Params = {};
  for (const [index, part] of wanted.entries()) {
    const value = found[index]!;
    if (!part.startsWith(":")) {
      if (part !== value) return null;
      continue;
    }
    const decoded = decode(value);
    if (decoded === null) return null;
    params[part.slice(1)] = decoded;
  }
  return params;
}

function parts(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** Addresses are typed by people: a broken `%` is an address that is not there, no error. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
