import { request } from "node:http";
import type { Client, Reply } from "./client.js";

/** Answer to `GET` of a resumable upload. */
export interface UploadState {
  readonly state: "open" | "done" | "refused";
  readonly offset: number;
  readonly length: number;
  readonly file?: { readonly key: string; readonly url: string; readonly size: number };
  readonly status?: number;
  readonly error?: string;
}

export const bytesType = "application/offset+octet-stream";
const version = { "tus-resumable": "1.0.0" };

export function metadata(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");
}

/** `POST`: begins an upload to a field, `products/manual`. */
export function begin(
  caller: Client,
  field: string,
  name: string,
  length: number,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Reply> {
  return caller.send("POST", `/_service/uploads/${field}/resumable`, {
    headers: {
      ...version,
      "upload-length": `${length}`,
      "upload-metadata": metadata({ name }),
      ...headers,
    },
  });
}

/** The path of an upload that has begun, below `/api`. */
export async function begun(
  caller: Client,
  field: string,
  name: string,
  length: number,
): Promise<string> {
  const { status, text, headers } = await begin(caller, field, name, length);
  if (status !== 201) throw new Error(`${status} ${text}`);
  return String(headers.location).replace(/^\/api/, "");
}

export function patch(
  caller: Client,
  path: string,
  offset: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Reply> {
  return caller.send("PATCH", path, {
    text: bytes,
    headers: { ...version, "content-type": bytesType, "upload-offset": `${offset}`, ...headers },
  });
}

/** The offset by `HEAD`. */
export async function offsetOf(caller: Client, path: string): Promise<number> {
  const { status, headers } = await caller.send("HEAD", path, { headers: version });
  if (status !== 200) throw new Error(`HEAD is ${status}`);
  return Number(headers["upload-offset"]);
}

export function terminate(caller: Client, path: string): Promise<Reply> {
  return caller.send("DELETE", path, { headers: version });
}

export async function stateOf(caller: Client, path: string): Promise<UploadState> {
  return (await caller.send<UploadState>("GET", path)).body;
}

/** A `PATCH` that sends given bytes, and never ends by itself. */
export interface OpenPatch {
  send(bytes: Buffer): Promise<void>;
  end(): void;
  cut(): void;
  /** The answer; null if the connection is lost first. */
  readonly answer: Promise<{ status: number; text: string } | null>;
}

export function openPatch(
  url: string,
  token: string,
  path: string,
  offset: number,
  length: number | null,
): OpenPatch {
  const outgoing = request(`${url}/api${path}`, {
    method: "PATCH",
    agent: false,
    headers: {
      ...version,
      authorization: `Bearer ${token}`,
      "content-type": bytesType,
      "upload-offset": `${offset}`,
      ...(length !== null && { "content-length": `${length}` }),
    },
  });
  outgoing.flushHeaders();
  const answer = new Promise<{ status: number; text: string } | null>((resolve) => {
    outgoing.on("error", () => resolve(null));
    outgoing.on("close", () => resolve(null));
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
  });
  return {
    answer,
    send: (bytes) => new Promise((resolve) => outgoing.write(bytes, () => resolve())),
    end: () => outgoing.end(),
    cut: () => outgoing.destroy(),
  };
}
