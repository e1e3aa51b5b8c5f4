import { type Logger, pino, stdSerializers } from "pino";
import type { Config } from "../config/index.js";
import { sqlState } from "../db/index.js";
import { reasonOf } from "../errors/index.js";

/**
 * The server's log: `log.info({ id }, "There is a new task")` writes one JSON line.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   hooks: {
 *     tasks: { afterCreate: ({ id }, { log }) => log.info({ id }, "There is a new task") },
 *   },
 * });
 * await app.listen();
 * ```
 */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "fatal">;

/**
 * Creates the log, which writes one JSON line per event to standard output. Logs of requests (`newRequestLog`) add the
 * request's id. Outside development, no line contains values of statements or names of files.
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

/** Additional fields of the line being written. */
let added: object = {};

/** Creates the log of a request or of a job's attempt: each of its lines has these fields. */
export function newRequestLog(log: Log, fields: object): Log {
  return new RequestLog(log, fields) as Log;
}

/** A class, because every request creates one, and most write no line. */
class RequestLog {
  readonly #log: Log;
  readonly #fields: object;

  constructor(log: Log, fields: object) {
    this.#log = log;
    this.#fields = fields;
  }

  /** Formats the line before it returns. */
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

/** Bytes that may wait for a reader or for disk space; further lines are dropped. */
const maxWaiting = 16 * 1_048_576;

/** Opens standard output. If it cannot be written to, the server continues without its log. */
function output(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 1, minLength: 0, maxLength: maxWaiting });
  destination.on("error", () => {
    // At process exit, it would retry forever.
    destination.flushSync = () => {};
  });
  return destination;
}

/**
 * Logs the readable parts of an error that cannot be serialized, such as one whose `message` is a getter that throws.
 */
function readable(serialize: (error: unknown) => unknown): (error: unknown) => unknown {
  return (error) => {
    try {
      return serialize(error);
    } catch {
      return { type: "Error", message: reasonOf(error) };
    }
  };
}

/** Removes PostgreSQL's `detail` from an error: it quotes the whole row that failed, with hashes and addresses. */
function withoutRow(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _row, ...logged } = stdSerializers.err(error);
  return logged;
}

/**
 * Removes everything from an error that quotes values, including PostgreSQL's context, and its messages about values
 * (class 22).
 */
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

/** Removes file names from a line: lines about stored files contain their keys, and a key ends with the file's name. */
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
