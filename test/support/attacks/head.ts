import type { Random } from "../openapi/random.js";
import type { Attack } from "./attack.js";

/** Values of headers that are read somewhere, by the header's name. */
const values: Readonly<Record<string, readonly string[]>> = {
  "content-type": [
    ...["", ";", "json", "text/json", "application/JSON", "application/json;", "application/*"],
    ...[
      "application/json; charset=utf-7",
      "application/json; charset",
      "application/json, text/html",
    ],
    ...["application/merge-patch+json", "application/xml", "multipart/form-data", "image/svg+xml"],
  ],
  accept: ["", "*/*;q=0", "text/html", "application/json;q=2", "a/b/c", ",,,", "image/*, x"],
  authorization: [
    "",
    "Bearer",
    "Bearer ",
    "bearer x y",
    "Basic YTpi",
    `Bearer ${"x".repeat(4_000)}`,
  ],
  "if-match": ["", "*", '"', '"x"', 'W/"x"', '"a", "b"', "x", `"${"x".repeat(3_000)}"`, "*, *"],
  "if-none-match": ["", "*", '"x', '"x"', ",", 'W/"a",W/"b"'],
  "idempotency-key": ["", " ", "k".repeat(255), "k".repeat(256), "\xe9", "a key", '"k"'],
  range: ["bytes=0-", "bytes=-1", "bytes=9-1", "bytes=0-0,2-2,4-4", "lines=1-2", "bytes=a"],
  cookie: ["service_token=x", "=", ";;;", `a=${"x".repeat(4_000)}`],
  origin: ["null", "https://evil.example", "http://localhost", "x"],
  traceparent: ["", "00-0-0-0", `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`, "x"],
  "x-request-id": ["", "a b", "x".repeat(129), "\xe9", "<script>"],
  "x-forwarded-for": ["127.0.0.1", "::1", "unknown", "' or 1=1", ",,,", "1.2.3.4, 5.6.7.8"],
  "x-forwarded-proto": ["https", "gopher", ""],
  "x-http-method-override": ["DELETE"],
  "x-original-url": ["/api/_service/accounts"],
  "x-service-proxy-secret": ["x"],
  "accept-language": ["de;q=a", "x".repeat(2_000)],
  "content-encoding": ["gzip", "identity", "x"],
  expect: ["100-continue", "tea"],
};

/** The same request with another header, one less, or one twice. */
export function changeHeader(random: Random, attack: Attack): Attack {
  const { headers } = attack;
  const name = random.pick(Object.keys(values));
  const header = [name, random.pick(values[name] ?? [""])] as const;
  const others = headers.filter(([each]) => each.toLowerCase() !== name);
  const [what, changed] = random.pick([
    [`another ${name}`, [...others, header]],
    [`another ${name}`, [...others, header]],
    [`${name} again`, [...headers, header]],
    [`no ${name}`, others],
  ] as const);
  return { ...attack, headers: changed, changes: [...attack.changes, what] };
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];

/** The same request with another method. */
export function changeMethod(random: Random, attack: Attack): Attack {
  const method = random.pick(methods);
  return { ...attack, method, changes: [...attack.changes, `${method}`] };
}
