import { type Logger, pino, stdSerializers } from "pino";
import type { Config } from "../config/index.js";

/** The server's log: `log.info({ id }, "There is a new task")` writes one JSON line. */
export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "fatal">;

/** A log that writes one JSON line for each event to standard output. */
export function newLog({ logLevel }: Pick<Config, "logLevel">): Log {
  return pino({ level: logLevel, base: null, serializers: { err: withoutRow } });
}

/** An error without PostgreSQL's `detail`, which quotes the whole row that failed, hashes and addresses included. */
function withoutRow(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _row, ...logged } = stdSerializers.err(error);
  return logged;
}
