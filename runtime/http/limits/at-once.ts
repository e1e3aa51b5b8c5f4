import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";

/** Limits the concurrent requests per token, so that one client cannot starve the others. */
export interface AtOnce {
  /** Runs `work` once a slot is free; refuses with `UNAVAILABLE` if that takes too long. */
  run<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
}

interface Token {
  running: number;
  readonly waiting: Set<() => void>;
}

/** How long a request may wait, in milliseconds. */
const patience = 5_000;

/** The value of `Retry-After`, in seconds. */
const retryAfter = 2;

/** `max` is the number of concurrent requests; 0 for no limit. */
export function newAtOnce(max: number): AtOnce {
  const tokens = new Map<string, Token>();

  function begin(key: string): Token | Promise<Token> {
    const token = tokens.get(key) ?? { running: 0, waiting: new Set() };
    tokens.set(key, token);
    if (token.running < max) {
      token.running += 1;
      return token;
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(late);
        resolve(token);
      };
      const late = setTimeout(() => {
        token.waiting.delete(start);
        reject(tooLate());
      }, patience);
      token.waiting.add(start);
    });
  }

  function end(key: string, token: Token): void {
    const [next] = token.waiting;
    if (next !== undefined) {
      token.waiting.delete(next);
      // Passes the free slot to the next request.
      next();
      return;
    }
    token.running -= 1;
    if (token.running === 0) tokens.delete(key);
  }

  return {
    async run(request, work) {
      const key = request.headers.authorization;
      if (max === 0 || key === undefined) return work();
      const begun = begin(key);
      const token = begun instanceof Promise ? await begun : begun;
      try {
        return await work();
      } finally {
        end(key, token);
      }
    },
  };
}

function tooLate(): unknown {
  try {
    return refuse("UNAVAILABLE", { retryAfter });
  } catch (error) {
    return error;
  }
}
