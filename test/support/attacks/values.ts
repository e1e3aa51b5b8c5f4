import type { Random } from "../openapi/random.js";
import { Raw, type Tree } from "./attack.js";

const nested = (depth: number, open: string, close: string) =>
  new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`);

/** Values that break some parser, column or comparison. */
const values: readonly Tree[] = [
  ...[null, true, false, 0, 1, -1, 0.1, 1e15, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63)],
  ...["-0", "1e400", "-1e400", "1e-400", "9007199254740993", "12345678901234567890123"].map(
    (text) => new Raw(text),
  ),
  new Raw(`0.${"1".repeat(400)}`),
  new Raw("9".repeat(400)),
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"a\\u0000b"', '"\\/\\b\\f"'].map(
    (text) => new Raw(text),
  ),
  new Raw('{"a":1,"a":2}'),
  new Raw('{"__proto__":{"role":"admin"}}'),
  ...["", " ", "\t\n", "null", "undefined", "true", "[]", "{}", "0x10", "1e5", "NaN", "Infinity"],
  ...["-infinity", "epoch", "now", "2026-02-30", "0000-00-00", "9999999-01-01T00:00:00Z"],
  ...["2026-01-01T00:00:00+99:99", "24:00", "\u202ecba", "\u200b", "e\u0301", "\ufeff", "ß", "İ"],
  ...["'", "''", '"', "\\", "`", ";--", "' or 1=1--", "1); select pg_sleep(30)--", "$1", "%s"],
  ...["%", "%%", "_", "*", ".*", "(a+)+$", "%00", "../../etc/passwd", "..\\..\\x", "/", "//x"],
  ...["<script>alert(1)</script>", "{{7*7}}", "#{7*7}", "=1+1", "\r\nSet-Cookie: a=b", "a@b"],
  ...["file:///etc/passwd", "http://127.0.0.1:1/", "javascript:alert(1)", "__proto__", "toString"],
  ...["00000000-0000-0000-0000-000000000000", "{00000000-0000-7000-8000-000000000000}", "x", "é"],
  ...["x".repeat(300), "x".repeat(70_000), "🍵".repeat(5_000), " ".repeat(10_000), "\n".repeat(9)],
  ...[[], [[]], [null], [{}], ["x", "x"], {}, { $ne: null }, { "": 1 }, { a: { b: { c: [] } } }],
  { constructor: { prototype: { isAdmin: true } } },
  nested(60, "[", "]"),
  nested(600, "[", "]"),
  nested(60, '{"and":[', "]}"),
  nested(20, '{"not":', "}"),
  Array.from({ length: 1_000 }, () => null),
  Array.from({ length: 300 }, (_, at) => ({ a: at })),
  Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`key${at}`, at])),
];

export function oddValue(random: Random): Tree {
  return random.chance(0.1) ? random.text(random.pick([1, 30, 400])) : random.pick(values);
}

const texts = values.filter((value): value is string => typeof value === "string");

/** A text that is as odd, for addresses and headers. */
export function oddText(random: Random): string {
  return random.pick(texts).slice(0, 2_000);
}

/** Texts in which percent signs and plus signs do not stand for what they should. */
const encoded = [
  ...["%", "%%", "%2", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%00", "%0d%0a", "%u0041", "%25%32%35"],
  ...["+", "%2B", "&", "=", "==", "[", "]", "[]", "%5B%5D", ";", "#", "?", "??a=b", "%EF%BB%BF"],
];

/** Part of an address, in its encoding or in none. */
export function oddEncoded(random: Random): string {
  return random.chance(0.5)
    ? random.pick(encoded)
    : encodeURIComponent(oddText(random).toWellFormed());
}
