import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Plan } from "../../db/index.js";
import type { Refusal } from "../../errors/index.js";
import type { Caller, Services } from "../../own-code/index.js";
import type { Rule } from "../../values/access-rule.js";

/**
 * `public` reads no token: the route identifies its caller itself, or needs none. A rule with the entry `public` admits
 * callers without a token, and identifies all others.
 */
export type AccessRule = "public" | Rule;

/** One endpoint: its method, path and access are checked before it runs. */
export type Route = HandledRoute | ReadRoute;

interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api`; a segment `:name` is a parameter: `/products/:id`. */
  readonly path: string;
  readonly access: AccessRule;
  /** How responses are cached; for reads of a resource. */
  readonly caching?: Caching;
}

/** How responses to GET are cached. */
export interface Caching {
  /** The `Cache-Control` of responses to callers without a token. */
  readonly visitors: string;
  /**
   * Whether responses to callers without a token have an entity tag, computed from their text, because caches may store
   * them.
   */
  readonly isTagged: boolean;
}

export interface HandledRoute extends Endpoint {
  readonly handle: Handle;
  /** Whether the route creates a record; callers without a token have a limit for this. */
  readonly isCreate?: true;
  /** `any` if the response is not JSON, so that no `Accept` header excludes it; `events` for an event stream. */
  readonly accept?: "any" | "events";
  /** Maximum length of the query string in bytes, if the route checks the lengths of its parameters itself. */
  readonly maxQuery?: number;
  /** Whether the body is a file: refusals of the body come after those of the handler. */
  readonly takesFile?: true;
  /** Whether `X-HTTP-Method-Override` of a POST replaces its method, as in the tus protocol. */
  readonly takesOverride?: true;
  /** Headers of every response, including refusals, and further ones for OPTIONS. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  /** Whether the path is below the server's root, not `/api`. */
  readonly isAtRoot?: true;
  /** `WWW-Authenticate` of a 401; by default `Bearer`. */
  readonly challenge?: string;
  /** Whether it is a health check, which gets a response even under overload and is logged at `debug`. */
  readonly isHealth?: true;
}

/** A route with one statement, which is sent to the database together with the lookup of the token. */
export interface ReadRoute extends Endpoint {
  readonly access: Rule;
  readonly read: Read;
}

export interface Handle {
  (context: Context): Promise<Answer>;
  /**
   * Whether the route reads query parameters; if not, all are refused on methods other than GET.
   */
  readonly takesQuery?: true;
}

/** Marks a handler that reads query parameters, or refuses them together with the mistakes in its body. */
export function takesQuery<Result>(handle: (context: Context) => Promise<Result>) {
  return Object.assign(handle, { takesQuery: true as const });
}

/** Prepares the statement of a request; refuses an invalid request. */
export type Read = (context: Context) => PlannedRead | CallersRead;

/** A read that is planned once the caller is known. */
export interface CallersRead {
  /**
   * The read for callers without a role. It reads only what every other caller may read, so it is sent together with
   * the lookup of the token. Callers with a role get the response to the read from `prepare`.
   */
  readonly ofNoRole?: PlannedRead;
  /** Prepares the statement for the caller of the context; refuses callers without access. */
  prepare(context: Context): Promise<PlannedRead>;
}

/** A read of at most one row, with the function that makes its response. */
export interface PlannedRead extends Plan {
  /** Returns the refusal if PostgreSQL rejected the client's values; null for any other error. */
  readonly refusalOf?: (error: unknown) => Refusal | null;
  /** Builds the response; `row` is empty if nothing was found, and `context` has the caller. */
  answer(row: Row, context: Context): Answer | Promise<Answer>;
}

/** Columns by name, as text or null. */
export type Row = Readonly<Record<string, string | null>>;

export interface Context {
  readonly request: IncomingMessage;
  /** The percent-decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The query string as sent, without `?`. */
  readonly query: string;
  /** Null for callers without a token, and on routes that read no token. */
  readonly caller: Caller | null;
  /** On routes that read no token, where some bodies need one: identifies and limits the caller like a signed-in route. */
  readonly admit?: () => Promise<Caller | null>;
  readonly services: Services;
}

/** The response to a request. */
export interface Answer {
  readonly status: number;
  /** The finished JSON text; null for no body, or for a stream. */
  readonly json: string | null;
  /** A body of bytes; its type and length are in the headers. */
  readonly stream?: Readable;
  /** Called after the head was sent: writes the body and ends the response. */
  readonly live?: (response: ServerResponse) => void;
  /** JSON so long that it is generated only once there is memory for it. */
  readonly long?: LongText;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a request other than GET wrote nothing, so that its response may be dropped. */
  readonly isRead?: true;
}

/** A long text, generated once it reaches the head of the queue of long texts. */
export interface LongText {
  /** Approximate size. */
  readonly bytes: number;
  /** Generates the text in chunks of moderate length; the caller owns the array. */
  make(): Promise<string[]>;
}
