import { type Logger, pino, stdSerializers } from "pino";
import type { Config } from "../config/index.js";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error" | "fatal">;

/** One JSON line an event, to standard output. */
export function newLog({ logLevel }: Pick<Config, "logLevel">): Log {
  return pino({ level: logLevel, base: null, serializers: { err: withoutRow } });
}

/** An error without PostgreSQL's `detail`, which quotes the whole row that failed: hashes, addresses, all. */
function withoutRow(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail: _row, ...told } = stdSerializers.err(error);
  return told;
}
