import type { Attack } from "./attack.js";
import type { AttackAnswer } from "./send.js";

/** Sender of a request. */
export type Attacker = "nobody" | "member" | "operator";

/** Data that only operators see (`auth.operators`). */
const forOperators =
  /^\/_service\/(?:accounts?|account-events|service-tokens|status|jobs|schedule)\b/;

/** Signs of a leaked error in an answer. */
const leaks: readonly RegExp[] = [
  /\bat .{1,200}:\d+:\d+/,
  /node_modules|\/dist\/|\.[cm]?[jt]s\b/,
  /syntax error at|relation "|violates .{1,40} constraint|invalid input syntax|duplicate key value/,
  /SQLSTATE|pg_catalog|\bselect\b.{1,500}\bfrom\b|out of range for type|cannot cast|postgres/i,
  /\bE(?:CONN|NOENT|ACCES|PIPE)|Cannot read prop|is not a function|is not iterable|\[object Object\]/,
  /\bundefined\b|\bNaN\b/,
];

/** Headers of every response. */
const always = {
  "x-content-type-options": /^nosniff$/,
  "content-security-policy": /default-src 'none'/,
};

interface Judged {
  readonly attacker: Attacker;
  readonly attack: Attack;
  readonly answer: AttackAnswer;
  /** Whether the document makes this method and path public. */
  readonly isPublic: boolean;
  /** Longest allowed time of a response. */
  readonly limitMs: number;
}

/** Fault of a response beyond the document's description; null without one. */
export function faultOf({ attacker, attack, answer, isPublic, limitMs }: Judged): string | null {
  const { status, headers, text, took } = answer;
  if (status >= 500) return "a failure of the server";
  if (took > limitMs) return `it took ${Math.round(took)} ms`;
  for (const [name, value] of Object.entries(always)) {
    if (!value.test(String(headers[name] ?? ""))) return `${name} is ${headers[name]}`;
  }
  if (headers["x-request-id"] === undefined) return "no X-Request-Id";
  if (headers["x-powered-by"] ?? headers.server) return "it names its software";
  // Neither app has `server.cors_origins`.
  if (headers["access-control-allow-origin"] !== undefined) return "another site may read it";
  const isDone = status < 400 && attack.method !== "OPTIONS";
  if (isDone && attacker === "nobody" && !isPublic) return "nobody is let in";
  if (isDone && attacker !== "operator" && forOperators.test(attack.path)) {
    return "who is no operator is let in";
  }
  if (status < 400) return null;
  const told = leaks.find((pattern) => pattern.test(withoutSent(text, attack)));
  return told === undefined ? null : `it tells ${told}`;
}

/** A refusal names parameters and keys that were sent, so their contents are no leak. */
function withoutSent(text: string, attack: Attack): string {
  try {
    const { error, issues = [] } = JSON.parse(text);
    const messages = issues.map(({ message }: { message: string }) => message);
    return [error, ...messages].join("\n").replaceAll(/"[^"]*"|'[^']*'/g, '""');
  } catch {
    return attack.method === "HEAD" ? "" : text;
  }
}
