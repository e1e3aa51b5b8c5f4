import { type Logger, pino, stdSerializers } from "pino";
import type { Config } from "../config/index.js";
import { sqlState } from "../db/index.js";
import { reasonOf } from "../errors/index.js";

/** The server's log: `log.info({ id }, "There is a new task")` writes one JSON line. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "fatal">;

/**
 * A log that writes one JSON line for each event to standard output. That of a request
 * (`newRequestLog`) adds its id. Outside development no line has values of statements or names of files.
 */
export function newLog({
  logLevel,
  environment = "other",
}: Pick<Config, "logLevel"> & Partial<Pick<Config, "environment">>): Log {
  const isPrivate = environment !== "development";
  return pino(
    {
      level: logLevel,
      base: null,
      mixin: () => ({ ...added }),
      serializers: { err: readable(isPrivate ? withoutValues : withoutRow) },
      ...(isPrivate && { formatters: { log: withoutNames } }),
    },
    output(),
  );
}

/** The fields of the line that is being written, besides those it is given. */
let added: object = {};

/** The log for what a request, or an attempt of a job, causes: its lines have those fields. */
export function newRequestLog(log: Log, fields: object): Log {
  return new RequestLog(log, fields) as Log;
}

/** A class, since each request makes one; most write no line of their own. */
class RequestLog {
  readonly #log: Log;
  readonly #fields: object;

  constructor(log: Log, fields: object) {
    this.#log = log;
    this.#fields = fields;
  }

  /** The line is made before this returns. */
  #write(level: keyof Log, line: readonly unknown[]): void {
    added = this.#fields;
    try {
      Reflect.apply(this.#log[level], this.#log, line);
    } finally {
      added = {};
    }
  }

  debug(...line: readonly unknown[]): void {
    this.#write("debug", line);
  }

  info(...line: readonly unknown[]): void {
    this.#write("info", line);
  }

  warn(...line: readonly unknown[]): void {
    this.#write("warn", line);
  }

  error(...line: readonly unknown[]): void {
    this.#write("error", line);
  }

  fatal(...line: readonly unknown[]): void {
    this.#write("fatal", line);
  }
}

/** Bytes that wait for a reader, or for room on a disk; beyond that lines are dropped. */
const maxWaiting = 16 * 1_048_576;

/** Standard output. While nothing can be written to it, the server goes on without its log. */
function output(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 1, minLength: 0, maxLength: maxWaiting });
  destination.on("error", () => {
    // At the end of the process it would try again for ever.
    destination.flushSync = () => {};
  });
  return destination;
}

/** Logs what can be read of an error that cannot be written: its message may be a getter that throws. */
function readable(serialize: (error: unknown) => unknown): (error: unknown) => unknown {
  return (error) => {
    try {
      return serialize(error);
    } catch {
      return { type: "Error", message: reasonOf(error) };
    }
  };
}

/** An error without PostgreSQL's `detail`, which quotes the whole row that failed, hashes and addresses included. */
function withoutRow(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _row, ...logged } = stdSerializers.err(error);
  return logged;
}

/** The same without what else quotes values: PostgreSQL's context, and its messages about values (class 22). */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _row, where: _context, message, stack, ...logged } = stdSerializers.err(error);
  const quoted = causesOf(error)
    .filter((cause) => sqlState(cause)?.startsWith("22") === true)
    .map((cause) => cause.message);
  const shown = (text: string) =>
    withoutFileName(
      quoted.reduce((left, one) => left.replaceAll(one, () => one.replace(/".*"/s, '"…"')), text),
    );
  return { ...logged, message: shown(message), stack: shown(stack) };
}

function causesOf(error: Error): readonly Error[] {
  const found: Error[] = [];
  for (
    let next: unknown = error;
    next instanceof Error && !found.includes(next);
    next = next.cause
  ) {
    found.push(next);
  }
  return found;
}

/** Lines about stored files name their keys, and a key ends in the name that the file had. */
function withoutNames(line: Record<string, unknown>): Record<string, unknown> {
  const { key, keys, reason } = line;
  if (key === undefined && keys === undefined && reason === undefined) return line;
  return {
    ...line,
    ...(typeof key === "string" && { key: withoutFileName(key) }),
    ...(Array.isArray(keys) && { keys: keys.map((one) => withoutFileName(String(one))) }),
    ...(typeof reason === "string" && { reason: withoutFileName(reason) }),
  };
}

/** `…/019ab…-tea.webp` becomes `…/019ab…-…`. */
function withoutFileName(text: string): string {
  return text.replace(/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[^\s'"/,)]+/g, "$1-…");
}
