/** One `name=value` of a query string. */
export interface QueryPair {
  /** The pair exactly as sent. */
  readonly pair: string;
  /** Null where it is not percent-encoded UTF-8. */
  readonly name: string | null;
  /** Null where it is not percent-encoded UTF-8; empty where there is no equals sign. */
  readonly value: string | null;
}

/** Whether a query has a parameter whose name the pattern matches. No value is decoded. */
export function hasParameter(query: string, pattern: RegExp): boolean {
  return query.split("&").some((pair) => {
    const [sent = ""] = pair.split("=", 1);
    return pattern.test(sent.includes("%") ? (decode(sent) ?? "") : sent);
  });
}

/** The pairs of a query string, in order; a plus is a space, as forms write it. */
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
 * A request's path, without a slash at its end, and its query string without `?`; some proxies send the whole URL. The
 * path of what names no host, or another scheme, does not begin with a slash, so no route has it.
 */
export function splitUrl(target: string): { path: string; query: string } {
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]+/i, "");
  const at = url.indexOf("?");
  const path = withoutLastSlash(at < 0 ? url : url.slice(0, at));
  return { path, query: at < 0 ? "" : url.slice(at + 1) };
}

/** A path without one slash at its end: `/things/` is `/things`, `/things//` is not. */
export function withoutLastSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
