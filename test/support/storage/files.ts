import { existsSync, readdirSync } from "node:fs";
import { type OutgoingHttpHeaders, request } from "node:http";
import { join, relative } from "node:path";
import type { FileDetails } from "../../../runtime/uploads/index.js";
import type { Client, Reply } from "../http/client.js";

/** An answer whose body is not JSON. */
export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends a file to a field, `products/image`; the media type is left to the server unless it is among the headers. */
export function upload(
  caller: Client,
  field: string,
  name: string,
  bytes: Buffer | string,
  headers: OutgoingHttpHeaders = {},
): Promise<Reply<FileDetails>> {
  return caller.send("PUT", `/_service/uploads/${field}?name=${encodeURIComponent(name)}`, {
    text: bytes,
    headers: { "content-type": undefined, ...headers },
  });
}

/** Requests an address of this server unchanged, without a token. */
export function download(
  server: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = "GET",
): Promise<Download> {
  const { hostname, port } = new URL(server);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

/** Keys of all files below a folder, unfinished ones too, sorted. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}
