import type { Random } from "../openapi/random.js";
import type { Attack } from "./attack.js";
import { oddEncoded, oddText } from "./values.js";

/** The same request with another query string. */
export function changeQuery(random: Random, attack: Attack): Attack {
  const { query } = attack;
  const at = random.below(query.length);
  const sent = query[at] ?? `${random.pick(names)}=`;
  const [name = "", value = ""] = sent.split(/=(.*)/s);
  const others = query.filter((_, each) => each !== at);
  const [what, pairs] = random.pick<readonly [string, () => readonly string[]]>([
    ["a parameter twice", () => [...query, sent]],
    ["a parameter with another value", () => [...others, `${name}=${oddEncoded(random)}`]],
    ["a parameter that is no pair", () => [...others, name]],
    ["a parameter as a list", () => [...others, `${name}[]=${value}`, `${name}[0]=${value}`]],
    ["a parameter as an object", () => [...others, `${name}[${oddEncoded(random)}]=${value}`]],
    ["a longer name", () => [...others, `${name}${oddEncoded(random)}=${value}`]],
    ["a parameter that is not there", () => [...query, `${random.pick(names)}=${value}`]],
    ["many parameters", () => Array.from({ length: 300 }, () => `${name}=`)],
    ["JSON for a value", () => [...others, `${name}=${encodeURIComponent(jsonValue(random))}`]],
    ["semicolons", () => [[...query, "a=b"].join(";")]],
  ]);
  return { ...attack, query: pairs(), changes: [...attack.changes, what] };
}

const names = [
  ...[
    "page",
    "perPage",
    "sort",
    "q",
    "filter",
    "where",
    "cursor",
    "fields",
    "include",
    "by",
    "sum",
  ],
  ...[
    "timezone",
    "series",
    "days",
    "etags",
    "filter[id]",
    "filter[id][in]",
    "filter[createdAt][gt]",
  ],
  ...[
    "__proto__",
    "__proto__[a]",
    "constructor",
    "access_token",
    "_method",
    "callback",
    "token",
    "",
  ],
];

function jsonValue(random: Random): string {
  return random.pick([
    `{"or":[{"id":${JSON.stringify(oddText(random))}}]}`,
    '{"id":{"in":[null,1,{}]}}',
    '{"not":{"not":{"not":{}}}}',
    '{"__proto__":{}}',
    '{"id":1e400}',
    `{"and":${"[".repeat(50)}${"]".repeat(50)}}`,
    "[1",
    "null",
  ]);
}

/** The same request to a path that looks like its own. */
export function changePath(random: Random, attack: Attack): Attack {
  const segments = attack.path.slice(1).split("/");
  const at = random.below(segments.length);
  const old = segments[at] ?? "";
  const replaced = (by: readonly string[]) => segments.toSpliced(at, 1, ...by);
  const [what, changed] = random.pick<readonly [string, () => readonly string[]]>([
    ["another segment", () => replaced([oddEncoded(random) || "x"])],
    ["a longer segment", () => replaced([`${old}${oddEncoded(random)}`])],
    ["a segment twice", () => replaced([old, old])],
    ["an empty segment", () => replaced([old, ""])],
    ["dots", () => replaced([old, random.pick(dots), old])],
    ["a segment in capitals", () => replaced([old.toUpperCase()])],
    ["a segment in percent signs", () => replaced([percents(old)])],
    ["a parameter of the path", () => replaced([`${old};a=b`])],
    ["a slash in percent signs", () => replaced([`${old}%2f..%2f${old}`])],
    ["an end in JSON", () => replaced([`${old}.json`])],
    ["a long segment", () => replaced(["x".repeat(1_000)])],
  ]);
  // A question mark or a hash would end the path.
  const path = `/${changed().join("/")}`.replaceAll("#", "%23").replaceAll("?", "%3F");
  return { ...attack, path, changes: [...attack.changes, what] };
}

const dots = ["..", ".", "%2e%2e", "%2E", ".%2e", "..;", "%252e%252e", "...", "..%5c"];

function percents(text: string): string {
  return Buffer.from(text)
    .toString("hex")
    .replace(/../g, (byte) => `%${byte}`);
}
