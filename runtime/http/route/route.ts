import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { QueryMethod } from "../../db/index.js";
import type { Caller, Services } from "../../services/index.js";

/** `public` needs no token; `signed-in` any account; `nobody` refuses all; else the roles that may. */
export type AccessRule = "public" | "signed-in" | "nobody" | readonly string[];

/** One endpoint: what it answers to and who may call it are decided before it is asked. */
export type Route = HandledRoute | ReadRoute;

interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`; a segment `:name` is a parameter: `/products/:id`. */
  readonly path: string;
  readonly access: AccessRule;
}

export interface HandledRoute extends Endpoint {
  readonly handle: Handle;
  /** `any` where what is answered is no JSON, so that no `Accept` excludes it. */
  readonly accept?: "any";
}

/** A route that one statement answers: it travels to the database together with the token's look-up. */
export interface ReadRoute extends Endpoint {
  readonly access: Exclude<AccessRule, "public">;
  readonly read: Read;
}

export type Handle = (context: Context) => Promise<Answer>;

/** Works out what to ask; refuses a request that cannot be asked. */
export type Read = (context: Context) => Question;

/** One statement of at most one row, and what its row means. */
export interface Question {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The method of `Access` that suits it. */
  readonly via: QueryMethod;
  /** Whose share of the connections it takes; everybody's where it is about no resource. */
  readonly resource?: string;
  /** `row` is empty when there was none; `context` has the caller now. */
  answer(row: Row, context: Context): Answer | Promise<Answer>;
}

/** Columns by name, as text or null. */
export type Row = Readonly<Record<string, string | null>>;

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

/** What goes back. */
export interface Answer {
  readonly status: number;
  /** The finished text; null sends no body, or the stream. */
  readonly json: string | null;
  /** Bytes whose type and length are among the headers. */
  readonly stream?: Readable;
  /** JSON that is too long to be made before there is room for it. */
  readonly long?: LongText;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A text of many bytes, which is made in its turn. */
export interface LongText {
  /** About how many. */
  readonly bytes: number;
  /** Gives it in pieces of moderate length, which are taken over. */
  make(): Promise<string[]>;
}
