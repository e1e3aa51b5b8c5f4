import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { accepts } from "./accepts.js";
import { type Brand, letterIcon } from "./brand.js";
import { type AsksForPage, carriesSession, navigates } from "./page-request.js";
import { paletteSheet } from "./palette.js";

/** Responds to requests for files of the web app; returns false if the request is for something else. */
export type Pages = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

interface StoredFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The compressed bodies by content coding. */
  readonly coded: ReadonlyMap<string, Buffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".ico": "image/x-icon",
};

/** The content codings in which each file is stored by the build, in order of preference. */
const codings = [
  { name: "br", ending: ".br", encode: (bytes: Buffer) => brotliCompressSync(bytes) },
  { name: "gzip", ending: ".gz", encode: (bytes: Buffer) => gzipSync(bytes) },
];

/** Hashes of `<style>` elements that a library adds; a test opens every page and checks that none is blocked. */
const libraryStyles: readonly string[] = [];

export const pagePolicy = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  ...(libraryStyles.length === 0 ? [] : [`style-src 'self' ${libraryStyles.join(" ")}`]),
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join("; ");

const pageHeaders = {
  "cache-control": "no-cache",
  "content-security-policy": pagePolicy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Sec-Fetch-Mode, Accept, Cookie",
};

const fileHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
};

/**
 * Opens the built web app in `folder`, with the owner's name, logo and colors. It is small, so it is read only once.
 */
export function openPages(
  folder: string,
  brand: Brand,
  asksForPage: AsksForPage = navigates,
): Pages {
  const files = new Map<string, StoredFile>();
  for (const name of readdirSync(join(folder, "assets"))) {
    if (codings.some(({ ending }) => name.endsWith(ending))) continue;
    files.set(`/assets/${name}`, storedFile(join(folder, "assets", name)));
  }
  const sheet = Buffer.from(paletteSheet(brand.colour));
  const palette = `/assets/palette-${hashOf(sheet)}.css`;
  files.set(palette, { ...plain(sheet, ".css"), coded: codedHere(sheet), headers: fileHeaders });
  const picture = brand.logo ?? { bytes: letterIcon(brand), ending: ".svg" };
  const icon = `/assets/icon-${hashOf(picture.bytes)}${picture.ending}`;
  // An SVG may contain a script, which would run at this origin if the file were opened as a page.
  const headers = {
    ...fileHeaders,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  };
  files.set(icon, { ...plain(picture.bytes, picture.ending), headers });
  const template = readFileSync(join(folder, "index.html"), "utf8");
  const parts = { name: brand.name, palette, icon, isLogo: brand.logo !== null };
  const pageOf = (first: readonly string[]): StoredFile => ({
    ...plain(Buffer.from(withBrand(template, { ...parts, first })), ".html"),
    type: "text/html; charset=utf-8",
    headers: pageHeaders,
  });
  const index = pageOf([]);
  // Requested while the scripts load, so that they need not wait for it: saves 0.4 s on a slow network.
  const config = '<link rel="preload" as="fetch" crossorigin href="/api/auth/config">';
  const signIn = pageOf([config]);
  // The script of this page shows the sign-in without loading the screens behind it.
  const signedOut = pageOf([config, '<meta name="signed-out">']);

  return (request, response, path) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const pageFor = () => {
      if (path === "/sign-in") return signIn;
      return isPublic(path) || carriesSession(request) ? index : signedOut;
    };
    const file = files.get(path) ?? (asksForPage(request, path) ? pageFor() : undefined);
    if (file === undefined) return false;
    sendFile(request, response, file);
    return true;
  };
}

/** The pages that require no account. */
const publicPages =
  /^\/(?:sign-in(?:\/.*)?|register|verify-email|change-email|forgot-password|reset-password)$/;

function isPublic(path: string): boolean {
  return publicPages.test(path);
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: StoredFile): void {
  const accepted = request.headers["accept-encoding"] ?? "";
  const coding = codings.find(({ name }) => file.coded.has(name) && accepts(accepted, name));
  const bytes = (coding === undefined ? undefined : file.coded.get(coding.name)) ?? file.bytes;
  response.statusCode = 200;
  for (const [name, value] of Object.entries(file.headers)) response.setHeader(name, value);
  if (file.coded.size > 0) response.setHeader("vary", "Accept-Encoding");
  if (coding !== undefined) response.setHeader("content-encoding", coding.name);
  response.setHeader("content-type", file.type);
  response.setHeader("content-length", bytes.length);
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function storedFile(path: string): StoredFile {
  const coded = codings.flatMap(({ name, ending }) => {
    const bytes = readIfThere(path + ending);
    return bytes === null ? [] : [[name, bytes] as const];
  });
  return {
    ...plain(readFileSync(path), extname(path)),
    coded: new Map(coded),
    headers: fileHeaders,
  };
}

/** Compresses a file that the build did not compress. */
function codedHere(bytes: Buffer): ReadonlyMap<string, Buffer> {
  return new Map(codings.map(({ name, encode }) => [name, encode(bytes)]));
}

function plain(bytes: Buffer, ending: string): StoredFile {
  return {
    type: types[ending.toLowerCase()] ?? "application/octet-stream",
    bytes,
    coded: new Map(),
    headers: {},
  };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
}

/** Inserts the owner's name, and what the page needs first, at the comment in the template. */
function withBrand(
  template: string,
  {
    name,
    palette,
    icon,
    isLogo,
    first,
  }: {
    readonly name: string;
    readonly palette: string;
    readonly icon: string;
    readonly isLogo: boolean;
    /** Elements of the page's head. */
    readonly first: readonly string[];
  },
): string {
  const lines = [
    `<title>${escaped(name)}</title>`,
    `<meta name="application-name" content="${escaped(name)}">`,
    `<link rel="stylesheet" href="${palette}">`,
    ...first,
    `<link rel="icon" href="${icon}"${isLogo ? " data-logo" : ""}>`,
  ];
  return template.replace("<!-- brand -->", () => lines.join("\n    "));
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
