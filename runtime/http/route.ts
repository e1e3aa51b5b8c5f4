import type { IncomingMessage } from "node:http";
import type { Services } from "./services.js";

/** Who makes a request. */
export interface Caller {
  readonly accountId: string;
  readonly role: string | null;
  readonly sessionId: string | null;
}

/** `public` needs no token; `signed-in` any account; `nobody` refuses all; else the roles that may. */
export type AccessRule = "public" | "signed-in" | "nobody" | readonly string[];

/** One endpoint: what it answers to and who may call it are decided before `handle` runs. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`; a segment `:name` is a parameter: `/products/:id`. */
  readonly path: string;
  readonly access: AccessRule;
  readonly handle: Handle;
}

export type Handle = (context: Context) => Promise<Answer>;

export interface Context {
  readonly request: IncomingMessage;
  /** The path's parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string as sent, without `?`. */
  readonly query: string;
  /** Null on public routes. */
  readonly caller: Caller | null;
  readonly services: Services;
}

/** What goes back. `json` is the finished text; null sends no body. */
export interface Answer {
  readonly status: number;
  readonly json: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}
