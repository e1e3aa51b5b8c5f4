import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { checkAnswer } from "../openapi/answers.js";
import { type Attack, bodyOf } from "./attack.js";

export interface AttackAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Milliseconds from the request's first byte to the answer's last. */
  readonly took: number;
}

/** Time that no answer may take. */
const timeLimitMs = 20_000;

/** Sends it, with a token or without. Throws if the server's document does not describe the answer. */
export async function sendAttack(
  url: string,
  agent: Agent,
  token: string | null,
  attack: Attack,
): Promise<AttackAnswer> {
  const { method, path, query } = attack;
  const target = query.length === 0 ? path : `${path}?${query.join("&")}`;
  const answer = await ask(url, agent, token, attack, target);
  const { status, headers, text } = answer;
  checkAnswer(url, { method, path: target, status, headers, text, body: parsed(text) });
  return answer;
}

function ask(
  url: string,
  agent: Agent,
  token: string | null,
  attack: Attack,
  target: string,
): Promise<AttackAnswer> {
  const { hostname, port, host } = new URL(url);
  const body = bodyOf(attack);
  const isNamed = attack.headers.some(([name]) => name === "authorization");
  // A list keeps names that are there twice; Node adds nothing to it.
  const headers = [
    ["host", host],
    ...(token === null || isNamed ? [] : [["authorization", `Bearer ${token}`]]),
    ...attack.headers,
    ...(body === undefined ? [] : [["content-length", String(body.length)]]),
  ].flat();
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method: attack.method,
        path: `/api${target}`,
        headers,
        timeout: timeLimitMs,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const { statusCode: status = 0, headers } = incoming;
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status, headers, text, took: performance.now() - began });
        });
      },
    );
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer in ${timeLimitMs} ms`)));
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
