import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Config } from "../../config/index.js";
import { dial } from "../../dial/index.js";
import { type IpRange, readRange } from "../../values/addresses/ip-range.js";
import { nfc } from "../../values/text.js";

/** Milliseconds to wait for the document. */
const maxMs = 5_000;
/** Maximum size of the document in bytes. */
const maxBytes = 10_240;
/** Maximum number of characters in an app's name. */
const maxName = 100;

const methods = z.union([z.string(), z.array(z.string())]).optional();

/**
 * The properties of a client's document that are used (draft-ietf-oauth-client-id-metadata-document); others are
 * ignored.
 */
const shape = z.object({
  client_id: z.string(),
  client_name: z.unknown().optional(),
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: methods,
  token_endpoint_auth_methods_supported: methods,
});

/** An app as described by its document. */
export interface AppDocument {
  /** The name that the app claims, which is not verified; null if it claims none. */
  readonly name: string | null;
  readonly redirectUris: readonly string[];
}

/** Thrown for a document that cannot be read, or that belongs to another client; the message is shown to the user. */
export class DocumentRefused extends Error {}

/** Fetches the document of a client from its address. Throws `DocumentRefused`. */
export async function readDocument(
  url: URL,
  { webhooks }: Pick<Config, "webhooks">,
): Promise<AppDocument> {
  const allowed = webhooks.allow.map(readRange).filter((one): one is IpRange => one !== null);
  const text = await fetchText(url, allowed);
  const parsed = shape.safeParse(jsonIn(text));
  if (!parsed.success) throw new DocumentRefused("The app's document does not describe an app");
  const { client_id, client_name, redirect_uris, ...named } = parsed.data;
  if (client_id !== url.href) throw new DocumentRefused("The app's document describes another app");
  const ways = Object.values(named).flatMap((one) => one ?? []);
  if (ways.length > 0 && !ways.includes("none")) {
    throw new DocumentRefused(
      "The app does not support token_endpoint_auth_method none, the only one accepted here",
    );
  }
  return { name: nameIn(client_name), redirectUris: redirect_uris };
}

async function fetchText(url: URL, allowed: readonly IpRange[]): Promise<string> {
  const signal = AbortSignal.timeout(maxMs);
  try {
    const answer = await dial(url, {
      method: "GET",
      headers: { accept: "application/json", "accept-encoding": "identity" },
      allowed,
      signal,
    });
    return await wholeText(answer, signal);
  } catch (error) {
    // The reason is only logged, as a response with it would reveal hosts of this network.
    throw new DocumentRefused("The app's document cannot be read", { cause: error });
  }
}

async function wholeText(answer: IncomingMessage, signal: AbortSignal): Promise<string> {
  const cut = () => answer.destroy(new Error("The request took too long"));
  signal.addEventListener("abort", cut, { once: true });
  const parts: Buffer[] = [];
  let size = 0;
  try {
    if (answer.statusCode !== 200)
      throw new Error(`The document was returned with status ${answer.statusCode}`);
    for await (const part of answer) {
      size += part.length;
      if (size > maxBytes) throw new Error("The document is too large");
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  } finally {
    signal.removeEventListener("abort", cut);
    answer.destroy();
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Returns a name that is safe to display and store, without characters that control a terminal, change the direction of
 * text or are invisible.
 */
function nameIn(written: unknown): string | null {
  if (typeof written !== "string") return null;
  const plain = written.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
  const name = [...nfc(plain.replaceAll(/\s+/g, " ").trim())].slice(0, maxName).join("").trim();
  return name === "" ? null : name;
}
