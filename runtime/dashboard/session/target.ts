import { withoutLastSlash } from "../../http/index.js";

/** The kind of thing that a request's target addresses. */
export type Target =
  | { readonly kind: "api"; readonly path: string }
  | { readonly kind: "page"; readonly path: string }
  /** A target that two servers could read differently: it could reach what the first did not mean to open. */
  | { readonly kind: "unsafe" };

/** Parses a request's target as it was sent. */
export function targetOf(url: string): Target {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || isUnsafe(path) || isUnsafe(decodedOnce(path))) {
    return { kind: "unsafe" };
  }
  return { kind: path.startsWith("/api/") ? "api" : "page", path };
}

function isUnsafe(path: string): boolean {
  return /\\|\0|\/\//.test(path) || path.split("/").includes("..");
}

/** A path as the API's routes have it: decoded, and without one slash at its end. */
export function routePath(path: string): string {
  return withoutLastSlash(decodedOnce(path));
}

/** Decodes byte by byte: an invalid escape stays as it is, as lenient servers leave it. */
function decodedOnce(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
