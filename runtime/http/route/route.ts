import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Plan } from "../../db/index.js";
import type { Refusal } from "../../errors/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import type { Rule } from "../../values/access-rule.js";

/** `public` needs no token. */
export type AccessRule = "public" | Rule;

/** One endpoint: its method, path and access are checked before it runs. */
export type Route = HandledRoute | ReadRoute;

interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`; a segment `:name` is a parameter: `/products/:id`. */
  readonly path: string;
  readonly access: AccessRule;
  /** Of reads of a resource: what caches may do with their answers. */
  readonly caching?: Caching;
}

/** What caches may do with answers to GET. */
export interface Caching {
  /** The `Cache-Control` of what callers without a token get. */
  readonly visitors: string;
  /** Whether such an answer has a tag of its text, where caches may keep it. */
  readonly isTagged: boolean;
}

export interface HandledRoute extends Endpoint {
  readonly handle: Handle;
  /** It creates a record, which is limited without a token. */
  readonly isCreate?: true;
  /** `any` where the answer is not JSON, so that no `Accept` header excludes it; `events` where it is a stream of events. */
  readonly accept?: "any" | "events";
  /** The most bytes of the query string, where it checks its parameters' lengths itself. */
  readonly maxQuery?: number;
  /** The body is a file: what is refused because of it comes after refusals of the handler's own. */
  readonly takesFile?: true;
  /** Headers of each of its answers, refusals too, and further ones of the answer to OPTIONS. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  /** A health check: it is answered while other requests are refused for overload, and logged at `debug`. */
  readonly isHealth?: true;
}

/** A route that one statement answers: it is sent to the database together with the look-up of the token. */
export interface ReadRoute extends Endpoint {
  readonly access: Rule;
  readonly read: Read;
}

export interface Handle {
  (context: Context): Promise<Answer>;
  /** It gets the parameters of the address; of other routes than GET, all are refused before. */
  readonly takesQuery?: true;
}

/** A handler that reads parameters of the address, or refuses them itself, together with the mistakes in its body. */
export function takesQuery(handle: (context: Context) => Promise<Answer>): Handle {
  return Object.assign(handle, { takesQuery: true as const });
}

/** Prepares the statement of a request; refuses an invalid request. */
export type Read = (context: Context) => PlannedRead | CallersRead;

/** A read that is only planned once the caller is known. */
export interface CallersRead {
  /**
   * The read of a caller without a role. It asks for nothing that any other caller may not read, so that it is
   * sent together with the look-up of the token; one with a role gets the answer to the prepared one.
   */
  readonly ofNoRole?: PlannedRead;
  /** Prepares the statement for the caller of the context; refuses one who may not ask it. */
  prepare(context: Context): Promise<PlannedRead>;
}

/** A read of at most one row, and what its row means. */
export interface PlannedRead extends Plan {
  /** Why the client's values were refused by PostgreSQL; null for any other error of the statement. */
  readonly refusalOf?: (error: unknown) => Refusal | null;
  /** Makes the answer; `row` is empty when there was none, and `context` has the caller. */
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

/** What is sent back. */
export interface Answer {
  readonly status: number;
  /** The finished JSON text; null sends no body, or the stream. */
  readonly json: string | null;
  /** Bytes whose type and length are among the headers. */
  readonly stream?: Readable;
  /** Called once the head is sent: the answer is whatever it writes, until it ends the response. */
  readonly live?: (response: ServerResponse) => void;
  /** JSON that is too long to be made before there is room for it. */
  readonly long?: LongText;
  readonly headers?: Readonly<Record<string, string>>;
  /** That a request by another method than GET wrote nothing, so that its answer may be dropped. */
  readonly isRead?: true;
}

/** A text of many bytes, which is made when the queue of long texts reaches it. */
export interface LongText {
  /** Approximate size. */
  readonly bytes: number;
  /** Makes the text in pieces of moderate length; the caller owns the array. */
  make(): Promise<string[]>;
}
