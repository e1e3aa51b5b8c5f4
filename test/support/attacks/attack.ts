import type { Json } from "../http/client.js";
import { addressOf, type MadeRequest } from "../openapi/requests.js";

/** A request with any fault that an HTTP client can send. */
export interface Attack {
  readonly method: string;
  /** Below `/api`, as it is sent. */
  readonly path: string;
  /** Pairs as they are sent, joined by `&`. */
  readonly query: readonly string[];
  readonly headers: readonly (readonly [string, string])[];
  /** Value of the body; undefined if `bytes` are the body, or without one. */
  readonly tree: Tree | undefined;
  readonly bytes: Buffer | undefined;
  /** Its mutations. */
  readonly changes: readonly string[];
}

/** JSON with values in special notation: `1e400`, or a duplicate key. */
export type Tree = Json | Raw | readonly Tree[] | { readonly [key: string]: Tree };

/** The text of a value in JSON. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** The unchanged request that the document describes. */
export function attackOf(made: MadeRequest): Attack {
  const [path = "", query = ""] = addressOf(made).split(/\?(.*)/s);
  const { body, headers, operation } = made;
  const isFile = Buffer.isBuffer(body);
  return {
    method: operation.method,
    path,
    query: query === "" ? [] : query.split("&"),
    headers: [
      ["accept", "application/json"],
      ...(body === undefined
        ? []
        : ([["content-type", isFile ? "application/octet-stream" : "application/json"]] as const)),
      ...Object.entries(headers),
    ],
    tree: isFile ? undefined : (body as Json | undefined),
    bytes: isFile ? body : undefined,
    changes: [],
  };
}

export function printTree(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map(printTree).join(",")}]`;
  if (typeof tree !== "object" || tree === null) return JSON.stringify(tree);
  const pairs = Object.entries(tree).map(
    ([key, value]) => `${JSON.stringify(key)}:${printTree(value)}`,
  );
  return `{${pairs.join(",")}}`;
}

/** The bytes of the body. */
export function bodyOf({ tree, bytes }: Attack): Buffer | undefined {
  return bytes ?? (tree === undefined ? undefined : Buffer.from(printTree(tree)));
}

/** For messages: enough to send it again manually. */
export function shownAttack(attack: Attack): string {
  const { method, path, query, headers, changes } = attack;
  const body = bodyOf(attack)?.toString("latin1").slice(0, 300) ?? "";
  return `${changes.join(", ")}: ${method} ${path}?${query.join("&").slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${body}`;
}
