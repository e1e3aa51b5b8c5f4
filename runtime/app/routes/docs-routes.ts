import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { Config } from "../../config/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Route } from "../../http/index.js";
import { docsPage, docsScript } from "./docs-page.js";

/** The page runs and loads only files from this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // The viewer's style sheet embeds arrows as data URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const script = "text/javascript; charset=utf-8";
/** The files of the viewer with their media types; the build copies them. */
const viewerFiles: ReadonlyMap<string, string> = new Map([
  ["swagger-ui-bundle.js", script],
  ["swagger-ui.css", "text/css; charset=utf-8"],
]);

/**
 * `GET /_service/docs`: a page that displays `openapi.json`, in development or if the operator enables it, and its
 * files. It needs no token, as it reveals nothing about the app until it has loaded the document.
 */
export function docsRoutes({ environment, server }: Config): readonly Route[] {
  const isOn = environment === "development" || server.docs;
  const read = newReader();
  const common = { method: "GET", access: "public", accept: "any" } as const;
  return [
    {
      ...common,
      path: "/_service/docs",
      handle: async ({ request }) => {
        if (!isOn) return refuse("NOT_FOUND");
        const page = docsPage(/^[^?]*\/(?:\?|$)/.test(request.url ?? "") ? "" : "docs/");
        return fileAnswer(Buffer.from(page), "text/html; charset=utf-8");
      },
    },
    {
      ...common,
      path: "/_service/docs/:file",
      handle: async ({ params: { file = "" } }) => {
        if (isOn && file === "page.js") return fileAnswer(Buffer.from(docsScript), script);
        const type = viewerFiles.get(file);
        return isOn && type !== undefined
          ? fileAnswer(await read(file), type)
          : refuse("NOT_FOUND");
      },
    },
  ];
}

function fileAnswer(bytes: Buffer, type: string): Answer {
  return {
    status: 200,
    json: null,
    stream: Readable.from([bytes]),
    headers: {
      "content-type": type,
      "content-length": String(bytes.length),
      "content-security-policy": policy,
    },
  };
}

/** Returns a function that reads a file of the viewer on first use. */
function newReader(): (name: string) => Promise<Buffer> {
  const read = new Map<string, Promise<Buffer>>();
  return (name) => {
    const folder = dirname(createRequire(import.meta.url).resolve("#docs"));
    const bytes = read.get(name) ?? readFile(join(folder, name));
    read.set(name, bytes);
    return bytes;
  };
}
