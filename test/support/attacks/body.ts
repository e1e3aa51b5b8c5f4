import { gzipSync } from "node:zlib";
import type { Random } from "../openapi/random.js";
import { type Attack, bodyOf, Raw, type Tree } from "./attack.js";
import { oddText, oddValue } from "./values.js";

/** The same request with another value somewhere in its body; null without JSON. */
export function changeTree(random: Random, attack: Attack): Attack | null {
  const { tree } = attack;
  if (tree === undefined) return null;
  return { ...attack, tree: changed(random, tree), changes: [...attack.changes, "a value"] };
}

function changed(random: Random, tree: Tree): Tree {
  if (typeof tree !== "object" || tree === null || tree instanceof Raw || random.chance(0.15)) {
    return oddValue(random);
  }
  if (Array.isArray(tree)) return changedList(random, tree);
  const entries = Object.entries(tree as Readonly<Record<string, Tree>>);
  const at = random.below(entries.length + 1);
  const [key, value] = entries[at] ?? [random.pick(addedKeys), null];
  switch (random.below(5)) {
    case 0:
      return fromEntries(entries.filter((_, each) => each !== at));
    case 1:
      return fromEntries([...entries, [random.pick(addedKeys), oddValue(random)]]);
    case 2:
      return fromEntries(entries.map(([name, one]) => [name === key ? `${name} ` : name, one]));
    default:
      return fromEntries([
        ...entries.filter((_, each) => each !== at),
        [key, changed(random, value)],
      ]);
  }
}

/** Keys that a program may use itself. */
const addedKeys = [
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "then", "length", "", " ", "\0"],
  ...["id", "createdAt", "updatedAt", "role", "email", "ownerId", "where", "sort", "fields", "by"],
  ...["page", "perPage", "include", "operations", "ref", "atomic", "password", "x".repeat(3_000)],
];

function changedList(random: Random, list: readonly Tree[]): Tree {
  const at = random.below(list.length + 1);
  switch (random.below(4)) {
    case 0:
      return list.filter((_, each) => each !== at);
    case 1:
      return [...list, ...list, ...list, ...list];
    case 2:
      return Array.from({ length: 200 }, () => list[at] ?? null);
    default:
      return [...list.slice(0, at), changed(random, list[at] ?? null), ...list.slice(at + 1)];
  }
}

/** Also with a key `__proto__`. */
function fromEntries(entries: readonly (readonly [string, Tree])[]): Tree {
  const made: { [key: string]: Tree } = {};
  for (const [key, value] of entries) {
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true });
  }
  return made;
}

/** Mutations of a body's bytes and its headers. */
const byBytes: readonly (readonly [
  string,
  (random: Random, body: Buffer) => Buffer,
  (readonly (readonly [string, string])[])?,
])[] = [
  ["cut short", (random, body) => body.subarray(0, random.below(body.length))],
  ["nothing", () => Buffer.alloc(0)],
  ["a mark of the byte order", (_, body) => Buffer.concat([Buffer.from("\ufeff"), body])],
  ["UTF-16", (_, body) => Buffer.from(body.toString(), "utf16le")],
  [
    "UTF-16, and saying so",
    (_, body) => Buffer.from(body.toString(), "utf16le"),
    [["content-type", "application/json; charset=utf-16le"]],
  ],
  [
    "Latin-1",
    (_, body) => Buffer.from(body.toString(), "latin1"),
    [["content-type", "application/json; charset=iso-8859-1"]],
  ],
  ["more behind it", (_, body) => Buffer.concat([body, Buffer.from("{}\0")])],
  ["a comment", (_, body) => Buffer.concat([Buffer.from("/**/"), body])],
  ["other quotes", (_, body) => Buffer.from(body.toString().replaceAll('"', "'"))],
  ["a comma too many", (_, body) => Buffer.from(body.toString().replace(/}$/, ",}"))],
  ["compressed", (_, body) => gzipSync(body), [["content-encoding", "gzip"]]],
  ["compressed, it says", (_, body) => body, [["content-encoding", "br"]]],
  ["a bomb", () => gzipSync(Buffer.alloc(3_000_000)), [["content-encoding", "gzip"]]],
  [
    "a form",
    () => Buffer.from("a=b&c[]=d&__proto__[x]=1"),
    [["content-type", "application/x-www-form-urlencoded"]],
  ],
  [
    "parts of a form",
    (_, body) =>
      Buffer.from(`--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${body}\r\n--b--`),
    [["content-type", "multipart/form-data; boundary=b"]],
  ],
  ["XML", () => Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')],
  ["other bytes", flipped],
];

function flipped(random: Random, body: Buffer): Buffer {
  const bytes = Buffer.from(body);
  for (let count = 1 + random.below(4); count > 0 && bytes.length > 0; count -= 1) {
    bytes[random.below(bytes.length)] = random.pick([0, 0x22, 0x5c, 0x7b, 0x80, 0xc0, 0xff]);
  }
  return bytes;
}

/** The same request with other bytes as its body; null without a body. */
export function changeBytes(random: Random, attack: Attack): Attack | null {
  const body = bodyOf(attack);
  if (body === undefined) return null;
  const [name, change, headers = []] = random.pick(byBytes);
  return {
    ...attack,
    tree: undefined,
    bytes: change(random, body),
    headers: [
      ...attack.headers.filter(([one]) => !headers.some(([two]) => one === two)),
      ...headers,
    ],
    changes: [...attack.changes, name],
  };
}

/** A body for a request that accepts none. */
export function addBody(random: Random, attack: Attack): Attack | null {
  if (bodyOf(attack) !== undefined) return null;
  return {
    ...attack,
    bytes: Buffer.from(random.pick(["{}", "[]", '{"id":"x"}', "\0", oddText(random)])),
    headers: [...attack.headers, ["content-type", "application/json"]],
    changes: [...attack.changes, "a body"],
  };
}
