import { now } from "../../text/dates.js";
import { en } from "../../text/en/en.js";

export interface Issue {
  readonly path?: string;
  readonly param?: string;
  readonly message: string;
  /** The index of the operation if the request is a batch. */
  readonly index?: number;
}

/** A refusal by the API, with its message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly issues: readonly Issue[];
  /** Seconds until the request may be repeated. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  /** The unique field whose value another record already has. */
  readonly field: string | null;
  /** The first refused operation of a batch. */
  readonly index: number | null;

  constructor(response: Response, body: unknown) {
    const shape = typeof body === "object" && body !== null ? (body as Partial<ErrorBody>) : {};
    // A proxy's page is not a message to show.
    super(typeof shape.error === "string" ? shape.error : en.errors.status(response.status));
    this.status = response.status;
    this.field = typeof shape.field === "string" ? shape.field : null;
    this.index = typeof shape.index === "number" ? shape.index : null;
    this.code = typeof shape.code === "string" ? shape.code : null;
    this.issues = Array.isArray(shape.issues) ? shape.issues : [];
    const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retryAfter = Number.isFinite(wait) ? wait : null;
    this.requestId = response.headers.get("x-request-id");
  }
}

interface ErrorBody {
  readonly error: unknown;
  readonly code: unknown;
  readonly field: unknown;
  readonly index: unknown;
  readonly issues: readonly Issue[];
}

/** The server did not respond. */
export class NetworkError extends Error {
  /** Whether the request timed out. */
  get isLate(): boolean {
    return this.cause instanceof DOMException && this.cause.name === "TimeoutError";
  }
}

export function isStatus(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status;
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

export interface Refused {
  readonly fields: Readonly<Record<string, string>>;
  /** The message that does not belong to a field. */
  readonly general: string | null;
  /** The time at which the request may be repeated, in milliseconds since the epoch. */
  readonly until: number | null;
}

export const nothingRefused: Refused = { fields: {}, general: null, until: null };

/** `fields` are the form's names; `places` maps an error code to one of them. */
export function refusedOf(
  error: unknown,
  fields: readonly string[],
  places: Readonly<Record<string, string>> = {},
): Refused {
  if (error === null || error === undefined) return nothingRefused;
  if (!(error instanceof ApiError)) {
    const general = error instanceof NetworkError ? en.errors.offline : en.errors.bug;
    return { ...nothingRefused, general };
  }
  if (error.status === 429) {
    return { ...nothingRefused, until: now() + (error.retryAfter ?? 60) * 1_000 };
  }
  const place = error.code === null ? undefined : places[error.code];
  if (place !== undefined) return { ...nothingRefused, fields: { [place]: sentence(error) } };
  const found = error.issues.filter(({ path }) => path !== undefined && fields.includes(path));
  if (found.length === 0) return { ...nothingRefused, general: sentence(error) };
  const known = error.code === null ? undefined : en.codes[error.code];
  return {
    ...nothingRefused,
    fields: Object.fromEntries(found.map(({ path = "", message }) => [path, known ?? message])),
  };
}

/** Returns the message for users: the dashboard's for a known code, otherwise the API's. */
export function sentence(error: unknown): string {
  if (error instanceof NetworkError) return en.errors.offline;
  if (!(error instanceof ApiError)) return en.errors.bug;
  const known = error.code === null ? undefined : en.codes[error.code];
  if (known !== undefined) return known;
  if (error.status === 502 || error.status === 503 || error.status === 504)
    return en.errors.trouble;
  if (error.status < 500) return error.issues[0]?.message ?? error.message;
  return error.requestId === null
    ? en.errors.bug
    : `${en.errors.bug} ${en.errors.bugNumber(error.requestId)}`;
}
