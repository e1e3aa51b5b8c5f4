import { withoutLastSlash } from "../../http/index.js";

/** What a request's target addresses. */
export type Target =
  | { readonly kind: "api"; readonly path: string }
  | { readonly kind: "page"; readonly path: string }
  /** A target that two servers could interpret differently, so that it reaches an unintended route. */
  | { readonly kind: "unsafe" };

/** Parses a request's target as sent. */
export function targetOf(url: string): Target {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || isUnsafe(path) || isUnsafe(decodedOnce(path))) {
    return { kind: "unsafe" };
  }
  return { kind: isOfApi(path) ? "api" : "page", path };
}

/** Whether the API answers that path, rather than the dashboard. */
export function isOfApi(path: string): boolean {
  return path.startsWith("/api/") || isOpenDocument(path);
}

/** The API's documents for apps, which pages of every site may read. */
export function isOpenDocument(path: string): boolean {
  return openDocuments.test(path);
}

const openDocuments = /^\/\.well-known\/oauth-(?:protected-resource|authorization-server)(?:\/|$)/;

/** Whether the path is that of a stored file. */
export function isStoredFile(path: string): boolean {
  return routePath(path).startsWith("/api/_service/files/");
}

function isUnsafe(path: string): boolean {
  return /\\|\0|\/\//.test(path) || path.split("/").includes("..");
}

/** A path in the form of the API's routes: decoded, without a trailing slash. */
export function routePath(path: string): string {
  return withoutLastSlash(decodedOnce(path));
}

/** Decodes byte by byte; an invalid escape is unchanged, as lenient servers leave it. */
function decodedOnce(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
