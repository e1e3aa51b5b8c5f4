import { withoutLastSlash } from "../../http/index.js";

/** The meaning of a request's target. */
export type Target =
  | { readonly kind: "api"; readonly path: string }
  | { readonly kind: "page"; readonly path: string }
  /** A target that two servers could interpret differently, so that it could reach an unintended route. */
  | { readonly kind: "unsafe" };

export function targetOf(url: string): Target {
  const path = url.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") || isUnsafe(path) || isUnsafe(decodedOnce(path))) {
    return { kind: "unsafe" };
  }
  return { kind: isOfApi(path) ? "api" : "page", path };
}

/** Whether the API, and not the dashboard, handles that path. */
export function isOfApi(path: string): boolean {
  return path.startsWith("/api/") || isOpenDocument(path);
}

/** Whether the path is one of the API's documents for apps, which pages of every site may read. */
export function isOpenDocument(path: string): boolean {
  return openDocuments.test(path);
}

const openDocuments = /^\/\.well-known\/oauth-(?:protected-resource|authorization-server)(?:\/|$)/;

export function isStoredFile(path: string): boolean {
  return routePath(path).startsWith("/api/_service/files/");
}

function isUnsafe(path: string): boolean {
  return /\\|\0|\/\//.test(path) || path.split("/").includes("..");
}

/** Returns a path in the form of the API's routes: decoded, without a trailing slash. */
export function routePath(path: string): string {
  return withoutLastSlash(decodedOnce(path));
}

/** Decodes byte by byte. Invalid escapes are left unchanged, as in lenient servers. */
function decodedOnce(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
