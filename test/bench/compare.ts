import { setTimeout as sleep } from "node:timers/promises";
import type { Case } from "./cases.js";
import type { Seeded } from "./seed.js";
import type { Server } from "./servers.js";

/** The headers of each request; without a token that of a visitor. */
export function headersOf({ token }: Seeded): Record<string, string> {
  return {
    accept: "application/json",
    "content-type": "application/json",
    ...(token !== "" && { authorization: `Bearer ${token}` }),
  };
}

/**
 * Fails unless every server gives the first one's answer, so that the figures compare like with like.
 * Asks a few times: what `_stats` counts changes with each minute.
 */
export async function compareAnswers(
  servers: readonly Server[],
  { method, paths, body }: Case,
  seeded: Seeded,
): Promise<void> {
  const [path = ""] = paths(seeded);
  const sent = body === undefined ? undefined : JSON.stringify(body(seeded));
  const ask = async ({ url }: Server): Promise<unknown> => {
    const request = { method, headers: headersOf(seeded), ...(sent && { body: sent }) };
    const response = await fetch(url + path, request);
    const answer: unknown = await response.json();
    return { status: response.status, body: sent === undefined ? answer : timeless(answer) };
  };
  for (let tries = 1; ; tries += 1) {
    const found = await differenceOf(servers, ask);
    if (found === null) return;
    if (tries === 3 || method !== "GET") throw new Error(`${method} ${path}: ${found}`);
    await sleep(500);
  }
}

async function differenceOf(
  servers: readonly Server[],
  ask: (server: Server) => Promise<unknown>,
): Promise<string | null> {
  const [first, ...others] = servers;
  if (first === undefined) return null;
  const expected = await ask(first);
  for (const other of others) {
    const found = difference(expected, await ask(other), "answer");
    if (found !== null) return `${other.name} differs from ${first.name}: ${found}`;
  }
  return null;
}

/** Records without what each server makes by itself. */
function timeless(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null) return answer;
  if ("data" in answer && Array.isArray(answer.data)) return answer.data.map(timeless);
  const made = { id: "", orderId: "", createdAt: "", updatedAt: "", ...answer };
  const { id, orderId: _, createdAt, updatedAt, ...rest } = made;
  return { ...rest, isWhole: Boolean(id && createdAt && updatedAt) };
}

/** Where two values first differ, and how; null where their JSON is the same, to the order of its keys. */
export function difference(one: unknown, other: unknown, at: string): string | null {
  const texts = [one, other].map((value) => JSON.stringify(value));
  if (texts[0] === texts[1]) return null;
  const bothObjects = [one, other].every((value) => typeof value === "object" && value !== null);
  if (bothObjects) {
    const ones = new Map(Object.entries(Object(one)));
    const others = new Map(Object.entries(Object(other)));
    for (const key of new Set([...ones.keys(), ...others.keys()])) {
      const found = difference(ones.get(key), others.get(key), `${at}.${key}`);
      if (found !== null) return found;
    }
  }
  const [left, right] = texts.map((text) => (text ?? "nothing").slice(0, 200));
  return `${at} is ${right}, not ${left}`;
}
