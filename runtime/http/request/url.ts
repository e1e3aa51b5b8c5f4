/** One `name=value` of a query string. */
export interface QueryPair {
  /** The pair exactly as sent. */
  readonly pair: string;
  /** Null if it is not percent-encoded UTF-8. */
  readonly name: string | null;
  /** Null if it is not percent-encoded UTF-8; empty without an equals sign. */
  readonly value: string | null;
}

/** Whether a query has a parameter whose name matches the pattern. No value is decoded. */
export function hasParameter(query: string, pattern: RegExp): boolean {
  return query.split("&").some((pair) => {
    const [sent = ""] = pair.split("=", 1);
    return pattern.test(sent.includes("%") ? (decode(sent) ?? "") : sent);
  });
}

/** Splits a query string into pairs, in order; a plus is a space, as in forms. */
export function queryPairs(query: string): readonly QueryPair[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      return {
        pair,
        name: decode(at < 0 ? pair : pair.slice(0, at)),
        value: decode(at < 0 ? "" : pair.slice(at + 1)),
      };
    });
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return null;
  }
}

/**
 * Splits a request target into its path, without a trailing slash, and its query string, without `?`. Some proxies send
 * the whole URL. For a target without a host, or with another scheme, the path has no leading slash and matches no
 * route.
 */
export function splitUrl(target: string): { path: string; query: string } {
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]+/i, "");
  const at = url.indexOf("?");
  const path = withoutLastSlash(at < 0 ? url : url.slice(0, at));
  return { path, query: at < 0 ? "" : url.slice(at + 1) };
}

/** Removes one trailing slash: `/things/` becomes `/things`, `/things//` becomes `/things/`. */
export function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
